/** What the reader of a text has written himself is nothing to hide from him, unless it is a secret. */
import type { Span } from './page.ts';

/** What is personal or of a machine; all other classes are secrets. */
const NO_SECRETS = /^(?:email|phone|iban|id-number|birth-date|host|ip|user|sql)$/;
/** What is only guessed from its looks. */
const GUESSED = /^(?:entropy|token-shape|near-name)$/;
/** A part as long as this does not stand in a text by chance. */
const TELLING = 16;
const LETTER = /[\p{L}\p{N}_]/u;

/** Tells of a part of a text whether it is the reader's own; `undefined` when nothing is. */
export function ownParts(texts: readonly string[]): ((value: string, span: Span) => boolean) | undefined {
  if (texts.length === 0) {
    return undefined;
  }
  return (value, { rule, class: cls }) =>
    (NO_SECRETS.test(cls) || GUESSED.test(rule)) && texts.some((text) => holds(text, value));
}

/** Whether a text holds a value as a word of its own. */
function holds(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const after = text.charAt(at + value.length);
    if (value.length >= TELLING || !(LETTER.test(text.charAt(at - 1)) || LETTER.test(after))) {
      return true;
    }
  }
  return false;
}
