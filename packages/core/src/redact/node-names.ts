import type { Entry, Node } from './nodes.ts';
import { meaningOfKey } from './rules/keys.ts';

/** Names under which the value of a pair stands, and what languages and databases wrap a value in. */
const VALUES =
  /^(?:value|val|raw|plain(?:text)?|content|text|data|input|received|rejectedvalue|actual|s|stringvalue|stringData)$/i;
/** Names under which the name of a pair stands. */
const LABELS = /^(?:name|key|header|field|param(?:eter)?|variable|property|path|loc|id)$/i;
const ROWS = /^(?:rows|values|data|records)$/i;
const COLUMNS = /^(?:columns|fields|headers?|names)$/i;

/** Does a key name the value beside it? */
export function isLabel(key: string): boolean {
  return LABELS.test(key);
}

/** Is this key only a place for a value, whose name stands elsewhere? */
export function isValueName(key: string): boolean {
  return VALUES.test(key);
}

/** A leaf's name, and how surely it is one. */
export interface LeafName {
  readonly name: string;
  /** Whether only the place in a list ties them. */
  readonly isListed: boolean;
}

/** The name that governs a leaf: its own key, the key of the list it is in, `name` beside `value`, the flag before it. */
export function nameOf(node: Node, entry: Entry): LeafName | undefined {
  const { key } = entry;
  if (typeof key === 'number') {
    return listedName(node, key);
  }
  if (VALUES.test(key)) {
    node.label ??= labelOf(node) ?? '';
    return named(node.label === '' ? (typeof node.key === 'string' ? node.key : node.via?.key) : node.label);
  }
  return named(key);
}

const named = (name: unknown): LeafName | undefined =>
  typeof name === 'string' && name !== '' ? { name, isListed: false } : undefined;

/** What an entry beside a value calls it; the last part, if that is a path. */
function labelOf(node: Node): string | undefined {
  for (const { key, leaf, child } of node.entries) {
    if (typeof key === 'string' && LABELS.test(key)) {
      const label = child ? child.entries.findLast((entry) => typeof entry.leaf === 'string')?.leaf : leaf;
      if (typeof label === 'string') {
        return label.split('.').at(-1);
      }
    }
  }
  return undefined;
}

function listedName(node: Node, index: number): LeafName | undefined {
  const column = columnOf(node, index);
  if (column !== undefined) {
    return named(column);
  }
  const before = node.entries[index - 1]?.leaf;
  if (typeof before === 'string' && before.length < 60 && (meaningOfKey(before)?.strength ?? 0) >= 2) {
    const isHeader = /headers$/i.test(String(node.key)) && index % 2 === 1;
    return { name: before, isListed: !before.startsWith('-') && !isHeader };
  }
  if (node.key === 'tokens') {
    // A model's tokens are words; a list of access tokens is not.
    return { name: 'token', isListed: true };
  }
  return named(typeof node.key === 'string' ? node.key : wrapperOf(node));
}

/** Lists in a list have the name of the outer one. */
function wrapperOf(node: Node): unknown {
  return typeof node.key === 'number' && node.parent?.entries.length === 1 ? node.parent.key : undefined;
}

/** The head of the column that a cell is in: `{columns: [...], rows: [[...]]}`. */
function columnOf(node: Node, index: number): unknown {
  const rows = node.parent;
  const table = rows?.parent;
  if (!table || !Array.isArray(rows.source) || !ROWS.test(String(rows.key))) {
    return undefined;
  }
  const heads = table.entries.find(({ key, child }) => child && COLUMNS.test(String(key)))?.child;
  return heads?.entries[index]?.leaf;
}

const PATH_STEPS = 48;
const LONGEST_STEP = 80;

/** The JSON path of an entry. Very deep ones are cut in front, so that the path of each finding costs the same. */
export function pathOf(node: Node, entry: Entry): string {
  node.path ??= pathTo(node);
  return node.parent && node.parent.json !== node ? node.path + step(entry.name ?? entry.key) : node.path;
}

function pathTo(node: Node): string {
  const steps: string[] = [];
  let at = node;
  while (at.parent?.parent && steps.length < PATH_STEPS) {
    // What a container says of itself to JSON has its container's path.
    if (at.parent.json !== at) {
      steps.unshift(step(typeof at.key === 'number' ? at.key : (at.via?.name ?? at.key)));
    }
    at = at.parent;
  }
  return (at.parent?.parent ? '$…' : '$') + steps.join('');
}

function step(name: unknown): string {
  const text = typeof name === 'symbol' ? name.description : name;
  if (typeof text !== 'string') {
    return `[${typeof text === 'number' ? text : '?'}]`;
  }
  const short = text.length > LONGEST_STEP ? `${text.slice(0, LONGEST_STEP)}…` : text;
  return /^[A-Za-z_$][\w$]*$/.test(short) ? `.${short}` : `[${JSON.stringify(short)}]`;
}
