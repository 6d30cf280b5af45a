/**
 * Which parts of a text are read again once something of it was replaced. No rule looks further than some thousand
 * characters, so far from all that has changed it would find what it found before: nothing that is still there.
 */

/** From where to where. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Shorter texts are read as a whole. */
export const SHORTEST_IN_PARTS: number = 1 << 16;
/** So much is read again on either side of a change: as far as any rule looks. */
const REACH = 1 << 13;
/** Words that are not cut in two; where a longer one stands, the whole text is read. */
const LONGEST_WORD = 1 << 10;

/** The parts of a text that are near to its changes, which come in order; `undefined` where it is better read as a whole. */
export function partsNear(text: string, changes: readonly Part[]): readonly Part[] | undefined {
  const near: Part[] = [];
  let size = 0;
  for (const change of changes) {
    const last = near.at(-1);
    const isApart = last === undefined || change.start - REACH > last.end + 2 * LONGEST_WORD;
    const start = isApart ? Math.max(0, change.start - REACH) : last.start;
    const end = Math.min(text.length, change.end + REACH);
    size += end - (isApart ? start : last.end);
    if (size > text.length / 2) {
      return undefined;
    }
    near.splice(isApart ? near.length : -1, 1, { start, end });
  }
  const parts = near.map(({ start, end }) => ({
    start: blankBefore(text, start),
    end: blankBehind(text, end),
  }));
  return parts.every(({ start, end }) => start >= 0 && end >= 0) ? parts : undefined;
}

/** Where the word starts that an offset is in; -1 if that is far. */
function blankBefore(text: string, from: number): number {
  let at = from;
  while (at > 0 && !isBlank(text.charCodeAt(at - 1))) {
    at--;
    if (from - at > LONGEST_WORD) return -1;
  }
  return at;
}

/** Where the word ends that an offset is in; -1 if that is far. */
function blankBehind(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBlank(text.charCodeAt(at))) {
    at++;
    if (at - from > LONGEST_WORD) return -1;
  }
  return at;
}

const isBlank = (code: number): boolean => code === 32 || code === 10;
