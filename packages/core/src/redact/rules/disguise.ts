import { looksRandom } from '../looks.ts';
import { type Detector, matchAt, type Page } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { markBroken } from './broken-formats.ts';
import { BREAK, breakAt, goesOn, isNameBefore, NEXT_NAME } from './line-breaks.ts';
import { build } from './patterns.ts';

/** Characters without width, and those that no terminal shows. */
const UNSEEN =
  '\\x00\\x08\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180b-\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\u3164\\ufe00-\\ufe0f\\ufeff';
/** Spaces and dashes of printers, which pages and spreadsheets put into numbers. */
const SPACES = '\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000';
const DASHES = '\\u2010-\\u2015\\u2212\\ufe58\\ufe63';

const A_SPACE = build(`^[${SPACES}]`, '');
const A_DASH = build(`^[${DASHES}]`, '');
const A_GAP = build('^(?:\\t|  )$', '');
const A_DIGIT = build('^[\\d\\uff10-\\uff19]', '');
const AN_UNSEEN = build(`^(?:[${UNSEEN}]|\\udb40)`, '');

/** Between two parts of a text that a program puts together: a sign, or nothing but quotes. */
const JOINT = String.raw`\\?["'] ?[+.&~|<>]{0,2}\s{0,8}\\?["'](?=[\w+/=-])`;

/**
 * What stands between the letters of a text, or for them: colours of a terminal, characters without width, escapes of
 * URLs, JSON, C and HTML, letters of double width, other spaces and dashes than those of a keyboard, and line breaks.
 */
const DISGUISED = `[${UNSEEN}${SPACES}${DASHES}]|[\\uff01-\\uff5e]{1,64}|\\udb40[\\udc00-\\udc7f]|${
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal start with one
  /\x1b\[[0-9;]{0,12}m|\\(?:u001b|x1b|033|e)\[[0-9;]{0,12}m|%[0-7][0-9a-f]|\\u00[2-7][0-9a-f]|\\x[2-7][0-9a-f]|&#(?:x[2-7][0-9a-f]|\d{2,3});|&(?:quot|lt|gt|amp|apos|equals|colon);|\\\n|=\r?\n(?=\w)/
    .source
}|${JOINT}`;
/** The same, and wide gaps in numbers. */
const DISGUISE = build(`${DISGUISED}|\\t|  `, 'gi');
/** Or line breaks. */
const WITH_BREAKS = build(`${DISGUISED}|${BREAK}`, 'gi');
const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&apos;': "'",
  '&equals;': '=',
  '&colon;': ':',
};

/** A text without its disguise, and where its parts stand in the original. */
export interface Revealed {
  readonly plain: string;
  /** Must be asked in order, from the first offset to the last. */
  placeStart(at: number): number;
  placeEnd(at: number): number;
}

/** Takes the disguise off a text; the line breaks inside words too, if it is said that there are any. */
export function reveal(text: string, hasBreaks: boolean): Revealed {
  const steps: Array<[plain: number, raw: number, letters: number]> = [];
  let lost = 0;
  const plain = text.replace(hasBreaks ? WITH_BREAKS : DISGUISE, (found: string, at: number) => {
    if (isWide(found)) return narrow(found);
    const letter = letterOf(text, found, at);
    if (letter !== found) {
      lost += found.length - letter.length;
      const raw = at + found.length;
      const last = steps.at(-1);
      // A row of characters without width is one step, however long it is.
      if (letter === '' && last?.[1] === at && last[2] === 0) last[1] = raw;
      else steps.push([raw - lost, raw, letter.length]);
    }
    return letter;
  });
  let next = 0;
  let shift = 0;
  const placeStart = (at: number): number => {
    for (let step = steps[next]; step && step[0] <= at; step = steps[++next]) {
      shift = step[1] - step[0];
    }
    return at + shift;
  };
  return {
    plain,
    placeStart,
    placeEnd: (at) => {
      const last = placeStart(at - 1);
      const step = steps[next];
      return step && step[0] === at && step[2] > 0 ? step[1] : last + 1;
    },
  };
}

const FIRST_WIDE = 0xff01;
/** So far behind the letters of a keyboard stand those of double width. */
const WIDER_BY = 0xfee0;

/** A row of letters of double width: each is one letter, so that all stay in their places. */
function isWide(found: string): boolean {
  return found.charCodeAt(0) >= FIRST_WIDE;
}

function narrow(wide: string): string {
  let letters = '';
  for (let at = 0; at < wide.length; at++) letters += String.fromCharCode(wide.charCodeAt(at) - WIDER_BY);
  return letters;
}

