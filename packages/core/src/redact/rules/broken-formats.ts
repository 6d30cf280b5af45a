/**
 * Formats of vendors that line breaks go through. The word at the end of a line and those at the start of the next ones are
 * read as one, for formats alone: whatever else stands under each other is not put together here.
 */
import { isSaidName, looksRandom } from '../looks.ts';
import { FORMAT, isAlnum, mark, matchAt, type Page } from '../page.ts';
import { isPlainWord } from '../plain-words.ts';
import type { Walked } from '../runs.ts';
import { PREFIXED } from './format-table.ts';
import { type Format, formatsOf, foundAt, isFilledIn, mayBegin, wordEnd } from './formats.ts';
import { BREAK, NEXT_NAME } from './line-breaks.ts';
import { build } from './patterns.ts';
import { INNER, type Inner, innerAt } from './token-shapes.ts';

/** What formats are made of: letters and digits, and the signs between them. */
const ALNUM = 1;
const SIGN = 2;
const KINDS = new Uint8Array(65536);
for (let code = 0; code < 128; code++) {
  KINDS[code] = isAlnum(code) ? ALNUM : /[\w%.~:/+=|-]/.test(String.fromCharCode(code)) ? SIGN : 0;
}
/** So much of a line is looked at before its end, and of each that follows; and so many of those. */
const LONGEST_HEAD = 128;
const LONGEST_LINE = 200;
const MOST_LINES = 10;
/** So far from its start stands what tells one of {@link INNER}. */
const LONGEST_BACK = 18;
/** No format has fewer letters. */
const SHORTEST = 15;
/** Mail that was cut by its width has a blank at the end of its lines. */
const MOST_BLANKS = 2;
const GAP = build(`[ \\t]{0,${MOST_BLANKS}}${BREAK}`, 'y');

const kindAt = (text: string, at: number): number => KINDS[text.charCodeAt(at)] as number;

/** Words of several lines as one, and where they stand in the text. */
interface Joined extends Walked {
  /** Where each begins, in the words and in the text. */
  readonly parts: ReadonlyArray<readonly [plain: number, raw: number]>;
}

/** From where to where something stands in the text. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** What has a format. */
interface Found extends Part {
  readonly rule: string;
  readonly class: string;
}

/** Where the run of signs ends that an offset is in. */
function signsEnd(text: string, at: number): number {
  const most = Math.min(text.length, at + LONGEST_LINE);
  let end = at;
  while (end < most && kindAt(text, end) > 0) end++;
  return end;
}

/** The words with that of one more line; undefined if the last does not go on to the end of its line. */
function withNext(text: string, joined: Joined): Joined | undefined {
  const [plain, raw] = joined.parts.at(-1) ?? [0, 0];
  const end = raw + joined.text.length - plain;
  if (joined.parts.length > MOST_LINES || !matchAt(GAP, text, end)) return undefined;
  const next = GAP.lastIndex;
  const word = text.slice(next, signsEnd(text, next));
  return word === ''
    ? undefined
    : joinedOf(joined.text + word, [...joined.parts, [joined.text.length, next]]);
}

function joinedOf(text: string, parts: Joined['parts']): Joined {
  return { text, parts, runs: [], nexts: undefined };
}

/** Whether a sign and the letters behind it may tell one of {@link INNER} whose parts are not long enough to look random. */
function tellsInner(sign: number, first: number, second: number): boolean {
  if (sign === 58) return first === 65 && second === 65;
  return sign === 46 ? first === 97 || first === 108 || first === 112 : sign === 124 || sign === 126;
}
const INNER_HINT = /[~|]|:AA|\.(?:atlasv|local|public)/;

/** The formats by their first two letters. */
interface Starts {
  readonly formats: ReadonlyMap<string, readonly Format[]>;
  /** A number for each pair of letters that some begin with, and whether a third follows it in one. */
  readonly pairs: Uint8Array;
  readonly thirds: Uint8Array;
}

let known: Starts | undefined;

