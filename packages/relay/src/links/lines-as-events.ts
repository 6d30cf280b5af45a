/**
 * Servers that say several things in answer to one request and do not know streams of events: they write messages one to a line,
 * under the type of a single one. Whoever waited for the end of that body would wait as long as a subscription lasts.
 */
import { peek } from '../framing/peek.ts';
import type { Flow, HttpAnswer } from './http-client.ts';
import type { HttpHead } from './link.ts';
import { isPacked } from './packed.ts';

/** What begins longer is one message. */
const FIRST_LINE_BYTES = 64 * 1024;

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const DATA: Buffer = Buffer.from('data: ');
const END: Buffer = Buffer.from('\n\n');

/** Whoever reads an answer gets such lines as a stream of events, as they come; everything else as it is. */
export function linesAsEvents(answer: HttpAnswer): HttpAnswer {
  return new LinesAsEvents(answer);
}

class LinesAsEvents implements HttpAnswer {
  readonly #answer: HttpAnswer;
  /** Until it is known what the body is. */
  #undecided: { readonly head: HttpHead; readonly flow: Flow; readonly begun: Buffer[] } | undefined;
  #areLines = false;
  /** Of what has begun: how much there is, and is there more in it than blanks? */
  #bytes = 0;
  #isBlank = true;
  #isWithinLine = false;

  constructor(answer: HttpAnswer) {
    this.#answer = answer;
  }

  onStart(head: HttpHead, flow: Flow): void {
    if (mayBeLines(head)) this.#undecided = { head, flow, begun: [] };
    else this.#answer.onStart(head, flow);
  }

  onData(chunk: Buffer): void {
    const undecided = this.#undecided;
    if (undecided === undefined) {
      this.#give(chunk);
      return;
    }
    undecided.begun.push(chunk);
    this.#bytes += chunk.length;
    this.#isBlank &&= firstLetterIn(chunk) === chunk.length;
    // In any number of pieces, the whole is put together once for each line that may have come, and not for each piece.
    const mayBeDecided = (!this.#isBlank && chunk.includes(NEWLINE)) || this.#bytes > FIRST_LINE_BYTES;
    const areLines = mayBeDecided ? beginsWithLine(inOne(undecided.begun)) : undefined;
    if (areLines !== undefined) this.#decide(areLines);
  }

  onEnd(): void {
    this.#decide(false);
    if (this.#isWithinLine) this.#answer.onData(END); // the last line needs no end
    this.#answer.onEnd();
  }

  onError(error: Error, sent: boolean): void {
    this.#decide(false);
    this.#answer.onError(error, sent);
  }

  #decide(areLines: boolean): void {
    if (this.#undecided === undefined) return;
    const { head, flow, begun } = this.#undecided;
    this.#undecided = undefined;
    this.#areLines = areLines;
    const headers = areLines ? { ...head.headers, 'content-type': 'text/event-stream' } : head.headers;
    this.#answer.onStart(areLines ? { ...head, headers } : head, flow);
    this.#give(inOne(begun));
  }

  #give(chunk: Buffer): void {
    const given = this.#areLines ? this.#events(chunk) : chunk;
    if (given.length > 0) this.#answer.onData(given);
  }

  #events(chunk: Buffer): Buffer {
    const parts: Buffer[] = [];
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, from);
      const line = withoutReturns(chunk.subarray(from, newline < 0 ? chunk.length : newline));
      if (line.length > 0) parts.push(...(this.#isWithinLine ? [line] : [DATA, line]));
      this.#isWithinLine ||= line.length > 0;
      if (newline >= 0 && this.#isWithinLine) {
        parts.push(END);
        this.#isWithinLine = false;
      }
      from = newline < 0 ? chunk.length : newline + 1;
    }
    return Buffer.concat(parts);
  }
}

/** A body whose length is known ends, and is read then. */
function mayBeLines(head: HttpHead): boolean {
  const { status, headers } = head;
  if (status < 200 || status >= 300 || headers['content-length'] !== undefined) return false;
  return JSON_TYPE.test(String(headers['content-type'])) && !isPacked(head);
}

/** Does a body begin with a line that is a message, and no answer? `undefined` as long as nobody can say. */
function beginsWithLine(begun: Buffer): boolean | undefined {
  const start = firstLetterIn(begun);
  const end = begun.indexOf(NEWLINE, start);
  if (end < 0) return begun.length > FIRST_LINE_BYTES ? false : undefined;
  if (end - start > FIRST_LINE_BYTES) return false;
  const { kind } = peek(begun.subarray(start, end));
  return kind === 'notification' || kind === 'request';
}

/** Most bodies come in one piece. */
function inOne(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

/** Where it is; behind the end, where there is none. */
function firstLetterIn(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === NEWLINE || bytes[start] === RETURN || bytes[start] === SPACE) start++;
  return start;
}

/** A return would end a line of an event; in JSON it stands between tokens only. */
function withoutReturns(line: Buffer): Buffer {
  return line.includes(RETURN) ? Buffer.from(line.toString('latin1').replaceAll('\r', ''), 'latin1') : line;
}
