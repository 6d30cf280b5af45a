/** Finds secrets that are known in words, however they are written there. One pass, however many there are. */
import { asRead } from './as-read.ts';
import { bareLetters } from './bare-letters.ts';
import { bareFormsOf, formsOf } from './secret-forms.ts';
import { createIndex } from './secret-index.ts';

/** Where a secret stands. */
export interface SecretPlace<T> {
  readonly start: number;
  readonly end: number;
  /** As what it was found. */
  readonly form: string;
  /** What stands around a text in its place, so that a list of numbers stays one of JSON. */
  readonly quote: string;
  readonly about: T;
}

/** Secrets that become known one by one, each with what is known of it. */
export interface SecretFinder<T> {
  readonly isEmpty: boolean;
  /** As they are looked for where nothing is written otherwise. */
  readonly forms: Iterable<string>;
  /** Forms of fewer letters than `shortest` are looked for by nobody. */
  add(secret: string, about: T, shortest: number): void;
  /** All places in their order; some may overlap. */
  places(words: string): readonly SecretPlace<T>[];
}

/** Knows none at first. */
export function createSecretFinder<T>(): SecretFinder<T> {
  const index = createIndex<T>();
  /** Those that are said in whatever capitals, in small letters. */
  const odd = createIndex<T>();
  const bare = createIndex<T>();

  const foundIn = (words: string, found: Found<T>): void => {
    index.find(words, (at, form) => found(at, at + form.length, form, index.texts.get(form) as T));
    if (odd.isEmpty) return;
    odd.find(inSmallLetters(words), (at, form) =>
      found(at, at + form.length, form, odd.texts.get(form) as T),
    );
  };
  const foundBare = (words: string, found: Found<T>): void => {
    if (bare.isEmpty) return;
    const { codes, starts } = bareLetters(words);
    bare.findIn(codes, (at, form) => {
      const last = starts[at + form.length - 1] ?? 0;
      found(starts[at] ?? 0, last + 1, form, bare.texts.get(form) as T);
    });
  };
  return {
    get isEmpty() {
      return index.isEmpty;
    },
    get forms() {
      return index.texts.keys();
    },
    add(secret, about, shortest) {
      for (const form of formsOf(secret)) if (form.length >= shortest) index.add(form, about);
      if (secret.length < SHORTEST_BARE || secret.length > LONGEST_BARE) return;
      const bareForms = bareFormsOf(secret);
      for (const form of bareForms) bare.add(form, about);
      // Letters of ASCII alone are found in whatever capitals where they are bare.
      if (isOdd(secret) && !bareForms.has(secret.toLowerCase())) odd.add(inSmallLetters(secret), about);
    },
    places(words) {
      const places: SecretPlace<T>[] = [];
      const put: Found<T> = (start, end, form, about) => {
        places.push({ start, end, form, about, quote: quoteAt(words, start, end) });
      };
      foundIn(words, put);
      const read = asRead(words);
      const putRead: Found<T> = (start, end, form, about) => {
        put(read?.starts[start] ?? start, read?.ends[end - 1] ?? end, form, about);
      };
      if (read !== undefined) foundIn(read.text, putRead);
      foundBare(read?.text ?? words, read === undefined ? put : putRead);
      return places.sort((a, b) => a.start - b.start || b.end - a.end);
    },
  };
}

type Found<T> = (start: number, end: number, form: string, about: T) => void;

/** The bytes of fewer letters are those of other words, too. */
const SHORTEST_BARE = 6;
/** Longer ones are files, which nobody prints in numbers. */
const LONGEST_BARE = 4096;

/** Nobody would take it for a word, however it is written. */
function isOdd(secret: string): boolean {
  if (!/\p{L}/u.test(secret)) return false;
  return secret.length >= LONG || (secret.length >= ODD && /[\d\s]/.test(secret));
}

const ODD = 8;
const LONG = 16;

/** Of the same length: the few letters that become more when they are small stay as they are. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+|[^\P{Lu}A-Z]/gu, (capitals) => {
    const small = capitals.toLowerCase();
    return small.length === capitals.length ? small : capitals;
  });
}

/** So many letters tell whether it may be one; a list of more is read to its end. */
const SOME = 8;
const BEGINS_A_LIST = /^-?\d+\s*,/;
const BEFORE_AN_ITEM = /[[,]\s{0,8}$/;
const BEHIND_AN_ITEM = /^\s{0,8}[,\]]/;
const A_LIST = /^[-\d\s,]+$/;

/** Of a list of numbers, a text of JSON may be left. */
function quoteAt(words: string, start: number, end: number): string {
  if (!BEGINS_A_LIST.test(words.slice(start, start + SOME)) || !A_LIST.test(words.slice(start, end)))
    return '';
  const isInside = BEFORE_AN_ITEM.test(words.slice(Math.max(0, start - SOME), start));
  return isInside && BEHIND_AN_ITEM.test(words.slice(end, end + SOME)) ? '"' : '';
}
