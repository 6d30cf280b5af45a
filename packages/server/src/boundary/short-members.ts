/**
 * What stands beside the content of a failing answer, with an end to it: to each text, as those of the content have one,
 * and to how much there is of everything. What was left out is counted in its place.
 */

type Members = { readonly [key: string]: unknown };

/** How many of the longest texts one member of the answer may hold. */
const MOST_TEXTS = 10;
/** What a number, a truth or an empty list takes, with the signs around it. */
const LEAST = 8;
/** Deeper than anybody looks. */
const DEEPEST = 100;

/** How long a text may be, and how it is cut. */
interface Limits {
  readonly maxTextLength: number;
  readonly cut: (text: string) => string;
}

/** A value of plain data with as much in it as anybody reads; the same where it has no more. */
export function shortValue(value: unknown, { maxTextLength, cut }: Limits): unknown {
  let room = MOST_TEXTS * maxTextLength;
  const short = (part: unknown, depth: number): unknown => {
    if (typeof part === 'string') {
      room -= Math.min(part.length, maxTextLength) + LEAST;
      return part.length > maxTextLength ? cut(part) : part;
    }
    room -= LEAST;
    if (typeof part !== 'object' || part === null) return part;
    if (depth === 0) return '…';
    return Array.isArray(part) ? shortList(part, depth) : shortObject(part as Members, depth);
  };
  const shortList = (list: readonly unknown[], depth: number): readonly unknown[] => {
    const kept: unknown[] = [];
    for (const item of list) {
      if (room <= 0) return [...kept, `… ${more(list.length - kept.length)}`];
      kept.push(short(item, depth - 1));
    }
    return kept;
  };
  const shortObject = (members: Members, depth: number): Members => {
    const names = Object.keys(members);
    const kept: [string, unknown][] = [];
    for (const name of names) {
      room -= name.length;
      if (room <= 0) return Object.fromEntries([...kept, ['…', more(names.length - kept.length)]]);
      kept.push([name, short(members[name], depth - 1)]);
    }
    return Object.fromEntries(kept);
  };
  return short(value, DEEPEST);
}

function more(count: number): string {
  return `[${count.toLocaleString('en-US')} more entries]`;
}
