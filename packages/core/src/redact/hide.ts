/** Values that the caller of a redaction knows to be secret, or that another part of the message gives away: they go wherever they stand. */
import type { ToldSecret } from './distinctive.ts';
import { BLOCK, LOOKS, mark, type Page } from './page.ts';
import { isSurelyReference } from './placeholders.ts';
import { isOdd, placesOf } from './places.ts';
import { isPlainWord } from './plain-words.ts';

/** Shorter ones stand in any text by chance. */
const SHORTEST = 4;
const LONGEST_ENCODED = 2048;
const MOST = 50;

/** What is looked for, and as what it goes. */
interface Form {
  readonly text: string;
  readonly isOdd: boolean;
  readonly rule: string;
  readonly class: string;
  readonly weight: number;
}

/** Marks such values in a page; `undefined` where there are none. What is told goes under its own class, where nothing else says what it is. */
export function hiding(
  values: readonly string[],
  told: readonly ToldSecret[] = [],
): ((page: Page) => void) | undefined {
  const known = values
    .filter((value) => value.trim().length >= SHORTEST && !holdsAPlace(value))
    .slice(0, MOST);
  const forms = new Map<string, Form>();
  const add = (value: string, as: Omit<Form, 'text' | 'isOdd'>): void => {
    for (const text of formsOf(value))
      if (!forms.has(text)) forms.set(text, { ...as, text, isOdd: isOdd(text) });
  };
  for (const value of known) add(value, { rule: 'hidden', class: 'secret', weight: BLOCK });
  for (const { text, class: cls } of told.slice(0, MOST))
    add(text, { rule: 'repeated', class: cls, weight: LOOKS });
  if (forms.size === 0) return undefined;
  // The longest first: a shorter one may be a part of it.
  const all = [...forms.values()].sort((a, b) => b.text.length - a.text.length);
  return (page) => all.forEach((form) => void markAll(page, form));
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

function markAll(page: Page, { text, isOdd: isWithin, rule, class: cls, weight }: Form): void {
  for (const at of placesOf(page.text, text, isWithin)) mark(page, at, at + text.length, rule, cls, weight);
}
