import { type Item, itemsOf, jsonOf, textOf } from './views.ts';

/** One entry of a container: a leaf that may hold text, or another container. */
export interface Entry {
  readonly key: string | number;
  readonly child: Node | undefined;
  /** A map's key may be a container too. */
  readonly keyChild: Node | undefined;
  /** What a leaf says: itself, or the text that an object like a URL stands for. */
  readonly leaf: unknown;
  /** What goes into the copy under which name; the original until a rule changes it. */
  next: unknown;
  name: unknown;
}

/** What a leaf says by now: a neighbour may have changed it. */
export function saidBy({ next, leaf }: Entry): unknown {
  return typeof next === 'string' ? next : leaf;
}

/** What a container says of what is in it; empty where it says nothing. */
interface Sayings {
  /** The name that a value in it has, if an entry beside it says so. */
  label?: string;
  /** The telling name above it. */
  above?: string;
  /** The secret that a message in it names. */
  said?: string;
  /** Whether it holds what a statement was run with. */
  isBound?: boolean;
  /** Whether a frame of a trace holds it. */
  isHeld?: boolean;
  /** Whether it holds what a database was asked with. */
  isQueried?: boolean;
  /** Whether it is a frame of a trace, and of which kind. */
  frame?: 'list' | 'trace' | 'alone' | '';
  /** What the query that it belongs to calls its variables. */
  variables?: ReadonlyMap<string, string>;
  /** Whether the lists in it are pairs rather than rows. */
  arePairs?: boolean;
  /** The heads of the table whose rows it holds. */
  heads?: Node | null;
}

/** One container of a value, opened for reading. The walk keeps a list of them, never the call stack. */
export interface Node {
  readonly source: object;
  readonly parent: Node | undefined;
  readonly key: string | number;
  /** The entry of the parent that led here. */
  via: Entry | undefined;
  readonly entries: Entry[];
  readonly holders: Node[];
  /** What the container says of itself to JSON. Where that must change, it takes the container's place. */
  json: Node | undefined;
  /** Whether nobody can read it: it goes as a whole. */
  unreadable: boolean;
  /** Its JSON path, once a finding asked for it. */
  path: string | undefined;
  /** What it says of what is in it, once somebody asked: see {@link Sayings}. */
  readonly says: Sayings;
  dirty: boolean;
  copy: unknown;
}

/** A container in which nothing was looked at yet. */
export function createNode(source: object, parent: Node | undefined, key: string | number): Node {
  return {
    source,
    parent,
    key,
    via: undefined,
    entries: [],
    holders: [],
    json: undefined,
    unreadable: false,
    path: undefined,
    says: {},
    dirty: false,
    copy: undefined,
  };
}

/** More containers than this are nobody's message, but a getter that makes a new one each time. */
const MOST_NODES = 1_000_000;

/**
 * Opens a value: all its containers, the first of which is an array that holds the value. Cycles and sharing are kept.
 * Total: whatever a getter, a trap or `toJSON` does.
 */
export function open(value: unknown): Node[] {
  const nodes: Node[] = [];
  const seen = new Map<object, Node>();
  const enter = (source: object, parent: Node | undefined, key: string | number): Node => {
    let node = seen.get(source);
    if (!node) {
      node = createNode(source, parent, key);
      seen.set(source, node);
      nodes.push(node);
    }
    if (parent) {
      node.holders.push(parent);
    }
    return node;
  };
  const add = (node: Node, [key, next, name]: Item): void => {
    const leaf = textOf(next);
    const isObject = (one: unknown): one is object =>
      (typeof one === 'object' && one !== null) || (typeof one === 'function' && one === next);
    const child = isObject(leaf) ? enter(leaf, node, key) : undefined;
    const keyChild = typeof name === 'object' && name !== null ? enter(name, node, key) : undefined;
    const entry: Entry = { key, child, keyChild, leaf, next, name };
    node.entries.push(entry);
    if (child) {
      child.via ??= entry;
    }
  };
  enter([value], undefined, '');
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as Node;
    try {
      if (i >= MOST_NODES) {
        throw new RangeError('More containers than a message has');
      }
      for (const item of itemsOf(node.source)) {
        add(node, item);
      }
      const json = jsonOf(node.source);
      if (json !== node.source) {
        node.json = enter([json], node, node.key);
      }
    } catch {
      // A revoked proxy, a trap that throws: what cannot be read cannot be passed on either.
      node.unreadable = true;
    }
  }
  return nodes;
}
