/** One HTTP/1.1 answer out of the bytes of its connection, however they are cut. */

import { isEventStream } from '../../protocol/headers.ts';
import type { Beside } from '../link.ts';
import { andBeside } from '../whole-head.ts';
import { type BodyReader, createBodyReader } from './body.ts';
import { MAX_HEAD_BYTES, type ResponseHead, readHead, readHeaders } from './head.ts';
import { HeadCollector } from './head-collector.ts';
import { NotHttpError } from './not-http.ts';

/** Who is told. */
export interface ResponseEvents {
  onHead(head: ResponseHead): void;
  onData(chunk: Buffer): void;
  /** The answer is whole. `isClean`: nothing came after it. */
  onComplete(head: ResponseHead, isClean: boolean): void;
}

/** As many of the shortest events as this are taken in a few milliseconds. */
const PIECE_OF_EVENTS = 16 * 1024;

/** Heads that only announce the answer; more are refused. */
const MAX_INFORMATIONAL = 16;

/** Reads one answer to a request with this method. */
export class ResponseReader {
  readonly #method: string;
  readonly #events: ResponseEvents;
  readonly #collector: HeadCollector = new HeadCollector(MAX_HEAD_BYTES);
  #announcements = 0;
  #announced: Beside | undefined;
  #head: ResponseHead | undefined;
  #body: BodyReader | undefined;
  #isStream = false;
  #isOver = false;

  constructor(method: string, events: ResponseEvents) {
    this.#method = method;
    this.#events = events;
  }

  /**
   * Takes bytes from a position on, and says up to where: events are many in few bytes, and taken some at a time. Throws
   * `NotHttpError`, also for bytes after the answer.
   */
  push(chunk: Buffer, from = 0): number {
    if (this.#isOver) throw new NotHttpError('something came after the answer');
    let at = from;
    while (this.#head === undefined) {
      at = this.#collector.push(chunk, at);
      if (at < 0) return chunk.length;
      this.#head = this.#final(readHead(this.#collector.take(), this.#method));
      if (this.#head === undefined && at === chunk.length) return at;
    }
    this.#body ??= this.#begin(this.#head);
    const to = this.#isStream ? afterLine(chunk, at + PIECE_OF_EVENTS) : chunk.length;
    const end = this.#body.push(to === chunk.length ? chunk : chunk.subarray(0, to), at);
    if (end < 0) return to;
    this.#complete(this.#head, end === chunk.length);
    return chunk.length;
  }

  /** The connection has ended. True: and so has the answer, as it should. */
  end(): boolean {
    if (this.#isOver || this.#head?.body !== 'close') return false;
    this.#complete(this.#head, false);
    return true;
  }

  #final(head: ResponseHead): ResponseHead | undefined {
    if (head.status >= 200) {
      head.beside = this.#announced;
      return head;
    }
    if (head.status === 101) throw new NotHttpError('the server wants to speak something else');
    if (++this.#announcements > MAX_INFORMATIONAL) throw new NotHttpError('the answer never begins');
    this.#announced = andBeside(this.#announced, announcedBy(head));
    return undefined;
  }

  #begin(head: ResponseHead): BodyReader {
    this.#isStream = isEventStream(head.headers);
    this.#events.onHead(head);
    return createBodyReader(head.body, (chunk) => this.#events.onData(chunk));
  }

  #complete(head: ResponseHead, isClean: boolean): void {
    this.#isOver = true;
    const { trailers = '', hasExtensions = false } = this.#body ?? {};
    if (hasExtensions)
      head.beside = andBeside(head.beside, { words: ', with words in a chunk', headers: {} });
    // One that ends with its connection has nothing behind it.
    if (!isClean && head.body !== 'close')
      head.beside = andBeside(head.beside, { words: ', before something else', headers: {} });
    if (trailers !== '') head.beside = andBeside(head.beside, trailersIn(trailers, head.status < 300));
    this.#events.onComplete(head, isClean);
  }
}

/** Where the line ends in which a position is: a long one is not many. */
function afterLine(chunk: Buffer, at: number): number {
  const end = at < chunk.length ? chunk.indexOf(LF, at - 1) : -1;
  return end < 0 ? chunk.length : end + 1;
}

const LF = 0x0a;

/** What was said behind the answer. A good one stands, whatever its trailers are. */
function trailersIn(text: string, isGood: boolean): Beside {
  try {
    return { words: '', headers: readHeaders(text.trimEnd().split('\r\n')) };
  } catch (error) {
    if (!isGood) throw error;
    return { words: ', before a trailer that is none', headers: {} };
  }
}

/** What was said before the answer: a server that had something to say may have begun. */
function announcedBy({ status, statusText, headers }: ResponseHead): Beside {
  const phrase = ALL_THEY_SAY.get(status);
  const isSilent = phrase !== undefined && (!WORD.test(statusText) || statusText.toLowerCase() === phrase);
  return { words: isSilent ? '' : `, after ${status} ${statusText}`, headers };
}

/** What may be said before any answer, whoever has begun. */
const ALL_THEY_SAY: ReadonlyMap<number, string> = new Map([
  [100, 'continue'],
  [103, 'early hints'],
]);

/** A letter alone is none. */
const WORD = /[a-z\d]{2}|[\x80-\xff]/i;