/** The letter that a disguise stands for, or nothing; itself, if it is none after all. */
function letterOf(text: string, found: string, at: number): string {
  if (AN_UNSEEN.test(found)) return '';
  const first = found.charAt(0);
  if (first === '%') return spelt(found);
  if (A_SPACE.test(found)) return ' ';
  if (A_DASH.test(found)) return isInNumber(text, found, at) ? '-' : found;
  if (A_GAP.test(found)) return isInNumber(text, found, at) ? ' ' : found;
  if (found.includes('[')) return '';
  // A name whose value stands in the next line keeps its sign.
  if (first === '=' && isNameBefore(text, at)) return goesOn(text, at + 1, at + found.length) ? first : found;
  if (first === '=') return isSoftBreak(text, at, at + found.length) ? '' : found;
  if (/^\\{0,3}["']/.test(found)) return isJoint(text, found, at) ? '' : found;
  if (/^\\?\r?\n|^\\[rn]/.test(found)) {
    return found.startsWith('\\\n') || isSplit(text, at, at + found.length) ? '' : found;
  }
  return spelt(found);
}

/** The letter of ASCII that is spelt by its number or its name. */
function spelt(found: string): string {
  const digits = /^(?:%|\\u|\\x|&#x)([0-9a-f]+)/i.exec(found)?.[1];
  const code = digits === undefined ? Number(/\d+/.exec(found)?.[0] ?? 0) : Number.parseInt(digits, 16);
  return ENTITIES[found.toLowerCase()] ?? (code >= 32 && code < 127 ? String.fromCharCode(code) : found);
}

/** Blanks, equals signs and letters beyond ASCII are what mail spells out; `=2026` is a year. */
const MAIL_ESCAPE = /=(?:20|3D|[89A-F][0-9A-F])(?!\d)/;

/** Whether mail was cut here (quoted-printable): its other marks are near, or what follows is no word of a sentence. */
function isSoftBreak(text: string, start: number, end: number): boolean {
  const rest = /^[\w+/=-]{1,80}/.exec(text.slice(end, end + 80))?.[0] ?? '';
  if (!/\w/.test(text.charAt(start - 1))) return false;
  return MAIL_ESCAPE.test(text.slice(Math.max(0, start - 300), start)) || isMixed(rest);
}

/** Whether two texts in quotes are parts of one: a sign says so, or the looks of the second. */
function isJoint(text: string, found: string, at: number): boolean {
  const rest = /^[\w+/=-]{1,80}/.exec(text.slice(at + found.length, at + found.length + 80))?.[0] ?? '';
  return /[\w+/=-]/.test(text.charAt(at - 1)) && (/[+.&~|<]/.test(found) || isMixed(rest));
}

const isMixed = (part: string): boolean => /\d/.test(part) && /[A-Za-z]/.test(part);

function isInNumber(text: string, found: string, at: number): boolean {
  return A_DIGIT.test(text.charAt(at - 1)) && A_DIGIT.test(text.charAt(at + found.length));
}

/** Whether a line break parts what was one word: what stands before it says so, or both of its sides look random. */
function isSplit(text: string, start: number, end: number): boolean {
  if (goesOn(text, start, end)) return true;
  if (!/[\w+/=-]/.test(text.charAt(start - 1))) {
    return false;
  }
  const before = /[\w+/=.-]{1,24}$/.exec(text.slice(Math.max(0, start - 24), start))?.[0] ?? '';
  const rest = text.slice(end, end + 41);
  const after = /^[\w+/=-]{8,40}/.exec(rest)?.[0] ?? '';
  if (NEXT_NAME.test(rest)) return false;
  if (before.length < SHORTEST_RANDOM) return false;
  const isOdd = (part: string): boolean => /\d|[a-z][A-Z]|[A-Z]{2}[a-z]/.test(part);
  return isOdd(before) && isOdd(after) && (looksRandom(before, 12) || looksRandom(after, 8));
}

/** Of a part that is shorter nobody can say whether it is random. */
const SHORTEST_RANDOM = 12;
const LONG_NEXT = build(`${BREAK}(?=[\\w+/=-]{8})`, 'y');

/** Whether the word that ends at an offset goes on in the next line. */
function isSplitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code === 10 || code === 13 || code === 92) &&
    !!matchAt(LONG_NEXT, text, at) &&
    isSplit(text, at, LONG_NEXT.lastIndex)
  );
}

