/**
 * The end of a list that is cut. A secret may go over the cut, in one text or over many, and nobody knows half of one: what
 * stands around the cut is read as a whole, and only then cut.
 */
import { isMembers, type Members } from './json.ts';

/** Takes out what must not be told; lists stay as long as they are. */
export type Clean = <T>(value: T) => T;

/** The longest secret that is found across a cut. */
const LONGEST_SECRET = 1024;
/** Before a cut, what tells that one begins is read too. */
const BEFORE = 2 * LONGEST_SECRET;

/** What one item says, and where it is. */
interface Said {
  readonly at: number;
  /** What stands before it in its item, which is not read again. */
  readonly head: string;
  /** A string, or a block of text. */
  readonly part: unknown;
}

/**
 * The items that are kept of a list, without the beginning of what is secret and ends in those that `follow` from `end` on;
 * the same ones where nothing secret goes over the cut.
 */
export function withCleanEnd(
  kept: readonly unknown[],
  items: readonly unknown[],
  clean: Clean,
): readonly unknown[] {
  const before = saidBefore(kept);
  const after = saidAfter(items, kept.length);
  if (before.length === 0 || after.length === 0) return kept;
  const parts = before.map(({ part }) => part);
  const whole = clean([...parts, ...after]);
  const alone = clean(parts);
  const changed = parts.findIndex((_, at) => textOf(whole[at]) !== textOf(alone[at]));
  if (changed < 0) return kept;
  const ended = [...kept];
  for (let at = beginOf(changed, parts, whole); at < before.length; at += 1) {
    const { at: place, head } = before[at] as Said;
    ended[place] = withText(kept[place], head + textOf(whole[at]));
  }
  return ended;
}

/** Each part of a secret was taken out: those before the first that differs belong to it, as far as they say anything. */
function beginOf(changed: number, parts: readonly unknown[], whole: readonly unknown[]): number {
  const belongs = (at: number): boolean =>
    textOf(parts[at]) === '' || textOf(whole[at]) !== textOf(parts[at]);
  let at = changed;
  while (at > 0 && belongs(at - 1)) at -= 1;
  return at;
}

/** The last texts, as far back as a secret goes. */
function saidBefore(kept: readonly unknown[]): readonly Said[] {
  const said: Said[] = [];
  let left = BEFORE;
  for (let at = kept.length - 1; at >= 0 && left > 0; at -= 1) {
    const item = kept[at];
    const text = textOf(item);
    left -= Math.max(1, text?.length ?? 0);
    if (text === undefined) continue;
    const from = left < 0 ? startOfWord(text, -left) : 0;
    said.push({ at, head: text.slice(0, from), part: partOf(item, text.slice(from)) });
  }
  return said.reverse();
}

/** The texts that come next, as far as a secret goes. */
function saidAfter(items: readonly unknown[], end: number): readonly unknown[] {
  const parts: unknown[] = [];
  let left = LONGEST_SECRET;
  for (let at = end; at < items.length && left > 0; at += 1) {
    const text = textOf(items[at]);
    if (text !== undefined) parts.push(partOf(items[at], text.slice(0, left)));
    left -= Math.max(1, text?.length ?? 0);
  }
  return parts;
}

/** A little before this, where a word begins: half a word may look like something else. */
function startOfWord(text: string, at: number): number {
  const from = Math.max(0, at - LONGEST_SECRET);
  const words = text.slice(from, at);
  for (let end = words.length; end > 0; end -= 1) if (/\s/.test(words.charAt(end - 1))) return from + end;
  return at;
}

/** Blocks of text are read as one text; whatever else has one is read like them. */
function partOf(item: unknown, text: string): unknown {
  return isMembers(item) ? { type: 'text', text } : text;
}

/** What an item says: a text, a block of text, or a resource with one. */
function textOf(item: unknown): string | undefined {
  const text = isMembers(item) ? holderOf(item)['text'] : item;
  return typeof text === 'string' ? text : undefined;
}

function holderOf(item: Members): Members {
  const { resource } = item;
  return item['type'] === 'resource' && isMembers(resource) ? resource : item;
}

function withText(item: unknown, text: string): unknown {
  if (!isMembers(item)) return text;
  const holder = holderOf(item);
  return holder === item ? { ...item, text } : { ...item, resource: { ...holder, text } };
}
