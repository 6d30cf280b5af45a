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