/** Remembers from where to where a text is disguised. */
const detectDisguise: Detector = (page, start, end) => {
  page.disguiseFrom = page.disguiseFrom < 0 ? start : page.disguiseFrom;
  page.disguiseTo = Math.max(page.disguiseTo, end);
};

const JOINT_AT = build(JOINT, 'y');

/** Parts of a text that are put together disguise what they are parts of. */
const detectJoint: Detector = (page, start) => {
  if (/[\w+/=\\-]/.test(page.text.charAt(start - 1)) && matchAt(JOINT_AT, page.text, start)) {
    detectDisguise(page, start, JOINT_AT.lastIndex);
  }
};

/** The end of a line, and a short word before it. */
const SHORT_BEFORE = /(?:^|[^\w+/=.-])[\w+/=.-]{1,20}((?:\r?\n|\\r\\n|\\n)[ \t]{0,8})$/;
const LONGEST_SHORT = 32;

/** Whether the word that starts at an offset is the rest of a short one in the line before. */
function isRestAt(text: string, start: number): boolean {
  // The letter of an escaped line break is the first of the word.
  const at = text.startsWith('\\n', start - 1) ? start + 1 : start;
  const gap = SHORT_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_SHORT), at))?.[1];
  return gap !== undefined && isSplit(text, at - gap.length, at);
}

/** A word that goes on in the next line is a disguise too. */
export const detectSplit: Detector = (page, start, end) => {
  if (isSplitAt(page.text, end) || isRestAt(page.text, start)) {
    page.isSplit = true;
    detectDisguise(page, start, end);
  }
};

/** So is a value, a name or an address that does. */
const detectBreak: Detector = (page, start) => {
  const found = breakAt(page, start);
  const { text } = page;
  if (!found) return;
  markBroken(page, found[0], found[1]);
  // Behind the sign of a margin the word before was not seen to go on.
  const hasMargin = /[|>]/.test(text.slice(...found));
  if (hasMargin ? isSplit(text, ...found) : goesOn(text, ...found)) {
    page.isSplit = true;
    detectDisguise(page, ...found);
  }
};

const AROUND = 400;

/** The lines that are disguised, and some around them. */
export function disguisedPart({
  text,
  disguiseFrom,
  disguiseTo,
}: Page): readonly [start: number, end: number] {
  const end = text.indexOf('\n', disguiseTo + AROUND);
  return [text.lastIndexOf('\n', Math.max(0, disguiseFrom - AROUND)) + 1, end < 0 ? text.length : end];
}

/** The letters of a class as expressions have it: single ones, and those from one to another. */
function lettersOf(list: string): readonly string[] {
  const codes = [...list.matchAll(/\\[ux]([0-9a-f]+)(?:-\\u([0-9a-f]+))?/g)].map(
    ([, first = '', last = first]) => [first, last].map((code) => Number.parseInt(code, 16)),
  );
  return codes.flatMap(([first = 0, last = first]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index)),
  );
}

/** Triggers for disguises: a text that has one is looked at a second time without it. */
export function disguiseTriggers(): Trigger[] {
  const digits = ['0', 'a', 'b', 'c', 'd', 'e', 'f'];
  const words = [
    ...['%0', '\\u000', '\\x0'].flatMap((start) => digits.map((digit) => start + digit)),
    ...['\x1b[', '\\e[', '&#', '&quot;', '&lt;', '&equals;', '&colon;', '\\\n'],
    ...lettersOf(UNSEEN),
    ...lettersOf(SPACES),
    '\udb40',
    // Between words, a dash is a dash.
    ...lettersOf(DASHES).map((dash) => `0${dash}`),
    ...['0\t0', '0  0'],
    // Letters of which names of secrets have one at least, and what numbers and addresses are made of.
    ...'ａｋｐｓｔＡＫＰＳＴ０１２３４５６７８９＝＠',
  ];
  // What follows the quote that ends the first part.
  const joints = [
    ' +',
    '+',
    ' .',
    '.',
    ' &',
    '&',
    ' ~',
    ' |',
    ' <',
    ' "',
    " '",
    '"',
    "'",
    '\\"',
    "\\'",
    ' \\',
  ];
  return [
    ...words.map((word) => [word, detectDisguise] as const),
    ...['\n', '\\n'].map((word) => [word, detectBreak] as const),
    ...['=\n', '=\r\n'].map((word) => [word, detectDisguise] as const),
    ...['"', "'"].flatMap((quote) => joints.map((next) => [quote + next, detectJoint] as const)),
  ];
}
