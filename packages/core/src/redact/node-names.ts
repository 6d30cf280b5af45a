import { NAME_KEYS, PATH_KEYS, SOURCE_KEYS, WORD_KEYS } from '../field-labels.ts';
import { isOfSomebody } from './environment.ts';
import type { Bond } from './leaf-class.ts';
import { looksGiven } from './looks.ts';
import type { Entry, Node } from './nodes.ts';
import { isOfQuery } from './queried.ts';
import { type KeyMeaning, meaningOfKey } from './rules/keys.ts';
import { columnOf, variableName } from './tables-of-nodes.ts';

/** Names under which the value of a pair stands, and what languages and databases wrap a value in. */
const VALUES =
  /^(?:value|val|raw|plain(?:text)?|content|text|data|input|received|rejectedvalue|actual|s|stringvalue|stringData)$/i;
/** Names under which schemas, validators and histories tell what a value was, may be or should have been. */
const FORMS =
  /^(?:v|default|const|enum|examples?|expected|got|given|provided|supplied|submitted|entered|rejected|found|attempted|tried|sent|was|current|previous|original|updated|old|new|from|to|before|after)(?:value)?$/i;
/** Names under which a validator repeats what it was given. */
const ECHOED =
  /^(?:input|received|rejected|got|actual|given|provided|supplied|submitted|entered)(?:value)?$/i;
/** Names under which the name of a pair stands. */
const LABELS = anyOf([
  ...PATH_KEYS,
  ...NAME_KEYS,
  ...SOURCE_KEYS,
  ...['k', 'header', 'variable', 'column', 'argument', 'option', 'id'],
]);
/** Where an error holds such a name among other things that it tells of its cause. */
const HOLDERS = /^(?:source|extensions)$/i;
const SAID = anyOf(WORD_KEYS);
/** Sentences about one thing: a list of them, or each under the name of a rule. */
const SENTENCES = /^(?:constraints|(?:error)?messages|errors|reasons|issues|problems|violations)$/i;
/** Where a validator puts what it knows of one thing, beneath the name of the thing. */
const INSIDE = /^(?:params|parameters|context|ctx|meta|details?|info|error|extra)$/i;
/** Names of what is told about a secret: when, where, whose, of which kind. */
const ABOUT =
  /^(?:\$?(?:type|kind|format|pattern|regex|message|msg|code|description|title|detail|hint|help|reason|error|name|field|path|loc|ur[il]|href|link|domain|host(?:name)?|port|user(?:name)?|email|login|owner|scopes?|iss(?:uer)?|aud(?:ience)?|sub|alg(?:orithm)?|version|status|state|rule|label|note|comment|namespace|region|zone|provider|method|in|ref|role|profile|environment|env|checksum|etag|commit|model|arn|service|app|schema|source|location|level|keyword|(?:schema|instance)Path|required|ids?))$/i;
const ABOUT_PARTS =
  /^(?:min|max)|[Ee]xpir|(?:_at|[a-z]At|_in|[a-z]In|_on|[a-z]On|[Dd]ate|[Tt]ime|[Ll]ength|[a-z]Ids?|_ids?)$/;
/** Lists and maps that go on with what the names above them say. */
const HIGHEST = 4;

