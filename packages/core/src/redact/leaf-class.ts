/** What a leaf of a value is, by the name that tells of it. */
import { isIdentifier, isPhrase, isPlain, isProse, isSaidName, looksGiven } from './looks.ts';
import type { KeyMeaning } from './rules/key-meanings.ts';
import { isSecret } from './rules/verdict.ts';

/** What a leaf is by its place in a value, and which rule says so. */
export interface KnownLeaf {
  readonly rule: string;
  readonly class: string;
}

/**
 * How surely a name is a leaf's: it is its own; it is the head of its column; only the place in a list or the form of a schema ties them; it stands
 * above or beside it.
 */
export type Bond = 'named' | 'cell' | 'listed' | 'beneath';

/** The class of a leaf whose name gives it away. */
export function classOf(meaning: KeyMeaning, bond: Bond, leaf: unknown, text: string): string | undefined {
  const { class: cls, strength, isNumber } = meaning;
  if (bond === 'cell' && typeof leaf === 'string' && !isNumber) {
    // No validator speaks in a table: even a sentence is the value.
    return text === '' || isPlain(text) ? undefined : cls;
  }
  if (bond !== 'named' && bond !== 'cell') {
    const isIt = typeof leaf === 'string' && (looksGiven(text) || isListed(meaning, bond, text));
    return isIt && !isNumber ? cls : undefined;
  }
  if (isNumber) {
    return text.length < 64 && text.replace(/\D/g, '').length >= 5 ? cls : undefined;
  }
  if (typeof leaf !== 'string') {
    return strength === 3 && /^(?:password|otp|secret)$/.test(cls) ? cls : undefined;
  }
  if (text === '' || isPlain(text)) {
    return undefined;
  }
  if (cls === 'password') {
    // A sentence under `password` is a validator's message about it.
    return isProse(text) ? undefined : cls;
  }
  if (/\s/.test(text) && !isDense(text)) {
    return strength === 3 && isPhrase(text) ? cls : undefined;
  }
  return strength === 3 || /\d/.test(text) || text.length >= 20 ? cls : undefined;
}

function isListed(meaning: KeyMeaning, bond: Bond, text: string): boolean {
  const isIt = isSecret({ value: text, meaning, name: '', tie: 'listed', quoted: true, next: '' });
  return (
    isIt && (bond === 'listed' || (meaning.class === 'password' && !isIdentifier(text) && !isSaidName(text)))
  );
}

/** Text with spaces that is still a credential: `Bearer x`, `a=b; c=d`, a PEM block. */
function isDense(text: string): boolean {
  return (
    text.startsWith('-----BEGIN ') ||
    /^[A-Za-z][\w-]{1,24} \S{1,8000}$/.test(text) ||
    text.split(';').every((part) => /^\s?[^\s=]{1,200}(?:=\S*)?$|^$/.test(part))
  );
}
