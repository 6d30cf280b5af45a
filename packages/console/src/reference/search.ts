/** Searching the catalogue. */
import type { CatalogueCode } from '@mayday/core/catalog';

/** Does a code fit what is typed: all words, anywhere in it? */
export function codeFits(code: CatalogueCode, typed: string): boolean {
  const { source, name, title, kind } = code;
  const whole = [String(code.code), source, name, title, kind].join('\n').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