function anyOf(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.join('|')})$`, 'i');
}

/** Does a key name the value beside it? */
export function isLabel(key: string): boolean {
  return LABELS.test(key);
}

/** Is this key only a place for a value, whose name stands elsewhere? */
export function isValueName(key: string): boolean {
  return VALUES.test(key);
}

/** Does a key tell of what stands beside it in other ways than by its own name? */
export function isMarking(key: string): boolean {
  return (
    key === 'kind' ||
    key === 'sensitive' ||
    /^(?:variables|sql|statement|parameters|params|bindings|binds|values|args|replacements)$/i.test(key) ||
    isOfQuery(key) ||
    isOfSomebody(key) ||
    ECHOED.test(key)
  );
}

/** The name that tells what a leaf is. */
export interface ToldName {
  readonly name: string;
  readonly bond: Bond;
}

const told = (name: unknown, bond: Bond = 'named'): ToldName | undefined =>
  typeof name === 'string' && name !== '' ? { name, bond } : undefined;

/** What a reader would call a leaf: its own key, the key of the list it is in, `name` beside `value`, the flag before it. */
export function nameOf(node: Node, entry: Entry): string | undefined {
  const { key } = entry;
  if (typeof key === 'number') {
    const own = listedName(node, key)?.name;
    return isTelling(own) || !isSentences(node)
      ? own
      : ((node.parent && governorOf(node.parent, node.key)) ?? own);
  }
  if (VALUES.test(key)) {
    const label = labelOf(node);
    return told(label === '' ? (typeof node.key === 'string' ? node.key : node.via?.key) : label)?.name;
  }
  // What is said about a telling name, beside it or beneath, may repeat its value.
  return (SAID.test(key) || isSentences(node) ? governorOf(node, key) : undefined) ?? (key || undefined);
}

/** The name that tells what a leaf is: its own, or what stands before, beside or above it. */
export function toldName(node: Node, entry: Entry): ToldName | undefined {
  const { key, leaf } = entry;
  if (typeof key === 'number') {
    const own = listedName(node, key);
    const list = isTelling(own?.name) || typeof node.key !== 'string' ? own : undefined;
    return list ?? memberName(node.parent, node.key) ?? own;
  }
  if (VALUES.test(key)) {
    return memberName(node, key) ?? told(nameOf(node, entry));
  }
  const variable = variableName(node, key);
  if (variable !== undefined) {
    return told(variable);
  }
  const strength = meaningOfKey(key)?.strength;
  return strength === 0 || (strength ?? 0) >= 2 ? told(key) : (memberName(node, key, leaf) ?? told(key));
}

/** What the names beside and above a member make of it. */
function memberName(node: Node | undefined, key: string | number, said?: unknown): ToldName | undefined {
  if (!node) {
    return undefined;
  }
  const governor = governorOf(node, key);
  if (governor === undefined || typeof key === 'number') {
    return told(governor, 'beneath');
  }
  if (VALUES.test(key)) {
    return told(governor);
  }
  const isPassword = meaningOfKey(governor)?.class === 'password';
  if (FORMS.test(key)) {
    return told(governor, isPassword ? 'named' : 'listed');
  }
  if (isAbout(key) || isSentences(node) || isNaming(key, said, governor)) {
    return undefined;
  }
  const isMap = node.key === governor && /s$/i.test(governor) && isOfPeople(meaningOfKey(governor));
  return told(governor, isMap ? 'named' : 'beneath');
}

/** Is it this member that says the name? */
function isNaming(key: string, said: unknown, name: string): boolean {
  return isLabel(key) && typeof said === 'string' && labelIn(said) === name;
}

function isSentences({ key }: Node): boolean {
  return typeof key === 'string' && SENTENCES.test(key);
}

function isAbout(key: string): boolean {
  return ABOUT.test(key) || ABOUT_PARTS.test(key);
}

/** `passwords`, `secrets`: a map of them has the names of their owners as its keys. */
function isOfPeople(meaning: KeyMeaning | undefined): boolean {
  return meaning?.class === 'password' || meaning?.class === 'secret';
}

/** The nearest telling name beside a member or above it. */
function governorOf(node: Node, key: string | number): string | undefined {
  const label = labelOf(node);
  if (isTelling(label)) {
    return label;
  }
  if (typeof key === 'string' && ECHOED.test(key)) {
    const said = saidName(node) || saidName(node.parent);
    if (said !== '') {
      return said;
    }
  }
  node.says.above ??= nameAbove(node, label !== '');
  return node.says.above || undefined;
}

function nameAbove(node: Node, isLabelled: boolean): string {
  let at: Node | undefined = node;
  for (let height = 0; at && height < HIGHEST; height++, at = at.parent) {
    const key = typeof at.key === 'string' ? at.key : undefined;
    const name = key === 'tokens' ? 'token' : (key ?? '');
    const meaning = meaningOfKey(name);
    const isSure = height === 0 ? !isLabelled : !isLabelled || isOfPeople(meaning);
    if (meaning && meaning.strength >= 2 && isSure && (meaning.isHint || height === 0)) {
      return name;
    }
    const beside = height > 0 && key === undefined ? '' : labelOf(at.parent);
    if (
      key !== undefined &&
      (VALUES.test(key) || SENTENCES.test(key) || INSIDE.test(key)) &&
      isTelling(beside)
    ) {
      return beside;
    }
    if (key !== undefined && (meaning?.strength === 0 || (isAbout(key) && height > 0))) {
      return '';
    }
  }
  return '';
}

/** What an entry beside a value calls it; the last part, if that is a path. A telling one goes before others. */
function labelOf(node: Node | undefined): string {
  if (!node || Array.isArray(node.source)) {
    return '';
  }
  node.says.label ??= findLabel(node);
  return node.says.label;
}

/** `isHeld`: in what tells of an error's cause, which is not looked into any further. */
function findLabel(node: Node, isHeld = false): string {
  let first = '';
  for (const { key, leaf, child } of node.entries) {
    if (typeof key !== 'string') {
      continue;
    }
    if ((key === 'sensitive' && leaf === true) || (key === 'kind' && leaf === 'Secret')) {
      return 'secret';
    }
    const isLabelling = LABELS.test(key) || (key === 'fields' && child && !Array.isArray(child.source));
    const label = isLabelling
      ? child
        ? lastStep(child)
        : typeof leaf === 'string'
          ? labelIn(leaf)
          : ''
      : '';
    const held = child && !isHeld && HOLDERS.test(key) ? findLabel(child, true) : '';
    const telling = [label, held].find(isTelling);
    if (telling !== undefined) {
      return telling;
    }
    // What looks like a secret is the name of nothing: `{auth: {key: '…'}}`.
    first ||= looksGiven(label) ? '' : label;
  }
  return first;
}

/** The name in a path: its last step that is more than a place for a value. */
export function labelIn(path: string): string {
  const steps = path.split(/[./]/);
  const place = steps.findLastIndex((step) => !isPlace(step));
  // An address is read as a whole.
  return (place >= 0 && place < steps.length - 1 ? steps[place] : path.split('.').at(-1)) ?? '';
}

function lastStep({ entries }: Node): string {
  const steps = entries.flatMap(({ leaf }) => (typeof leaf === 'string' ? [leaf] : []));
  return labelIn(steps.findLast((step) => !isPlace(step)) ?? steps.at(-1) ?? '');
}

function isPlace(step: string): boolean {
  return VALUES.test(step) || /^\d{0,9}$/.test(step);
}

const LONGEST_SAID = 200;

/** The secret that a failure's own words name: `{message: 'Invalid password', received: …}`. */
function saidName(node: Node | undefined): string {
  if (!node) {
    return '';
  }
  node.says.said ??= findSaid(node) ?? '';
  return node.says.said;
}

function findSaid(node: Node): string | undefined {
  const said = node.entries.find(
    ({ key, leaf }) => typeof key === 'string' && SAID.test(key) && typeof leaf === 'string',
  )?.leaf;
  const words = typeof said === 'string' ? said.slice(0, LONGEST_SAID).split(/[\s.,:;'"]+/) : [];
  const names = words.flatMap((word, index) => [word, word + (words[index + 1] ?? '')]);
  return names.find((name) => name.length > 3 && meaningOfKey(name)?.isHint && isTelling(name));
}

function isTelling(name: string | undefined): name is string {
  return name !== undefined && name !== '' && (meaningOfKey(name)?.strength ?? 0) >= 2;
}

function listedName(node: Node, index: number): ToldName | undefined {
  const column = columnOf(node, index, labelOf);
  if (column !== undefined) {
    return told(column.name, column.isSure ? 'cell' : 'listed');
  }
  const before = node.entries[index - 1]?.leaf;
  if (typeof before === 'string' && before.length < 60 && isTelling(before)) {
    const isHeader = /headers$/i.test(String(node.key)) && index % 2 === 1;
    return told(before, before.startsWith('-') || isHeader ? 'named' : 'listed');
  }
  if (node.key === 'tokens') {
    // A model's tokens are words; a list of access tokens is not.
    return told('token', 'listed');
  }
  return told(typeof node.key === 'string' ? node.key : wrapperOf(node));
}

/** Lists in a list have the name of the outer one. */
function wrapperOf(node: Node): unknown {
  return typeof node.key === 'number' && node.parent?.entries.length === 1 ? node.parent.key : undefined;
}
