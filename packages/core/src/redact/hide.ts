/** Values that the caller of a redaction knows to be secret: they go wherever they stand. */
import { isPlain } from './looks.ts';
import { BLOCK, mark, type Page } from './page.ts';

/** Shorter ones stand in any text by chance. */
const SHORTEST = 4;
/** So long a value does not stand inside another word by chance. */
const TELLING = 16;
const MOST = 50;
const LETTER = /[\p{L}\p{N}_]/u;

/** Marks such values in a page; `undefined` where there are none. */
export function hiding(values: readonly string[]): ((page: Page) => void) | undefined {
  const known = values.filter((value) => value.trim().length >= SHORTEST && !isPlain(value)).slice(0, MOST);
  const forms = [...new Set(known.flatMap(formsOf))];
  return forms.length === 0 ? undefined : (page) => forms.forEach((form) => void markAll(page, form));
}

/** As it is, inside of JSON, and inside of an address. */
function formsOf(value: string): readonly string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}

function markAll(page: Page, value: string): void {
  const { text } = page;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const end = at + value.length;
    const isPart =
      value.length < TELLING && (LETTER.test(text.charAt(at - 1)) || LETTER.test(text.charAt(end)));
    if (!isPart) mark(page, at, end, 'hidden', 'secret', BLOCK);
  }
}
