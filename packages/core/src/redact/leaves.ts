import { somebodyIn } from './environment.ts';
import { isOfFrame } from './frames.ts';
import { isIdentifier, isPhrase, isPlain, isProse, isSaidName, looksGiven } from './looks.ts';
import { type Bond, toldName } from './node-names.ts';
import type { Entry, Node } from './nodes.ts';
import { isQueried } from './queried.ts';
import { isAnybodys } from './rules/anybodys-values.ts';
import { type KeyMeaning, meaningOfKey } from './rules/keys.ts';
import { isSecret } from './rules/verdict.ts';
import { isBound } from './tables-of-nodes.ts';

/** What a leaf is by its place in a value, and which rule says so. */
export interface KnownLeaf {
  readonly rule: string;
  readonly class: string;
}

/** Tells from its place alone whether a leaf is to go: by a telling name, or as what a statement was run with. */
export function knownLeaf(node: Node, entry: Entry, leaf: unknown): KnownLeaf | undefined {
  const told = toldName(node, entry);
  const meaning = told ? meaningOfKey(told.name) : undefined;
  const cls =
    told && meaning && meaning.strength >= 2 ? classOf(meaning, told.bond, leaf, String(leaf)) : undefined;
  if (cls !== undefined) {
    return { rule: 'key-name', class: cls };
  }
  if (typeof leaf === 'string' && meaning && isWeak(meaning) && isOddFor(told?.name ?? '', meaning, leaf)) {
    return { rule: 'weak-name', class: meaning.class };
  }
  const somebody = told && typeof leaf === 'string' ? somebodyIn(told.name, leaf) : undefined;
  if (somebody) {
    return somebody;
  }
  if (isOfFrame(node, entry)) {
    return { rule: 'stack', class: 'stack' };
  }
  if (typeof leaf === 'string' && isAnybodys(leaf)) {
    return undefined;
  }
  return (typeof leaf === 'string' && /\w/.test(leaf) && isBound(node)) || isQueried(node, entry)
    ? { rule: 'sql-echo', class: 'sql' }
    : undefined;
}

function isWeak({ strength, holds }: KeyMeaning): boolean {
  return strength === 1 || holds !== undefined;
}

/** What else stands under other names that need not be a secret's: ids, places, and what is made of words. */
const ID_OR_PLACE = /^[0-9a-f]{8}-[0-9a-f]{4}-|^[0-9a-f]{24}$|^[0-7][0-9A-HJKMNP-TV-Z]{25}$|[/:.+\s]/i;

/** A name that need not be a secret's, with a value that would go beside it in a text. What a server challenges with is for everybody. */
function isOddFor(name: string, meaning: KeyMeaning, value: string): boolean {
  if (meaning.holds === undefined && (/^nonce$/i.test(name) || ID_OR_PLACE.test(value))) return false;
  return isSecret({ value, name, meaning, tie: 'colon', quoted: true, next: '"' });
}

/** The class of a leaf whose name gives it away. */
function classOf(meaning: KeyMeaning, bond: Bond, leaf: unknown, text: string): string | undefined {
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
