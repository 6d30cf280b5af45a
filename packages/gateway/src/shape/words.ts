/** Words, as whoever searches writes them: case, accents and spellings of one letter do not count. */

const ASCII = /^[\0-\x7f]*$/;
/** Marks of Latin, Greek and Cyrillic letters. Those of other scripts are letters to whoever reads them. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that are no others with an accent, and are typed as others where there are none of them. */
const OTHERWISE: { readonly [letter: string]: string } = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
};

/** The same text for all spellings of it. */
export function folded(text: string): string {
  return lowered(withoutAccents(text));
}

/** The words of a text. `readTextFile`, `read_text_file` and `read-text-file` are the same. */
export function wordsOf(text: string): readonly string[] {
  const parted = withoutAccents(text).replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2');
  return lowered(parted).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function withoutAccents(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}

/** By way of capitals: there `ß` is `SS`. */
function lowered(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const lower = text.toUpperCase().toLowerCase();
  return lower.replace(/[łøđðþæœıς]/g, (letter) => OTHERWISE[letter] ?? letter);
}
