/** What a backend answered, to the letter, where an HTTP client threw because of it. */
import { look as lookAtWire } from '@mayday/core/dialects';
import { foreign } from '@mayday/core/prose';
import { isRecord, look, lookOwn } from '../words/look.ts';
import { bodyRead } from '../words/unread.ts';

/** Does an exception tell of an HTTP answer that was no success? */
export function isOfBackend(reason: unknown): boolean {
  return isRecord(reason) && lookAtWire({ thrown: reason }, foreign.thrown).http?.status !== undefined;
}

const MOST_CAUSES = 4;
const LONGEST = 1024 * 1024;

/** The body behind such an exception, as text; `undefined` where the client kept none. */
export function backendBody(reason: unknown): string | undefined {
  let holder = reason;
  for (let depth = 0; depth <= MOST_CAUSES && isRecord(holder); depth += 1) {
    const body = bodyOf(holder);
    if (body !== undefined) return body.length <= LONGEST ? body : undefined;
    holder = look(holder, 'cause');
  }
  return undefined;
}

/** Where clients keep a body: as the text that came, or as data. */
function bodyOf(reason: unknown): string | undefined {
  const read = bodyRead(reason);
  if (read !== undefined) return read;
  const response = look(reason, 'response');
  for (const [holder, name] of [
    [response, 'data'],
    [response, 'body'],
    [reason, 'body'],
    [reason, 'data'],
  ] as const) {
    const body = lookOwn(holder, name);
    if (typeof body === 'string') return body;
    if (isPlain(body)) return written(body);
  }
  return undefined;
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function written(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined; // cyclic: it never came over a wire
  }
}