function startsOf(): Starts {
  if (known) return known;
  const formats = new Map<string, Format[]>();
  for (const format of formatsOf(PREFIXED)) {
    const letters = format.start.slice(0, 2);
    formats.set(letters, [...(formats.get(letters) ?? []), format]);
  }
  const pairs = new Uint8Array(1 << 14);
  const thirds = new Uint8Array((formats.size + 1) << 7);
  let number = 0;
  for (const [letters, some] of formats) {
    pairs[(letters.charCodeAt(0) << 7) | letters.charCodeAt(1)] = ++number;
    for (const { start } of some) {
      // Any letter may follow what has only two.
      const third = start.length > 2 ? start.charCodeAt(2) : undefined;
      thirds.fill(1, (number << 7) + (third ?? 0), (number << 7) + (third ?? 127) + 1);
    }
  }
  known = { formats, pairs, thirds };
  return known;
}

/** Whether a format begins with three letters. */
function isStart({ pairs, thirds }: Starts, first: number, second: number, third: number): boolean {
  const number = pairs[(first << 7) | (second & 127)] as number;
  return number > 0 && thirds[(number << 7) | (third & 127)] === 1;
}

/** Identifiers that stand in a line of their own: hashes, UUIDs, ULIDs, ISINs. */
const HASH =
  /^(?:[\da-f]{7,8}|[\da-f]{16}|[\da-f]{20}|[\da-f]{24}|[\da-f]{32}|[\da-f]{40}|[\da-f]{56}|[\da-f]{64})$/i;
const OTHER_ID = /^[\da-fA-F]{8}-[\da-fA-F]{4}-|^[0-7][\dA-HJKMNP-TV-Z]{25}$|^[A-Z]{2}[A-Z\d]{9}\d$/;
const TIME = /^(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d)/;

const isOdd = (part: string): boolean => /\d|[a-z][A-Z]/.test(part);

/** Whether a word is as no name is: random, or with a digit between letters. */
const isRandom = (word: string): boolean => looksRandom(word, 8) || /[A-Za-z]\d{1,8}[A-Za-z]/.test(word);

/** Whether what a line ends with and what the next ones start with are one key, rather than each something of its own. */
function isOne(start: string, shortest: number, begun: string, rest: string): boolean {
  const body = begun.slice(start.length);
  const isExact = begun.length + rest.length === shortest;
  if (isPlainWord(rest) || isSaidName(rest)) return isExact && looksRandom(body, 12);
  if (isExact && body !== '') return true;
  if (HASH.test(rest)) return /[_-]$/.test(start) || (body.length >= 6 && isRandom(body));
  if (OTHER_ID.test(rest)) return body.length >= 6 && isRandom(body);
  return isOdd(body) || isRandom(rest);
}

/** The first key in some words that goes on behind the first of them. */
function prefixedIn(text: string, words: Joined, head: string): Found | undefined {
  for (let at = 0; at < head.length; at++) {
    if (at > 0 && kindAt(head, at - 1) === ALNUM) continue;
    for (const format of startsOf().formats.get(words.text.slice(at, at + 2)) ?? []) {
      if (!words.text.startsWith(format.start, at) || !mayBegin(format, head, at)) continue;
      const part = foundAt(format, head, at)
        ? wholeWithRest(format.pattern(), words, at, head)
        : brokenAt(format, text, words, at, head);
      if (part) return { ...part, rule: format.id, class: format.class };
    }
  }
  return undefined;
}

/** A key that takes as few lines as possible. */
function brokenAt(format: Format, text: string, words: Joined, at: number, head: string): Part | undefined {
  let joined: Joined | undefined = words;
  let found = foundAt(format, words.text, at);
  while (joined && found === undefined) {
    joined = withNext(text, joined);
    found = joined && foundAt(format, joined.text, at);
  }
  if (!joined || found === undefined) return undefined;
  const end = wordEnd(joined, at + found.length);
  const rest = joined.text.slice(head.length, end);
  return isFilledIn(joined.text, at, end) && isOne(format.start, format.shortest, head.slice(at), rest)
    ? placed(joined, at, end)
    : undefined;
}

/** The start of an identifier of its own. */
const OWN_START = /^[a-z]{2,10}[_-]\w{6}/i;

/** A key that is long enough in its line takes nothing of the next but what can only be the rest of it. */
function wholeWithRest(pattern: RegExp, words: Joined, at: number, head: string): Part | undefined {
  const end = wordEnd(words, head.length);
  const rest = words.text.slice(head.length, end);
  if (!looksRandom(rest, 8) || OWN_START.test(rest) || OTHER_ID.test(rest)) return undefined;
  return matchAt(pattern, words.text, at)?.[0].length === end - at ? placed(words, at, end) : undefined;
}

