/**
 * Standard output of a server: answers in not quite the right form, which the SDKs' transports would drop without a
 * word, so that the call waits for its deadline. Where a transport has no such buffer, nothing changes.
 */
import { inDoubt, isAboutNotification, mendMessage } from '../http/answer.ts';
import { isObject, type RequestId } from '../http/reply.ts';

/** The SDKs' buffer of what has come in. */
interface ReadBuffer {
  append(chunk: Uint8Array): void;
}

const NEWLINE = 10;

/** The SDKs hold no longer line either; they say so themselves. */
const MAX_HELD = 10_485_760;

/** What is told of lines that the transport does not pass on. */
interface Listener {
  /** Words that name no request, if they may be about the only one. */
  hear(words: string): void;
  /** Messages that the transport drops: in a list, or in a form that it does not know. */
  dropped(messages: readonly unknown[]): void;
  /** A message that cannot be read. */
  broken(): void;
}

/** What is known of the line whose end has not come. */
export interface LastLine {
  /** Has something begun that is not known to be the answer to another request? */
  readonly isUnfinished: boolean;
}

/**
 * Mends the lines that answer one of the open requests, before the transport reads them. An error that names no request
 * ends none.
 */
export function mendLines(transport: object, open: ReadonlySet<RequestId>, listener: Listener): LastLine {
  const buffer = (transport as { readonly _readBuffer?: Partial<ReadBuffer> })._readBuffer;
  if (typeof buffer?.append !== 'function') return { isUnfinished: false };
  const append = buffer.append.bind(buffer);
  let held: Uint8Array[] = [];
  let size = 0;
  /** Of so long a line nothing is held. */
  let isTooLong = false;
  buffer.append = (chunk) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0 && size + chunk.length <= MAX_HELD) {
      held.push(chunk);
      size += chunk.length;
      return;
    }
    const whole = joined([...held, chunk.subarray(0, end === 0 ? chunk.length : end)]);
    const rest = end === 0 ? [] : [chunk.subarray(end)];
    held = rest;
    size = rest[0]?.length ?? 0;
    isTooLong = end === 0;
    append(end === 0 ? whole : mendedLines(whole, open, listener));
  };
  return {
    get isUnfinished() {
      return isTooLong || speaks(held, size, open);
    },
  };
}

/** So many bytes of a line are looked at before its end has come. */
const BEGINNING = 256;

/** An id among the first members of a message, before anything that is nested. */
const ID = /^\uFEFF?\s*\{[^{}[\]]{0,200}?"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,100})")\s*[,}]/;

/** Whoever has begun a line has more to say: to others, where it says so, and else perhaps of what it has refused. */
function speaks(parts: readonly Uint8Array[], size: number, open: ReadonlySet<RequestId>): boolean {
  if (size === 0) return false;
  const beginning = joined(parts).subarray(0, BEGINNING).toString();
  if (size <= BEGINNING && /^[ \t\r]*$/.test(beginning)) return false;
  const [, number, text] = ID.exec(beginning) ?? [];
  const id = number === undefined ? text : Number(number);
  return id === undefined || !open.has(id);
}

function joined(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts);
}

function mendedLines(bytes: Uint8Array, open: ReadonlySet<RequestId>, listener: Listener): Uint8Array {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const lines = text.split('\n');
  const mended = lines.map((line) => mendedLine(line, open, listener));
  return lines.every((line, at) => line === mended[at]) ? bytes : Buffer.from(mended.join('\n'));
}

/** Lines that the transport may drop, or read as less than they are; no other is opened. */
const LOOKED_AT = /"(?:jsonrpc|result|error)"|^\uFEFF|^\s*\[|\0/;

/** Does it call itself a message, or hold what no text does? A line of a log does neither. */
const NO_LOG = /"jsonrpc"|\0/;

function mendedLine(line: string, open: ReadonlySet<RequestId>, listener: Listener): string {
  if (!LOOKED_AT.test(line)) return line;
  const json = line.replace(/^\uFEFF/, '');
  let message: unknown;
  try {
    message = JSON.parse(json);
  } catch {
    if (NO_LOG.test(line)) listener.broken();
    return line; // a line of a log, which the transport passes over
  }
  if (Array.isArray(message)) listener.dropped(message);
  if (!isObject(message)) return line;
  const { id, jsonrpc } = message;
  if ('method' in message) {
    if (json !== line || (jsonrpc !== undefined && jsonrpc !== '2.0')) listener.dropped([message]);
    return line;
  }
  if (typeof id !== 'number' && typeof id !== 'string') {
    nameless(message, open, listener);
    return line;
  }
  // Also what nobody waits for any more is heard, in whatever form it comes.
  const answer = mendMessage(json, id);
  return JSON.stringify(json === line ? answer : inDoubt(answer, id));
}

/** What names no request: with more than one that is open, nobody can say whose it is. */
function nameless(
  message: { readonly [key: string]: unknown },
  open: ReadonlySet<RequestId>,
  { hear, broken }: Listener,
): void {
  const { error, jsonrpc } = message;
  if (isAboutNotification(message)) return;
  if (error != null && open.size === 1) hear(wordsOf(error));
  else if (jsonrpc !== undefined) broken();
}

function wordsOf(error: unknown): string {
  const said = isObject(error) ? error['message'] : error;
  return typeof said === 'string' ? said : JSON.stringify(error);
}
