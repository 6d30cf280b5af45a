/**
 * How much of one message is read. Each text is looked at for what it says and for what it must not tell, which takes time
 * however short it is; and while one message is read, everybody else waits.
 */
import { redact } from '@mayday/core/redact';
import { type Clean, withCleanEnd } from './clean-end.ts';
import { isMembers } from './json.ts';

/** More texts stand in no message that somebody reads. */
const MOST_TEXTS = 10_000;
/** Nor do more letters. */
const MOST_LETTERS = 512 * 1024;
/** A longer text is cut elsewhere, and costs no more here. */
const LONGEST = 256 * 1024;
/** What is no text is looked at sooner, and so is the name of a member. */
const OTHER = 0.1;
const NAME = 0.15;
/** A text and what parts it from the next have so many bytes at least. */
const SHORTEST = 3;

/** They say what a thing is: however much it holds, they stay. */
const FIRST: readonly string[] = [
  ...['jsonrpc', 'id', 'method', 'type', 'isError', 'resultType', 'code', 'message'],
  ...['error', 'result', 'params', 'content'],
];

/** What is left of a message as it is read. */
interface Left {
  texts: number;
  letters: number;
  isShortened: boolean;
  readonly shorten: (text: string) => string;
  readonly clean: Clean;
}

/** How a message loses what is too much of it. */
export interface FewTextsOptions {
  /** Cuts a text that is very long; it stays whole if that is absent. */
  readonly shorten?: ((text: string) => string) | undefined;
  /** Takes out what must not be told by half where a list is cut; what everybody's secrets are, if absent. */
  readonly clean?: Clean | undefined;
}

/**
 * A message of so many bytes with its first texts alone, and a word for what is left out; the same one where there are no
 * more of them. What says what a thing is goes before what it holds: a failing result stays one.
 */
export function withFewTexts<T>(
  message: T,
  bytes: number,
  { shorten = (text) => text, clean = (value) => redact(value).value }: FewTextsOptions = {},
): T {
  if (bytes < MOST_TEXTS * SHORTEST) return message;
  const left: Left = { texts: MOST_TEXTS, letters: MOST_LETTERS, isShortened: false, shorten, clean };
  const few = cut(message, left);
  return isOver(left) || left.isShortened ? (few as T) : message;
}

function isOver({ texts, letters }: Left): boolean {
  return texts < 0 || letters < 0;
}

function cut(value: unknown, left: Left): unknown {
  if (typeof value === 'string') return cutText(value, left);
  left.texts -= OTHER;
  if (Array.isArray(value)) return cutList(value, left);
  return isMembers(value) ? cutMembers(value, left) : value;
}

function cutText(text: string, left: Left): string {
  left.texts -= 1;
  left.letters -= Math.min(text.length, LONGEST);
  if (isOver(left)) return '…';
  if (text.length <= LONGEST) return text;
  const short = left.shorten(text);
  left.isShortened ||= short !== text;
  return short;
}

const isSmall = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Small members first: they tell more with less. */
function cutMembers(value: { readonly [name: string]: unknown }, left: Left): unknown {
  const few = new Map<string, unknown>();
  const put = (name: string): void => {
    left.texts -= NAME;
    few.set(name, cut(value[name], left));
  };
  const first = FIRST.filter((name) => Object.hasOwn(value, name));
  for (const name of first) if (isSmall(value[name])) put(name);
  for (const name of first) if (!isSmall(value[name])) put(name);
  const others = Object.keys(value).filter((name) => !first.includes(name));
  for (const isNext of [isSmall, (member: unknown) => !isSmall(member)])
    for (const name of others) if (!isOver(left) && isNext(value[name])) put(name);
  const rest = first.length + others.length - few.size;
  if (rest > 0) few.set('…', tooMany(rest));
  return Object.fromEntries(few);
}

function cutList(items: readonly unknown[], left: Left): readonly unknown[] {
  const kept: unknown[] = [];
  for (const item of items) {
    const few = cut(item, left);
    if (isOver(left)) {
      return [...withCleanEnd(kept, items, left.clean), leftOut(item, items.length - kept.length)];
    }
    kept.push(few);
  }
  return kept;
}

function tooMany(count: number): string {
  return `(${count} more, which are too many to read)`;
}

/** In a list of blocks, a block. */
function leftOut(item: unknown, count: number): unknown {
  const text = `… ${tooMany(count)}`;
  return isMembers(item) && typeof item['type'] === 'string' ? { type: 'text', text } : text;
}
