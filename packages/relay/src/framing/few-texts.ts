/**
 * How much of one message is read. Each text is looked at for what it says and for what it must not tell, which takes time
 * however short it is; and while one message is read, everybody else waits.
 */
import { isMembers } from './json.ts';

/** More texts stand in no message that somebody reads. */
const MOST_TEXTS = 10_000;
/** What is no text is looked at sooner. */
const OTHER = 0.1;
/** A text and what parts it from the next have so many bytes at least. */
const SHORTEST = 3;

/** What is left of a message as it is read. */
interface Left {
  texts: number;
}

/**
 * A message of so many bytes with its first texts alone, and a word for what is left out; the same one where there are no
 * more of them. What says what a thing is goes before what it holds: a failing result stays one.
 */
export function withFewTexts<T>(message: T, bytes: number): T {
  if (bytes < MOST_TEXTS * SHORTEST) return message;
  const left: Left = { texts: MOST_TEXTS };
  const few = cut(message, left);
  return left.texts < 0 ? (few as T) : message;
}

function cut(value: unknown, left: Left): unknown {
  left.texts -= typeof value === 'string' ? 1 : OTHER;
  if (Array.isArray(value)) return cutList(value, left);
  if (isMembers(value)) return cutMembers(value, left);
  return left.texts < 0 && typeof value === 'string' ? '…' : value;
}

const isSmall = (value: unknown): boolean => typeof value !== 'object' || value === null;

function cutMembers(value: { readonly [name: string]: unknown }, left: Left): unknown {
  const few = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) if (isSmall(member)) few.set(name, cut(member, left));
  for (const [name, member] of Object.entries(value))
    if (!isSmall(member) && left.texts >= 0) few.set(name, cut(member, left));
  return Object.fromEntries(few);
}

function cutList(items: readonly unknown[], left: Left): readonly unknown[] {
  const kept: unknown[] = [];
  for (const item of items) {
    const few = cut(item, left);
    if (left.texts < 0) return [...kept, leftOut(item, items.length - kept.length)];
    kept.push(few);
  }
  return kept;
}

/** In a list of blocks, a block. */
function leftOut(item: unknown, count: number): unknown {
  const text = `… (${count} more, which are too many to read)`;
  return isMembers(item) && typeof item['type'] === 'string' ? { type: 'text', text } : text;
}
