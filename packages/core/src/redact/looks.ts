import { isReference } from './placeholders.ts';
import { isPlainWord } from './plain-words.ts';
import {
  APOSTROPHE,
  AT,
  BEYOND,
  BLANK,
  CAPITAL,
  COLON,
  DASH,
  DIGIT,
  DOLLAR,
  DOT,
  hasAny,
  hasOnly,
  LETTER,
  LOWLINE,
  MARK,
  OPEN,
  OTHER,
  SLASH,
  SMALL,
} from './signs.ts';

/** Whether a value is a placeholder, a variable or an ordinary word rather than a secret. */
export function isPlain(value: string): boolean {
  return isPlainWord(value) || isReference(value);
}

/** Whether a value is the number that Windows gives a failure: `0x8007052E`, `0xC000006D`. */
export function isResultCode(value: string): boolean {
  return value.length === 10 && /^0x[8C][\dA-F]{7}$/i.test(value);
}

/** Cuts characters of a set off the end. */
export function stripEnd(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text[end - 1] as string)) {
    end--;
  }
  return text.slice(0, end);
}

/** Ordinary words that people do use as passwords. */
export function isWeakWord(value: string): boolean {
  return /^(?:secret|test|example|sample|changeme|default|access|login|secure|service|server|client|user|token|key|text|plain|manager|store|basic|active|strong|weak|password|hidden|new|old|current|first|last)$/i.test(
    value,
  );
}

/** Words of which none looks like a secret: a sentence about one. Two words count if one of them is ordinary. */
export function isProse(value: string): boolean {
  if (
    !hasAny(value, BLANK) ||
    value.length > 400 ||
    isBytes(value) ||
    !/^[\p{L}\d'’"`,.:;!?()/_-]+(?:\s+[\p{L}\d'’"`,.:;!?()/_-]+)+$/u.test(value)
  ) {
    return false;
  }
  const words = value.split(/\s+/).map((word) => stripEnd(word, `'’"\`,.:;!?()`));
  return !isPhrase(value) && (words.some(isPlainWord) || (words.length > 2 && !/\d/.test(value)));
}

/** Three words or more without one that sentences are held together by: what is remembered in place of a password. */
export function isPhrase(value: string): boolean {
  if (value.length > 400 || !hasAny(value, BLANK) || !/^\p{L}{2,12}(?:\s\p{L}{2,12}){2,23}$/u.test(value)) {
    return false;
  }
  const words = value.split(/\s/);
  return isSeed(words) || !words.some(isPlainWord);
}

/** Phrases of wallets have twelve words and more, in threes, of short lists of short words, some of them ordinary. */
function isSeed(words: readonly string[]): boolean {
  return words.length >= 12 && words.length % 3 === 0 && words.every((word) => /^[a-z]{3,8}$/.test(word));
}

/** Whether a value is letters only, as a word of a sentence is. */
export function isWord(value: string): boolean {
  return (
    hasOnly(value, LETTER | DASH | APOSTROPHE | BEYOND) && /^[\p{L}\p{M}'’]+(?:-[\p{L}\p{M}]+)*$/u.test(value)
  );
}

/** Whether a value is words of a script that puts no blanks between them: nobody types a password in one. */
export function isUnspacedWord(value: string): boolean {
  return hasOnly(value, BEYOND) && /^[\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7af]+$/.test(value);
}

/** Whether a value changes between letters, cases and digits as often as random text does. */
export function looksRandom(value: string, min: number): boolean {
  if (value.length < min || !hasAny(value, LETTER)) {
    return false;
  }
  const digits = hasAny(value, DIGIT);
  let changes = 0;
  let last = 0;
  for (let i = 0; i < value.length && i < 256; i++) {
    const code = value.charCodeAt(i);
    const kind = code < 48 ? 0 : code < 58 ? 1 : code < 91 ? 2 : code > 96 ? 3 : 0;
    if (kind > 0) {
      changes += last > 0 && kind !== last ? 1 : 0;
      last = kind;
    }
  }
  return (
    (digits ? changes >= 3 || (changes >= 2 && value.length < 14) : changes > value.length * 0.3) &&
    !isMadeOfWords(value)
  );
}

/** Whether half of a value or more are words: the name of something in a program. */
export function isMadeOfWords(value: string): boolean {
  const words = hasAny(value, CAPITAL | LOWLINE | DASH) ? (value.match(/[a-z]{5,}/g) ?? []) : [];
  return words.length > 1 && words.join('').length * 2 >= value.length;
}

const SHORTEST_BYTES = 21;

/** Whether a value is a key spelled as bytes: `de ad be ef …`. */
export function isBytes(value: string): boolean {
  return value.length >= SHORTEST_BYTES && /^(?:[\da-f]{2}[ :]){7}/i.test(value);
}

/** Bits per character of a short text. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) {
    counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / value.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;

/** Whether a value is an identifier that people quote: a UUID, a date, a version, what Windows calls a failure. */
export function isIdentifier(value: string): boolean {
  return (
    isResultCode(value) ||
    (value.length === UUID_LENGTH && UUID.test(value)) ||
    (hasAny(value, DASH | DOT) &&
      hasAny(value, DIGIT) &&
      (/^\d{4}-\d\d-\d\d/.test(value) || /^v?\d+\.\d+(?:\.\d+)*(?:[-+][\w.]+)?$/.test(value)))
  );
}

const LONGEST_NUMBER = 8;

/** Words that can be said, and numbers: the name of a model, `claude-3-opus-20240229`. */
export function isSaidName(word: string): boolean {
  const isOnePart = !hasAny(word, DASH | LOWLINE | DOT);
  if (isOnePart && word.length > LONGEST_NUMBER && hasAny(word, DIGIT)) {
    return false;
  }
  const parts = isOnePart ? [word] : word.split(/[-_.]/);
  const said = parts.filter((part) => /^[A-Za-z]?[a-z]+$/.test(part) && /[aeiouy]/i.test(part));
  return (
    said.join('').length * 2 >= word.length - parts.length &&
    parts.every(
      (part) => said.includes(part) || /^(?:\d{1,8}|[A-Za-z]{1,3}|[A-Za-z]?\d{1,3}[a-z]{0,2})$/.test(part),
    )
  );
}

/** Whether a word that stands where a secret may is one: letters and digits as nobody says them, and no name of a thing. */
export function looksGiven(value: string): boolean {
  return (
    value.length >= 8 &&
    value.length <= 400 &&
    hasAny(value, DIGIT) &&
    hasAny(value, LETTER) &&
    !(mayBeElse(value) && /[\s[\]{}\\]|^[a-z][a-z\d+.-]{1,20}:\/\/|@[\w-]{1,60}\.|^[/~.^]/i.test(value)) &&
    (looksRandom(value, 8) || isMixed(value) || hasAny(value, MARK | AT | DOLLAR)) &&
    !isPlain(value) &&
    !isIdentifier(value) &&
    !isSaidName(value)
  );
}

/** Whether a value has a sign that sentences, addresses, paths and programs are made of. */
function mayBeElse(value: string): boolean {
  return hasAny(value, BLANK | OPEN | OTHER | COLON | AT) || '/~.^'.includes(value.charAt(0));
}

/** Both cases, and digits at two places: a password of words. */
function isMixed(value: string): boolean {
  return (
    value.length >= 10 &&
    hasAny(value, SMALL) &&
    hasAny(value, CAPITAL) &&
    !hasAny(value, DASH | LOWLINE | DOT | SLASH | COLON) &&
    /\d[^\d]{1,400}\d/.test(value)
  );
}
