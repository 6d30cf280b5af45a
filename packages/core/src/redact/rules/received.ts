import { isIdentifier, isPlain, isWord, looksGiven, stripEnd } from '../looks.ts';
import { isAlnum, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { nextOf } from '../runs.ts';
import { isAt, signSet } from '../sign-sets.ts';
import { BLANK, DIGIT, hasAny } from '../signs.ts';
import { surrogateEnd } from '../surrogates.ts';
import { startsWord, wordStarts } from '../word-starts.ts';
import { type KeyMeaning, meaningOfKey } from './keys.ts';
import { build } from './patterns.ts';
import { isSecret } from './verdict.ts';

/** The name of a secret in a text. */
export interface Named {
  readonly start: number;
  readonly end: number;
  readonly meaning: KeyMeaning;
  /** Whether a value of its own is tied to it: what stands further off is something else's. */
  readonly isPaired: boolean;
  /** Whether no value of it was found at all. */
  readonly isOpen?: boolean;
}

/** Words with which a sentence says what was received. */
const RECEIVED =
  '(?:received|got|given|actual|entered|sent|supplied|provided|submitted|typed|passed|was|were|value|invalidvalue|string)';
const RECEIVED_STARTS = wordStarts(RECEIVED.slice(3, -1));
/** What may stand between them and the value: what kind of value it was. */
const KIND = '(?: (?:invalid|type|value|string|an?|of|the|was)){0,3}';
/** The words before a quoted value that say that it was received, or compare it. */
const BEFORE = build(
  `(?:^|[^a-z])(?:${RECEIVED}${KIND}|instead of|vs\\.?|to (?:equal|be|match)|[!=]==?|≠)[ :=([]{0,3}$`,
  'i',
);
const LONGEST_BEFORE = 60;
/** With which character those words end, and which signs may stand behind them. */
const LAST_LETTERS = signSet('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.=≠');
const SIGNS = signSet(' :([');
const MOST_SIGNS = 3;

/** A first look for {@link BEFORE}: whether one of those words may end before an offset. */
function mayEnd(text: string, from: number): boolean {
  let at = from - 1;
  while (from - at <= MOST_SIGNS && isAt(SIGNS, text, at)) {
    at--;
  }
  return isAt(LAST_LETTERS, text, at);
}

/** The same before a bare one. */
const BARE = build(`${RECEIVED}${KIND}[ :=]{1,3}([^\\s"'\`“«<>,;(){}]{8,120})`, 'iy');
/** `NAME: Invalid url: "…"`. */
const COLONS = /^["'`\])]{0,3}: [^"'`\n:]{1,60}: [\\"'`]{0,4}$/;
/** Words for what kind of a value something is. */
export const TYPES: RegExp =
  /^(?:float|double|long|short|byte|decimal|date(?:time)?|time|symbol|bigint|map|set|list|dict|tuple|nonetype|uuid|enum|record|struct|buffer|base64url|utf16le|eof|identifier|punctuator|literal|u?int\d{1,3}|[iuf]\d{1,3})$/i;
/** A name in a program that has digits in it: `Utf8JsonReader`, `Int32Array`, `firstName2`. */
const PROGRAM =
  /^[A-Z][a-z]{1,20}\d{1,4}[A-Z][a-z]|^(?:[a-z]{2,20}|[A-Z][a-z]{1,20})(?:[A-Z][a-z]{2,20}){1,6}\d{0,3}$/;

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '«': '»',
};
const QUOTES = signSet('"\'`\\');
const LONGEST_VALUE = 200;
/** How far before a value its name may stand, and how far behind it. */
const NEAR_BEFORE = 200;
const NEAR_BEHIND = 120;
/** How many of the names before a value are asked. */
const MOST_ASKED = 3;

/** A sentence goes over to another thing where the next key of a pair comes. */
const NEXT_KEY = /[{}]|\n\s{0,20}\n|["'],\s{0,20}\\{0,7}["'][\w-]{1,60}\\{0,7}["']\s?:/;
const SENTENCE_END = /[.!?]\s/g;

/** Marks what sentences say was received where they name a secret, in either order; each stretch is read once. */
export function markReceived(page: Page): void {
  const { names, text } = page;
  let done = 0;
  for (let at = 0; at < names.length; ) {
    const start = Math.max(done, (names[at]?.start ?? 0) - LONGEST_VALUE - NEAR_BEHIND);
    const first = at;
    let end = 0;
    for (; at < names.length && (end === 0 || (names[at]?.start ?? 0) <= end); at++) {
      end = Math.min(text.length, (names[at]?.end ?? 0) + NEAR_BEFORE);
    }
    readStretch(page, start, end, names, first);
    done = end;
  }
}

/** The same for a text under a telling name. */
export function markReceivedUnder(page: Page, start: number, end: number, name: string | undefined): void {
  const meaning = name === undefined ? undefined : meaningOfKey(name);
  if (meaning && isTold(meaning)) {
    const label = { start, end: start, meaning, isPaired: false };
    readStretch(page, start, Math.min(end, start + NEAR_BEFORE), [label]);
  }
}

/** Does a name surely speak of a secret, of which a sentence may tell? */
export function isTold({ strength, isHint, class: cls }: KeyMeaning): boolean {
  return strength >= 2 && (isHint || cls === 'otp');
}

/** What a quote or the first letter of a word of receiving looks like: everything else is passed over. */
const QUOTE = 1;
const LETTER = 2;
const STARTS = new Uint8Array(0x2020);
for (const quote of Object.keys(CLOSING)) STARTS[quote.charCodeAt(0)] = QUOTE;
for (const letter of 'agespvtwirAGESPVTWIR') STARTS[letter.charCodeAt(0)] = LETTER;

/** `first`: the first of the names that end behind the start. */
function readStretch(page: Page, from: number, to: number, names: readonly Named[], first = 0): void {
  const { text } = page;
  let next = first;
  for (let at = from; at < to; at++) {
    const start = STARTS[text.charCodeAt(at)];
    if (!start || (at > 0 && isWordPart(text.charCodeAt(at - 1)))) {
      continue;
    }
    while (next < names.length && (names[next]?.end ?? 0) <= at) {
      next++;
    }
    if (start === LETTER) {
      readBare(page, at, names, next);
      continue;
    }
    const close = CLOSING[text.charAt(at)] as string;
    const end = nextOf(page, close, at + 1);
    const isWhole = end > at + 1 && end - at <= LONGEST_VALUE && end < nextOf(page, '\n', at + 1);
    if (isWhole && judgeQuoted(page, at, end, names, next)) {
      // What has blanks in it is a sentence, and may quote a value itself.
      at = end;
    }
  }
}

function isWordPart(code: number): boolean {
  return isAlnum(code) || code === 0x5f || code === 0x24;
}

/** Judges the value behind a word of receiving, without quotes. */
function readBare(page: Page, at: number, names: readonly Named[], next: number): void {
  const { text } = page;
  const bare = startsWord(RECEIVED_STARTS, text, at, text.length) ? matchAt(BARE, text, at)?.[1] : undefined;
  if (bare === undefined) {
    return;
  }
  const start = BARE.lastIndex - bare.length;
  const end = start + stripEnd(bare, '.:!?]').length;
  judge(page, { start, end, from: at, isReceived: true, isQuoted: false }, names, next);
}

function judgeQuoted(
  page: Page,
  open: number,
  close: number,
  names: readonly Named[],
  next: number,
): boolean {
  const { text } = page;
  let [start, end] = [open + 1, close];
  // `"…"` in other quotes, or with a backslash before each.
  while (start < end && isAt(QUOTES, text, start)) start++;
  while (end > start && isAt(QUOTES, text, end - 1)) end--;
  const value = text.slice(start, end);
  if (hasAny(value, BLANK)) {
    return false;
  }
  let from = open;
  while (from > 0 && isAt(QUOTES, text, from - 1) && open - from < 4) from--;
  const last = names[next - 1];
  const isReceived =
    (mayEnd(text, from) && BEFORE.test(text.slice(Math.max(0, from - LONGEST_BEFORE), from))) ||
    (text.startsWith(': ', from - 2) &&
      last !== undefined &&
      open - last.end < NEAR_BEFORE &&
      COLONS.test(text.slice(last.end, open)));
  // What looks like a secret by itself has a digit in it.
  if ((isReceived || hasAny(value, DIGIT)) && !isNoValue(value)) {
    judge(page, { start, end, from, isReceived, isQuoted: true }, names, next);
  }
  return true;
}

/** A value in a sentence. */
interface Candidate {
  readonly start: number;
  readonly end: number;
  /** Where the words that announce it start, or its quotes. */
  readonly from: number;
  /** Whether something says that it was received. */
  readonly isReceived: boolean;
  readonly isQuoted: boolean;
}

/** What is too short, gone already, or says what something is, and not what it was. */
export function isNoValue(value: string): boolean {
  return value.length < 3 || surrogateEnd(value, 0) === value.length || isPlain(value) || TYPES.test(value);
}

/** Marks a value if a name near it says so. What is not quoted, or not said to be received, has to look like a secret. */
function judge(page: Page, candidate: Candidate, names: readonly Named[], next: number): void {
  const { start, end, isReceived, isQuoted } = candidate;
  const value = page.text.slice(start, end);
  if (!isQuoted && isNoValue(value)) {
    return;
  }
  const isGiven = looksReceived(value) && (isReceived || isSaid(page.text, start, value));
  if (!(isGiven || (isReceived && isQuoted))) {
    return;
  }
  const name = nameNear(page, candidate, names, next);
  if (name && (isGiven || isToldValue(value, name.meaning))) {
    mark(page, start, end, isReceived ? 'echo' : 'near-name', name.meaning.class, STRUCTURE);
  }
}

/** Not the argument of a call in a program, and no pair. */
function isSaid(text: string, start: number, value: string): boolean {
  return !value.includes('=') && !/\w\($/.test(text.slice(Math.max(0, start - 3), start - 1));
}

/** The name of a secret that a value belongs to: the last one before it, or the one that follows. */
function nameNear(
  { text }: Page,
  { start, end, from, isReceived }: Candidate,
  names: readonly Named[],
  next: number,
): Named | undefined {
  for (let at = next - 1; at >= 0 && at >= next - MOST_ASKED; at--) {
    const name = names[at] as Named;
    if (from - name.end >= NEAR_BEFORE) {
      break;
    }
    const between = text.slice(name.end, from);
    const isOver =
      NEXT_KEY.test(between) ||
      (name.isPaired && /[,;&\n]/.test(between)) ||
      (between.match(SENTENCE_END)?.length ?? 0) > (isReceived ? 1 : 0);
    if (!isOver) {
      return name;
    }
  }
  const first = names[next];
  if (first && first.start < end && end - start - (first.end - first.start) < 4) {
    return undefined; // the value is a name itself
  }
  const behind = names.slice(next, next + 2).find((name) => name.start >= end);
  if (!behind || behind.isPaired || behind.start - end > NEAR_BEHIND) {
    return undefined;
  }
  const between = text.slice(end, behind.start);
  return between.includes('\n') || between.match(SENTENCE_END) ? undefined : behind;
}

/** Letters and digits as no word and no name has them. */
export function looksReceived(value: string): boolean {
  if (PROGRAM.test(value) || isIdentifier(value)) {
    return false;
  }
  return (
    looksGiven(value) ||
    (value.length >= 10 &&
      /^[!-~]{10,80}$/.test(value) &&
      /[a-z]\d{1,10}[a-z]/i.test(value) &&
      /[a-z]/.test(value) &&
      /[A-Z]/.test(value) &&
      !/[-_./:\\()[\]{}]/.test(value))
  );
}

/** Whether what was received is a value: of a password any word is, of all else what is no word. */
export function isToldValue(value: string, meaning: KeyMeaning): boolean {
  if (/^\d{1,3}$/.test(value)) {
    return meaning.class === 'otp' && value.length > 2;
  }
  const isSure = meaning.class === 'password' || !(isWord(value) || isIdentifier(value));
  return (
    isSure &&
    (meaning.class !== 'token' || (/\d/.test(value) && value.length >= 6)) &&
    isSecret({ value, meaning, name: '', tie: 'colon', quoted: true, next: '' })
  );
}
