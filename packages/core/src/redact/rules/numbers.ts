import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';

const NUMBERS = /[+(]{0,2}[A-Z0-9][A-Z0-9 ()./-]{3,32}/iy;

const QUOTES = '\\"\'`';

/** Marks the first words of a text that have digits in them: a number as people write it, in groups. */
export function markNumber(page: Page, from: number, cls: string): boolean {
  const { text } = page;
  let at = from;
  while (at - from < 8 && QUOTES.includes(text.charAt(at) || ' ')) {
    at++;
  }
  let end = at;
  for (const word of (matchAt(NUMBERS, text, at)?.[0] ?? '').split(' ')) {
    if (!/\d/.test(word) && !(cls === 'iban' && /^[A-Z]{4}$/.test(word))) {
      break;
    }
    end += word.length + (end > at ? 1 : 0);
  }
  while (end > at && /[ ().,/-]/.test(text[end - 1] as string)) {
    end--;
  }
  return (
    text.slice(at, end).replace(/\D/g, '').length >= 5 &&
    mark(page, at, end, cls === 'id-number' ? 'national-id' : cls, cls, STRUCTURE)
  );
}