/** Where a part of some words stands in the text. */
function placed({ parts }: Joined, start: number, end: number): Part {
  const rawOf = (at: number): number => {
    const [plain, raw] = parts.findLast(([from]) => from <= at) ?? [0, 0];
    return raw + at - plain;
  };
  return { start: rawOf(start), end: rawOf(end - 1) + 1 };
}

/** A key in some words that has what tells it not at its start. */
function innerIn(text: string, words: Joined, head: string): Found | undefined {
  const folded = words.text.toLowerCase();
  for (const inner of INNER) {
    const at = folded.indexOf(inner[1]);
    let part: Part | undefined;
    for (let joined = at < 0 ? undefined : words; joined && !part; joined = withNext(text, joined)) {
      part = innerPart(inner, joined, at, head);
    }
    if (part) return { ...part, rule: inner[0], class: inner[4] };
  }
  return undefined;
}

function innerPart(inner: Inner, joined: Joined, at: number, head: string): Part | undefined {
  const [start, end] = innerAt(inner, joined, at) ?? [0, 0];
  if (start >= head.length || end <= head.length) return undefined;
  if (at < head.length && innerAt(inner, joinedOf(head, []), at)) {
    return wholeWithRest(inner[3], joined, start, head);
  }
  const last = wordEnd(joined, end);
  const rest = joined.text.slice(head.length, last);
  return isOne('', 0, head.slice(start), rest) ? placed(joined, start, last) : undefined;
}

/** Marks the key that a break goes through. */
export function markBroken(page: Page, start: number, end: number): void {
  const { text } = page;
  let last = start;
  while (last > start - MOST_BLANKS && isBlank(text.charCodeAt(last - 1))) last--;
  if (last === 0 || end >= text.length || kindAt(text, last - 1) === 0 || kindAt(text, end) === 0) return;
  if (isTimeAt(text, end)) return;
  const from = wordWithStart(text, last, end);
  if (from < 0) return;
  const to = signsEnd(text, end);
  if (last - from + to - end < SHORTEST || isNamed(text, end)) return;
  const head = text.slice(from, last);
  const words = joinedOf(head + text.slice(end, to), [
    [0, from],
    [head.length, end],
  ]);
  const found = (INNER_HINT.test(words.text) && innerIn(text, words, head)) || prefixedIn(text, words, head);
  if (found) mark(page, found.start, found.end, found.rule, found.class, FORMAT);
}

const isBlank = (code: number): boolean => code === 32 || code === 9;

/** Where the last word of a line starts; -1 if no format can begin in it. A look that takes no copy: most lines end here. */
function wordWithStart(text: string, last: number, end: number): number {
  const starts = startsOf();
  const stop = Math.max(0, last - LONGEST_HEAD);
  let from = last;
  let isBegun = false;
  // The three letters behind the one that is looked at, those of the next line too.
  let first = text.charCodeAt(end);
  let second = text.charCodeAt(end + 1);
  let third = text.charCodeAt(end + 2);
  while (from > stop) {
    const code = text.charCodeAt(from - 1);
    const kind = KINDS[code] as number;
    if (kind === 0) break;
    if (kind === SIGN) isBegun ||= isStart(starts, first, second, third) || tellsInner(code, first, second);
    third = second;
    second = first;
    first = code;
    from--;
  }
  return isBegun || isStart(starts, first, second, third) || hasInnerSign(text, end) ? from : -1;
}

/** Whether what tells one of {@link INNER} stands near an offset. */
function hasInnerSign(text: string, at: number): boolean {
  for (let place = at; place < at + LONGEST_BACK && place < text.length; place++) {
    const code = text.charCodeAt(place);
    const kind = KINDS[code] as number;
    if (kind === 0) return false;
    if (kind === SIGN && tellsInner(code, text.charCodeAt(place + 1), text.charCodeAt(place + 2)))
      return true;
  }
  return false;
}

/** Whether a line starts with the time, as those of a log do. */
function isTimeAt(text: string, at: number): boolean {
  const hour = text.charCodeAt(at + 2);
  const year = text.charCodeAt(at + 4);
  return (hour === 58 || year === 45 || year === 47) && TIME.test(text.slice(at, at + 10));
}

/** Whether a line starts with a name and its value. */
function isNamed(text: string, at: number): boolean {
  const name = NEXT_NAME.exec(text.slice(at, at + 42))?.[0];
  return name !== undefined && !looksRandom(name, 8);
}
