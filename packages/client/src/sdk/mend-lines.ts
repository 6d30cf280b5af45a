/**
 * Standard output of a server: answers in not quite the right form, which the SDKs' transports would drop without a
 * word, so that the call waits for its deadline. Where a transport has no such buffer, nothing changes.
 */
import { mendMessage, unusable } from '../http/answer.ts';
import { errorReply, isObject, type RequestId } from '../http/reply.ts';

/** The SDKs' buffer of what has come in. */
interface ReadBuffer {
  append(chunk: Uint8Array): void;
}

const NEWLINE = 10;

/** The SDKs hold no longer line either; they say so themselves. */
const MAX_HELD = 10_485_760;

/** Mends the lines that answer one of the open requests, before the transport reads them. */
export function mendLines(transport: object, open: ReadonlySet<RequestId>): void {
  const buffer = (transport as { readonly _readBuffer?: Partial<ReadBuffer> })._readBuffer;
  if (typeof buffer?.append !== 'function') return;
  const append = buffer.append.bind(buffer);
  let held: Uint8Array[] = [];
  let size = 0;
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
    append(end === 0 ? whole : mendedLines(whole, open));
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function mendedLines(bytes: Uint8Array, open: ReadonlySet<RequestId>): Uint8Array {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const lines = text.split('\n');
  const mended = lines.map((line) => mendedLine(line, open));
  return lines.every((line, at) => line === mended[at]) ? bytes : Buffer.from(mended.join('\n'));
}

function mendedLine(line: string, open: ReadonlySet<RequestId>): string {
  if (!/"(?:result|error)"/.test(line)) return line;
  const json = line.replace(/^\uFEFF/, '');
  let message: unknown;
  try {
    message = JSON.parse(json);
  } catch {
    return line; // a line of a log, which the transport passes over
  }
  if (!isObject(message) || 'method' in message) return line;
  const id = message['id'] as RequestId | null | undefined;
  if (id !== null && id !== undefined) return open.has(id) ? JSON.stringify(mendMessage(json, id)) : line;
  const [only] = open;
  // With more than one open request nobody can say whose it is.
  if (message['error'] == null || only === undefined || open.size > 1) return line;
  return JSON.stringify(errorReply(only, orphaned(message['error'])));
}

function orphaned(error: unknown): ReturnType<typeof unusable> {
  const said = isObject(error) ? error['message'] : error;
  const words = typeof said === 'string' ? `: ${said}` : '';
  return unusable(`The server answered without saying to which request${words}`);
}
