/**
 * What the caller sent, as what an exception's words are held against. All of it is bounded: whoever sends megabytes is
 * not kept waiting, nor is anybody else; what is beyond proves nothing.
 */
import { isRecord } from './look.ts';

const MOST = 500;
const DEEPEST = 5;
/** So much is searched, short texts first: names and values are short, and what is long is somebody's document. */
const MOST_LETTERS = 100_000;

/** The texts and numbers in what was sent, without those under a name that is left out. */
export function textsIn(sent: unknown, isLeftOut?: (name: string) => boolean): readonly string[] {
  const found = gathered(sent, isLeftOut);
  if (found.reduce((sum, { length }) => sum + length, 0) <= MOST_LETTERS) return found;
  let left = MOST_LETTERS;
  return [...found]
    .sort((a, b) => a.length - b.length)
    .filter(({ length }) => {
      left -= length;
      return left >= 0;
    });
}

/** The texts and numbers that their own name makes such ones, or that of the list they are in. */
export function textsNamed(sent: unknown, isOne: (name: string, text: string) => boolean): readonly string[] {
  if (!isRecord(sent)) return NONE;
  const found: string[] = [];
  const gather = (value: unknown, holder: string, depth: number): void => {
    if (found.length >= MOST) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      if (text.length <= LONGEST_NAMED && isOne(holder, text)) found.push(text);
    } else if (depth > 0 && isRecord(value))
      for (const [name, item] of Object.entries(value).slice(0, MOST))
        gather(item, Array.isArray(value) ? holder : name, depth - 1);
  };
  gather(sent, '', DEEPEST);
  return found;
}

/** As much of what was sent as is looked at, without its long texts. */
export function beginning(sent: unknown): unknown {
  let left = MOST;
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return value.length <= LONGEST_NAMED ? value : '';
    if (!isRecord(value)) return typeof value === 'number' ? value : undefined;
    if (depth === 0) return undefined;
    const entries = Object.entries(value).slice(0, left);
    left -= entries.length;
    const copies = entries.map(([name, item]) => [name, copy(item, depth - 1)] as const);
    return Array.isArray(value) ? copies.map(([, item]) => item) : Object.fromEntries(copies);
  };
  return copy(sent, DEEPEST);
}

const NONE: readonly string[] = [];
const LONGEST_NAMED = 8192;

/** Was a text sent that is longer than this, however long? */
export function isLongerSent(sent: unknown, length: number): boolean {
  return gathered(sent).some((text) => text.length > length);
}

function gathered(sent: unknown, isLeftOut?: (name: string) => boolean): readonly string[] {
  const found: string[] = [];
  const gather = (value: unknown, depth: number): void => {
    if (found.length >= MOST) return;
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'number') found.push(String(value));
    else if (depth > 0 && isRecord(value))
      for (const [name, item] of Object.entries(value).slice(0, MOST))
        if (isLeftOut?.(name) !== true) gather(item, depth - 1);
  };
  gather(sent, DEEPEST);
  return found;
}
