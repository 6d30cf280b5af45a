/** Messages with a long list in them, opened a part at a time: nobody waits for the whole of one. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isMembers } from './json.ts';
import { decodeExact } from './numbers.ts';
import { COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipKnown, skipSpace } from './scan.ts';

/** Shorter messages are opened at once, and longer lists in parts of this many bytes. */
const PART = 256 * 1024;
const CLOSE_ARRAY = 0x5d;

/**
 * What `decodeExact` gives, later: between two parts of the list that stands under `key` in the result, others have their
 * turn.
 */
export async function decodeInTurns(bytes: Buffer, key: string): Promise<unknown> {
  if (bytes.length <= PART) return decodeExact(bytes);
  const array = valueAt(bytes, valueAt(bytes, skipSpace(bytes, 0), 'result'), key);
  if (bytes[array] !== OPEN_ARRAY) return decodeExact(bytes);
  const items: unknown[] = [];
  let part = array + 1;
  let at = array;
  do {
    at = skipSpace(bytes, skipKnown(bytes, skipSpace(bytes, at + 1)));
    if (at <= part || (bytes[at] !== COMMA && bytes[at] !== CLOSE_ARRAY)) return decodeExact(bytes);
    if (at - part < PART && bytes[at] === COMMA) continue;
    const some = decodeExact(Buffer.concat([OPEN, bytes.subarray(part, at), CLOSE]));
    if (!Array.isArray(some)) return decodeExact(bytes);
    for (const item of some) items.push(item);
    part = at + 1;
    await setImmediate();
  } while (bytes[at] === COMMA);
  return around(bytes, array, at + 1, key, items) ?? decodeExact(bytes);
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** The message with these items where the list stood; `undefined` where another member of the same name counts. */
function around(bytes: Buffer, start: number, end: number, key: string, items: readonly unknown[]): unknown {
  const mark = randomUUID();
  const message = decodeExact(
    Buffer.concat([bytes.subarray(0, start), Buffer.from(`"${mark}"`), bytes.subarray(end)]),
  );
  const result = isMembers(message) ? message['result'] : undefined;
  if (!isMembers(message) || !isMembers(result) || result[key] !== mark) return undefined;
  return { ...message, result: { ...result, [key]: items } };
}

/** Where the value of the first member of this name begins, without a look at what comes after; -1 where there is none. */
function valueAt(bytes: Buffer, object: number, key: string): number {
  if (bytes[object] !== OPEN_OBJECT) return -1;
  const name = Buffer.from(JSON.stringify(key));
  let at = object;
  do {
    const start = skipSpace(bytes, at + 1);
    const end = bytes[start] === QUOTE ? skipKnown(bytes, start) : -1;
    const colon = end < 0 ? -1 : skipSpace(bytes, end);
    if (bytes[colon] !== COLON) return -1;
    const value = skipSpace(bytes, colon + 1);
    if (bytes.subarray(start, end).equals(name)) return value;
    const after = skipKnown(bytes, value);
    at = after < 0 ? -1 : skipSpace(bytes, after);
  } while (bytes[at] === COMMA);
  return -1;
}
