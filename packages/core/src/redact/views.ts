import { isOfText } from './runs.ts';

/** What is read of one entry: its key, its value, and the name under which a copy must hold it. */
export type Item = readonly [key: string | number, value: unknown, name: unknown];

const ERROR_FIELDS: ReadonlySet<unknown> = new Set(['name', 'message', 'stack', 'cause', 'errors']);
const DENSE = 1e6;
const SMALL = 64;
const CHUNK = 8192;

const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

/** A collection of the web: read through its iterator, filled with `append`. */
interface WebList extends Iterable<readonly [string, unknown]> {
  append(name: string, value: unknown): void;
}

/** Whether an object is headers, search parameters or a form. */
function isWebList(value: object): value is WebList {
  return /^(?:Headers|URLSearchParams|FormData)$/.test(tagOf(value));
}

/** Objects that print as text are read as that text: a URL holds its password in `href`, bytes may spell one. */
export function textOf(value: unknown): unknown {
  if (typeof value === 'symbol') {
    return value.description ?? value;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  try {
    if (ArrayBuffer.isView(value)) {
      return latin(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    }
    const tag = tagOf(value);
    if (tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer') {
      return latin(new Uint8Array(value as ArrayBuffer));
    }
    if (tag === 'String') {
      return String.prototype.valueOf.call(value);
    }
    if (tag === 'RegExp' || tag === 'URL') {
      return String(value);
    }
    const spelt = speltBy(value);
    if (spelt !== undefined) {
      return spelt;
    }
    const { type, data } = value as { type?: unknown; data?: unknown };
    if (type === 'Buffer' && Array.isArray(data) && data.every((byte) => typeof byte === 'number')) {
      return latin(Uint8Array.from(data as number[]));
    }
  } catch {
    // What cannot be read as text is read entry by entry.
  }
  return value;
}

/** Fewer spell nothing that would be worth hiding. */
const SHORTEST_SPELT = 8;

/** What a list of bytes or of characters spells, or what JSON makes of an array of bytes: `{"0":112,"1":97,…}`. */
function speltBy(value: object): string | undefined {
  const first: unknown = (value as { readonly 0?: unknown })[0];
  if (typeof first !== 'number' && (typeof first !== 'string' || first.length !== 1)) {
    return undefined;
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : numberedIn(value);
  if (items.length < SHORTEST_SPELT || items.length > DENSE) {
    return undefined;
  }
  let text = '';
  for (const item of items) {
    if (typeof item === 'number' ? !isOfText(item) : typeof item !== 'string' || item.length !== 1) {
      return undefined;
    }
    text += typeof item === 'number' ? String.fromCharCode(item) : item;
  }
  return text;
}

/** The values of an object whose names are the numbers from 0 on; numbers come first, in their order. */
function numberedIn(value: object): readonly unknown[] {
  const names = Object.keys(value);
  return names.at(-1) === String(names.length - 1) ? Object.values(value) : [];
}

/** Bytes as text, each its own character. */
function latin(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

/** What an object says of itself to JSON; itself, if it says nothing else. */
export function jsonOf(source: object): unknown {
  const { toJSON } = source as { toJSON?: unknown };
  return typeof toJSON === 'function' && tagOf(source) !== 'Date'
    ? (toJSON.call(source, '') as unknown)
    : source;
}

/** The entries of a container. Throws where a trap does. */
export function itemsOf(source: object): Item[] {
  const out: Item[] = [];
  if (source instanceof Map) {
    for (const [key, value] of source) {
      out.push([typeof key === 'string' ? key : out.length, value, key]);
    }
  } else if (source instanceof Set) {
    for (const value of source) {
      out.push([out.length, value, out.length]);
    }
  } else if (isWebList(source)) {
    for (const [key, value] of source) {
      out.push([key, value, key]);
    }
  } else if (/^(?:Request|Response)$/.test(tagOf(source))) {
    for (const key of ['url', 'headers']) {
      out.push([key, get(source, key), key]);
    }
  } else if (Array.isArray(source)) {
    return listItems(source);
  } else {
    for (const key of keysOf(source)) {
      out.push([typeof key === 'symbol' ? (key.description ?? '') : key, get(source, key), key]);
    }
  }
  return out;
}

function listItems(source: readonly unknown[]): Item[] {
  const out: Item[] = [];
  const isDense = source.length <= DENSE;
  for (let i = 0; isDense && i < source.length; i++) {
    out.push([i, get(source, i), i]);
  }
  // A match of an expression holds the whole text it was found in as a property.
  const keys = isDense && source.length > SMALL ? [] : Object.keys(source).slice(isDense ? source.length : 0);
  for (const key of keys) {
    const name = /^\d+$/.test(key) ? Number(key) : key;
    if (!isDense || typeof name === 'string') {
      out.push([name, get(source, name), name]);
    }
  }
  return out;
}

function get(source: object, key: PropertyKey): unknown {
  try {
    return (source as Record<PropertyKey, unknown>)[key];
  } catch {
    // A getter that throws gives nothing away; the copy, if there is one, holds undefined in its place.
    return undefined;
  }
}

/** What an error holds is shown by whatever prints it, hidden or not. */
function keysOf(source: object): Array<string | symbol> {
  if (source instanceof Error) {
    return Reflect.ownKeys(source);
  }
  const symbols = Object.getOwnPropertySymbols(source);
  return symbols.length === 0 ? Object.keys(source) : [...Object.keys(source), ...symbols];
}

/** An empty container of the same kind. */
export function blankOf(source: object): object {
  if (Array.isArray(source)) {
    const copy: unknown[] = [];
    copy.length = source.length;
    return copy;
  }
  if (source instanceof Map) {
    return new Map();
  }
  if (source instanceof Set) {
    return new Set();
  }
  if (isWebList(source)) {
    return new (source.constructor as new () => object)();
  }
  const isPlain = typeof source === 'function' || /^(?:Request|Response)$/.test(tagOf(source));
  return isPlain ? {} : (Object.create(Object.getPrototypeOf(source) as object | null) as object);
}

/** Puts an entry into a copy. */
export function putInto(copy: object, source: object, name: unknown, value: unknown): void {
  if (copy instanceof Map) {
    copy.set(name, value);
  } else if (copy instanceof Set) {
    copy.add(value);
  } else if (isWebList(copy)) {
    copy.append(String(name), value);
  } else {
    // Defined, not assigned: a parsed `__proto__` is an ordinary key and must stay one.
    const enumerable = !(source instanceof Error) || !ERROR_FIELDS.has(name);
    Object.defineProperty(copy, name as PropertyKey, {
      value,
      enumerable,
      writable: true,
      configurable: true,
    });
  }
}
