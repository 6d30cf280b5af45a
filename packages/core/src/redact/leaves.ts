import { somebodyIn } from './environment.ts';
import { isOfFrame } from './frames.ts';
import { classOf, type KnownLeaf } from './leaf-class.ts';
import { toldName } from './node-names.ts';
import type { Entry, Node } from './nodes.ts';
import { isQueried } from './queried.ts';
import { isAnybodys } from './rules/anybodys-values.ts';
import { type KeyMeaning, meaningOfKey } from './rules/keys.ts';
import { isSecret } from './rules/verdict.ts';
import { isBound } from './tables-of-nodes.ts';

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
