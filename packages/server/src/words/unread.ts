/**
 * Bodies that nobody has read yet: ky and wrappers of `fetch` throw with the live `Response`, and what the backend said
 * is still in it. It is read before the exception is judged, from a copy, and only as long as a caller would wait.
 */
import type { Clock } from '../clock.ts';
import { isRecord, look } from './look.ts';

const LONGEST_MS = 1000;
const MOST_BYTES = 64 * 1024;

const bodies: WeakMap<object, string> = new WeakMap();

/** What was read of the response behind an exception. */
export function bodyRead(reason: unknown): string | undefined {
  const response = look(reason, 'response');
  return isRecord(response) ? bodies.get(response) : undefined;
}

/** Reads the body behind an exception; `undefined` when there is none to read. Never rejects. */
export function readUnread(reason: unknown, clock: Clock): Promise<void> | undefined {
  const response = look(reason, 'response');
  // Node loads a whole HTTP client for its `Response`, which few failures have to do with.
  if (!isRecord(response)) return undefined;
  try {
    return response instanceof Response && isReadable(response) ? read(response, clock) : undefined;
  } catch {
    return undefined; // what only looks like a response has no body either
  }
}

function isReadable({ status, headers, body, bodyUsed }: Response): boolean {
  if (bodyUsed || body === null || status < 400 || status > 499) return false;
  return /json|xml|text\/plain/i.test(headers.get('content-type') ?? '');
}

async function read(response: Response, clock: Clock): Promise<void> {
  let timer: unknown;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const given = new Promise<undefined>((resolve) => {
    timer = clock.setTimeout(() => resolve(undefined), LONGEST_MS);
  });
  try {
    reader = response.clone().body?.getReader();
    const text = reader === undefined ? undefined : await Promise.race([textOf(reader), given]);
    if (text !== undefined) bodies.set(response, text);
  } catch {
    // A body that broke off says nothing; the exception is judged without it.
  } finally {
    clock.clearTimeout(timer);
    reader?.cancel().catch(() => {}); // its failure is the same one
  }
}

/** The whole text, or nothing of one that is too long. */
async function textOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > MOST_BYTES) return undefined;
    text += decoder.decode(value, { stream: true });
  }
}
