/** Values that the caller of a redaction knows to be secret: they go wherever they stand. */
import { BLOCK, mark, type Page } from './page.ts';
import { isSurelyReference } from './placeholders.ts';
import { isPlainWord } from './plain-words.ts';

/** Shorter ones stand in any text by chance. */
const SHORTEST = 4;
/** So long a value does not stand inside another word by chance, or so odd a one. */
const TELLING = 16;
const SHORTEST_ODD = 8;
const LONGEST_ENCODED = 2048;
const MOST = 50;
const LETTER = /[\p{L}\p{N}_]/u;

/** Marks such values in a page; `undefined` where there are none. */
export function hiding(values: readonly string[]): ((page: Page) => void) | undefined {
  const known = values
    .filter((value) => value.trim().length >= SHORTEST && !holdsAPlace(value))
    .slice(0, MOST);
  const forms = [...new Set(known.flatMap(formsOf))];
  return forms.length === 0
    ? undefined
    : (page) => forms.forEach((form) => void markAll(page, form, isOdd(form)));
}

/** A word of every text, or a value that is still to be filled in. */
function holdsAPlace(value: string): boolean {
  return isPlainWord(value) || isSurelyReference(value);
}

/** As it is, in capitals or small letters, inside of JSON, of an address, and in base64. */
function formsOf(value: string): readonly string[] {
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
  return isOdd(value) ? [...forms, value.toUpperCase(), value.toLowerCase(), ...base64Of(value)] : forms;
}

/** Letters and digits, or more than words have: nothing that stands in a text by chance. */
function isOdd(value: string): boolean {
  return (
    value.length >= TELLING || (value.length >= SHORTEST_ODD && /\d/.test(value) && /\p{L}/u.test(value))
  );
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** In both alphabets, without what fills the end up. */
function base64Of(value: string): readonly string[] {
  const escaped = encodeURIComponent(value.slice(0, LONGEST_ENCODED).toWellFormed());
  const bits = (escaped.match(/%..|./g) ?? [])
    .map((byte) => (byte.length > 1 ? Number.parseInt(byte.slice(1), 16) : byte.charCodeAt(0)))
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  const sixes = (bits.match(/.{1,6}/g) ?? []).map((six) => Number.parseInt(six.padEnd(6, '0'), 2));
  return ['+/', '-_'].map((rest) => sixes.map((six) => (DIGITS + rest).charAt(six)).join(''));
}

function markAll(page: Page, value: string, isWhole: boolean): void {
  const { text } = page;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const end = at + value.length;
    const isPart = !isWhole && (LETTER.test(text.charAt(at - 1)) || LETTER.test(text.charAt(end)));
    if (!isPart) mark(page, at, end, 'hidden', 'secret', BLOCK);
  }
}
