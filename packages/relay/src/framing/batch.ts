/** Messages in a list, which nobody takes: what they tell counts as if each had come by itself. */
import { decode, encode } from './json.ts';
import { type Peek, peek } from './peek.ts';

/** A message, and what was seen of it. */
interface Seen {
  readonly bytes: Buffer;
  readonly seen: Peek;
}

/** More of them are not looked at. */
const MOST = 100;

/** The messages in these bytes: those of a list, or the one that they are. */
export function messagesIn(bytes: Buffer, seen: Peek): readonly Seen[] {
  if (seen.why !== 'batch') return [{ bytes, seen }];
  const list = decode(bytes);
  const items: readonly unknown[] = Array.isArray(list) ? list.slice(0, MOST) : [];
  return items.map(encode).map((item) => ({ bytes: item, seen: peek(item) }));
}
