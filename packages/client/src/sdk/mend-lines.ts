/**
 * Standard output of a server: answers in not quite the right form, which the SDKs' transports would drop without a
 * word, so that the call waits for its deadline. Where a transport has no such buffer, nothing changes.
 */
import { isAboutNotification, mendMessage } from '../http/answer.ts';
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
  /** Messages in a list, which the transport drops. */
  batch(messages: readonly unknown[]): void;
  /** A message that cannot be read. */
  broken(): void;
  /** The beginning of an answer to the request of this id, whose end has not come. */
  begun(id: RequestId): void;
}

/**
 * Mends the lines that answer one of the open requests, before the transport reads them. An error that names no request
 * ends none.
 */
export function mendLines(transport: object, open: ReadonlySet<RequestId>, listener: Listener): void {
  const buffer = (transport as { readonly _readBuffer?: Partial<ReadBuffer> })._readBuffer;
  if (typeof buffer?.append !== 'function') return;
  const append = buffer.append.bind(buffer);
  let held: Uint8Array[] = [];
  let size = 0;
  /** Is it known whose answer has begun, or that it does not say so? */
  let isNamed = false;
  const nameBegun = (): void => {
    if (isNamed || size === 0) return;
    const id = idAtBeginning(held);
    isNamed = id !== undefined || size >= BEGINNING;
    if (id !== undefined) listener.begun(id);
  };
  buffer.append = (chunk) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0 && size + chunk.length <= MAX_HELD) {
      held.push(chunk);
      size += chunk.length;
      nameBegun();
      return;
    }
    const whole = joined([...held, chunk.subarray(0, end === 0 ? chunk.length : end)]);
    const rest = end === 0 ? [] : [chunk.subarray(end)];
    held = rest;
    size = rest[0]?.length ?? 0;
    isNamed = false;
    nameBegun();
    append(end === 0 ? whole : mendedLines(whole, open, listener));
  };
}

/** So many bytes of a line are looked at before its end has come. */
const BEGINNING = 256;

/** An id among the first members of a message, before anything that is nested. */
const ID = /^\uFEFF?\s*\{[^{}[\]]{0,200}?"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,100})")\s*[,}]/;

function idAtBeginning(parts: readonly Uint8Array[]): RequestId | undefined {
  const [, number, text] = ID.exec(joined(parts).subarray(0, BEGINNING).toString()) ?? [];
  return number === undefined ? text : Number(number);
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

/** An answer, or a list of messages; nothing else is opened. */
const LOOKED_AT = /"(?:result|error)"|^\uFEFF?\s*\[/;

/** Does it call itself a message? A line of a log does not. */
const MESSAGE = /"jsonrpc"/;

function mendedLine(line: string, open: ReadonlySet<RequestId>, { hear, batch, broken }: Listener): string {
  if (!LOOKED_AT.test(line)) {
    if (MESSAGE.test(line) && !line.trimEnd().endsWith('}')) broken();
    return line;
  }
  const json = line.replace(/^\uFEFF/, '');
  let message: unknown;
  try {
    message = JSON.parse(json);
  } catch {
    if (MESSAGE.test(line)) broken();
    return line; // a line of a log, which the transport passes over
  }
  if (Array.isArray(message)) batch(message);
  if (!isObject(message) || 'method' in message) return line;
  const id = message['id'] as RequestId | null | undefined;
  if (id !== null && id !== undefined) return open.has(id) ? JSON.stringify(mendMessage(json, id)) : line;
  const error = message['error'];
  // With more than one open request nobody can say whose it is.
  if (error != null && open.size === 1 && !isAboutNotification(message)) hear(wordsOf(error));
  return line;
}

function wordsOf(error: unknown): string {
  const said = isObject(error) ? error['message'] : error;
  return typeof said === 'string' ? said : JSON.stringify(error);
}
