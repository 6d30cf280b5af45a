/** One entry of a container: a leaf that may hold text, or another container. */
export interface Entry {
  readonly key: string | number;
  readonly child: Node | undefined;
  /** What a leaf says: itself, or the text that an object like a URL stands for. */
  readonly leaf: unknown;
  /** What goes into the copy under which name; the original until a rule changes it. */
  next: unknown;
  name: unknown;
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
  /** Its JSON path, once a finding asked for it. */
  path: string | undefined;
  dirty: boolean;
  copy: object | undefined;
}

const ERROR_FIELDS = ['name', 'message', 'stack', 'cause', 'errors'];
const BYTES_READ = 1 << 20;
const DENSE = 1e6;

/** Opens a value: all its containers, the first of which is an array that holds the value. Cycles and sharing are kept. */
export function open(value: unknown): Node[] {
  const nodes: Node[] = [];
  const seen = new Map<object, Node>();
  const enter = (source: object, parent: Node | undefined, key: string | number): Node => {
    let node = seen.get(source);
    if (!node) {
      node = {
        source,
        parent,
        key,
        via: undefined,
        entries: [],
        holders: [],
        path: undefined,
        dirty: false,
        copy: undefined,
      };
      seen.set(source, node);
      nodes.push(node);
    }
    if (parent) {
      node.holders.push(parent);
    }
    return node;
  };
  enter([value], undefined, '');
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as Node;
    for (const [key, next, name] of read(node.source)) {
      const leaf = asText(next);
      const child = typeof leaf === 'object' && leaf !== null ? enter(leaf, node, key) : undefined;
      const entry: Entry = { key, child, leaf, next, name };
      node.entries.push(entry);
      if (child) {
        child.via ??= entry;
      }
    }
  }
  return nodes;
}

/** Objects that print as text are read as that text: a URL holds its password in `href`, bytes may spell one. */
function asText(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  try {
    if (ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value.buffer, value.byteOffset, Math.min(value.byteLength, BYTES_READ));
      return bytes.reduce((text, byte) => text + String.fromCharCode(byte), '');
    }
    const { toJSON } = value as { toJSON?: unknown };
    const text: unknown = typeof toJSON === 'function' ? toJSON.call(value) : value;
    return typeof text === 'string' ? text : value;
  } catch {
    // What cannot be read as text is read entry by entry.
    return value;
  }
}

type Read = readonly [key: string | number, value: unknown, name: unknown];

function read(source: object): Read[] {
  const out: Read[] = [];
  if (source instanceof Map) {
    for (const [key, value] of source) {
      out.push([typeof key === 'string' ? key : out.length, value, key]);
    }
  } else if (source instanceof Set) {
    for (const value of source) {
      out.push([out.length, value, out.length]);
    }
  } else if (Array.isArray(source) && source.length <= DENSE) {
    for (let i = 0; i < source.length; i++) {
      out.push([i, tryGet(source, i), i]);
    }
  } else {
    for (const key of keysOf(source)) {
      const name = Array.isArray(source) ? Number(key) : key;
      out.push([name, tryGet(source, name), name]);
    }
  }
  return out;
}

function tryGet(source: object, key: string | number): unknown {
  try {
    return (source as Record<string | number, unknown>)[key];
  } catch {
    // A getter that throws gives nothing away; the copy, if there is one, holds undefined in its place.
    return undefined;
  }
}

function keysOf(source: object): string[] {
  try {
    const keys = Object.keys(source);
    const hidden = source instanceof Error ? ERROR_FIELDS.filter((key) => Object.hasOwn(source, key)) : [];
    return [...hidden.filter((key) => !keys.includes(key)), ...keys];
  } catch {
    // A proxy that refuses to list its keys has nothing to show.
    return [];
  }
}

/** The name that governs a leaf: its own key, the key of the list it is in, or `name` beside a `value`. */
export function nameOf(node: Node, key: string | number): string | undefined {
  if (typeof key === 'number') {
    return typeof node.key === 'string' ? node.key : undefined;
  }
  if (/^(?:value|val|raw|plain(?:text)?|content)$/i.test(key)) {
    const isLabel = /^(?:name|key|header|field|param(?:eter)?|variable)$/i;
    const label = node.entries.find((entry) => isLabel.test(String(entry.key)))?.leaf;
    return typeof label === 'string' ? label : String(node.key);
  }
  return key;
}

const PATH_STEPS = 48;
const LONGEST_STEP = 80;

/** The JSON path of an entry. Very deep ones are cut in front, so that the path of each finding costs the same. */
export function pathOf(node: Node, entry: Entry): string {
  node.path ??= pathTo(node);
  return node.parent ? node.path + step(entry.name ?? entry.key) : node.path;
}

function pathTo(node: Node): string {
  const steps: string[] = [];
  let at = node;
  while (at.parent?.parent && steps.length < PATH_STEPS) {
    steps.unshift(step(typeof at.key === 'number' ? at.key : (at.via?.name ?? at.key)));
    at = at.parent;
  }
  return (at.parent?.parent ? '$…' : '$') + steps.join('');
}

function step(name: unknown): string {
  if (typeof name !== 'string') {
    return `[${typeof name === 'number' ? name : '?'}]`;
  }
  const short = name.length > LONGEST_STEP ? `${name.slice(0, LONGEST_STEP)}…` : name;
  return /^[A-Za-z_$][\w$]*$/.test(short) ? `.${short}` : `[${JSON.stringify(short)}]`;
}

/** Builds the changed value. Containers without a change inside are the originals. */
export function rebuild(nodes: readonly Node[]): unknown {
  const dirty = new Set(nodes.filter((node) => node.dirty));
  for (const node of dirty) {
    for (const holder of node.holders) {
      dirty.add(holder);
    }
  }
  for (const node of dirty) {
    node.copy = blank(node.source);
  }
  for (const node of dirty) {
    for (const entry of node.entries) {
      write(node, entry, entry.child?.copy ?? entry.next);
    }
  }
  const [root] = nodes;
  return Array.isArray(root?.copy) ? root.copy[0] : undefined;
}

function blank(source: object): object {
  if (Array.isArray(source)) {
    const copy: unknown[] = [];
    copy.length = source.length;
    return copy;
  }
  return source instanceof Map
    ? new Map()
    : source instanceof Set
      ? new Set()
      : (Object.create(Object.getPrototypeOf(source)) as object);
}

function write({ copy, source }: Node, { key, name }: Entry, value: unknown): void {
  if (copy instanceof Map) {
    copy.set(name, value);
  } else if (copy instanceof Set) {
    copy.add(value);
  } else if (copy) {
    // Defined, not assigned: a parsed `__proto__` is an ordinary key and must stay one.
    const enumerable = !(source instanceof Error) || !ERROR_FIELDS.includes(String(key));
    Object.defineProperty(copy, name as string, { value, enumerable, writable: true, configurable: true });
  }
}
