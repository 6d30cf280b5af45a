/**
 * Patterns come from a document and texts from callers: together they must not stop the gateway. What a pattern can take at most is
 * counted before it is tried, from the choices that it leaves open: each multiplies with those behind it. What would be too much is
 * not tried: the API does that itself, and its time is its own.
 */

/** Tests texts, as far as that is cheap; all others fit. */
export interface BoundedPattern {
  test(text: string): boolean;
  toString(): string;
}

/** A longer text is not held against a pattern. */
const MAX_MATCHED = 256;

/** So many steps one text may take, and all of those that are checked together. */
const MAX_STEPS = 2 ** 17;
const MAX_STEPS_TOGETHER = 2 ** 22;

/** A larger program takes too long to be made. */
const MAX_SIZE = 2 ** 12;

let left = MAX_STEPS_TOGETHER;

/** From here on texts are checked together with others than before. */
export function startAnew(): void {
  left = MAX_STEPS_TOGETHER;
}

/** A pattern that takes no longer than it may. Throws where it is none. */
export function boundedPattern(source: string, flags: string): BoundedPattern {
  const pattern = new RegExp(source, flags);
  let cost: Cost | undefined;
  return {
    test(text) {
      cost ??= costOf(source);
      if (text.length > MAX_MATCHED || cost.size > MAX_SIZE) return true;
      const steps = cost.ways * Math.max(1, text.length) ** cost.degree;
      if (steps > Math.min(MAX_STEPS, left)) return true;
      left -= steps;
      return pattern.test(text);
    },
    toString: () => String(pattern), // by which the validator tells patterns apart
  };
}

/** What trying takes at most: `ways` times the length of the text to the power of `degree`. */
interface Cost {
  readonly ways: number;
  readonly degree: number;
  /** How much there is to compile, everything repeated that is. */
  readonly size: number;
}

const NOTHING: Cost = { ways: 1, degree: 0, size: 0 };
const ONE: Cost = { ways: 1, degree: 0, size: 1 };

/** One behind the other. */
function both(one: Cost, other: Cost): Cost {
  return { ways: one.ways * other.ways, degree: one.degree + other.degree, size: one.size + other.size };
}

/** One in place of the other. */
function either(one: Cost, other: Cost): Cost {
  return {
    ways: one.ways + other.ways,
    degree: Math.max(one.degree, other.degree),
    size: one.size + other.size,
  };
}

/** More repetitions than this count as any number of them. */
const MANY = 16;

function repeated({ ways, degree, size }: Cost, least: number, most: number): Cost {
  const copies = Number.isFinite(most) ? most : Math.max(1, least);
  const hasChoice = ways > 1 || degree > 0;
  // What is chosen again and again has no end: each time multiplies.
  const inside = hasChoice && !Number.isFinite(most) ? Infinity : ways ** copies;
  const counts = most - least + 1;
  return {
    ways: counts > MANY ? inside : inside * counts,
    degree: degree * copies + (counts > MANY ? 1 : 0),
    size: size * copies,
  };
}

interface Group {
  /** The alternatives before this one, if there are some. */
  before: Cost | undefined;
  /** The alternative that is read, without its last part. */
  sofar: Cost;
  /** What a quantifier would be for. */
  last: Cost;
}

const QUANTIFIER = /[*+?]|\{(\d+)(,?)(\d*)\}/y;

/** What it takes at most to try a pattern. */
function costOf(source: string): Cost {
  const open: Group[] = [];
  let group: Group = { before: undefined, sofar: NOTHING, last: NOTHING };
  let isChosen = false;
  const take = (cost: Cost): void => {
    group.sofar = both(group.sofar, group.last);
    group.last = cost;
  };
  const whole = ({ before, sofar, last }: Group): Cost => {
    const own = both(sofar, last);
    return before === undefined ? own : either(before, own);
  };
  for (let at = 0; at < source.length; ) {
    const char = source[at];
    if (char === '(') {
      open.push(group);
      group = { before: undefined, sofar: NOTHING, last: NOTHING };
      at += opening(source, at);
    } else if (char === ')') {
      const inside = whole(group);
      group = open.pop() ?? group;
      take(inside);
      at += 1;
    } else if (char === '|') {
      isChosen ||= open.length === 0;
      group = { before: whole(group), sofar: NOTHING, last: NOTHING };
      at += 1;
    } else {
      QUANTIFIER.lastIndex = at;
      const found = QUANTIFIER.exec(source);
      if (found === null) {
        take(ONE);
        at += atom(source, at);
      } else {
        group.last = repeated(group.last, ...boundsOf(found));
        at += found[0].length;
        if (source[at] === '?') at += 1; // it prefers fewer, and can take as many
      }
    }
  }
  const cost = whole(group);
  return source.startsWith('^') && !isChosen ? cost : { ...cost, degree: cost.degree + 1 };
}

function boundsOf([all, least = '', comma = '', most = '']: RegExpExecArray): [least: number, most: number] {
  if (all === '?') return [0, 1];
  if (all === '*' || all === '+') return [all === '+' ? 1 : 0, Infinity];
  const from = Number(least);
  return [from, comma === '' ? from : most === '' ? Infinity : Number(most)];
}

/** `(`, `(?:`, `(?=`, `(?<name>` … */
const OPENING = /\((?:\?(?:<?[=!]|<[^>]*>|[\w-]*:)?)?/y;

function opening(source: string, at: number): number {
  OPENING.lastIndex = at;
  return OPENING.exec(source)?.[0].length ?? 1;
}

/** A character, an escape or a class. */
const ATOM = /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)|\[(?:[^\]\\]|\\.)*\]|./sy;

function atom(source: string, at: number): number {
  ATOM.lastIndex = at;
  return ATOM.exec(source)?.[0].length ?? 1;
}
