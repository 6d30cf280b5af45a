/**
 * What a foreign object carries, whatever it is: headers, addresses, forms, bytes, maps, and what a class keeps to itself and
 * tells whoever asks. Nothing here throws, and nothing is read without an end.
 */
import { namesSecret } from '@mayday/core/redact';

/** A member, and the name that a reader knows it by. */
export type Member = readonly [name: string, member: unknown];

/** Where it was thrown says nothing of what was. */
const STACK = 'stack';
/** What something says to JSON is its value: the name above it is its name. */
const VALUE = 'value';
const WEB_LIST = /^(?:Headers|URLSearchParams|FormData)$/;
const EXCHANGE = /^(?:Request|Response)$/;

/** The text that an object stands for, as far as so many letters; `undefined` where it is read member by member. */
export function textCarried(holder: object, most: number): string | undefined {
  try {
    if (ArrayBuffer.isView(holder))
      return textIn(new Uint8Array(holder.buffer, holder.byteOffset, holder.byteLength), most);
    const tag = tagOf(holder);
    if (/^(?:Shared)?ArrayBuffer$/.test(tag)) return textIn(new Uint8Array(holder as ArrayBuffer), most);
    if (holder instanceof String) return String.prototype.valueOf.call(holder).slice(0, most);
    return tag === 'URL' ? String(holder).slice(0, most) : undefined;
  } catch {
    return undefined; // named like one, and none
  }
}

/** Is it read as a list? */
export function isListed(holder: object): boolean {
  try {
    return Array.isArray(holder) || holder instanceof Set;
  } catch {
    return false; // a proxy that was revoked
  }
}

/** What it carries: so many members at most, what it holds itself before what it makes of itself. */
export function carriedBy(holder: object, most: number): readonly Member[] {
  const found: Member[] = [];
  for (const members of [contentsOf, ownOf, computedBy, saidToJson]) {
    try {
      for (const member of members(holder)) {
        if (found.length >= most) return found;
        found.push(member);
      }
    } catch {
      // a trap, or a getter
    }
  }
  return found;
}

/** What stands in a collection, which has no members for it. */
function* contentsOf(holder: object): Generator<Member> {
  if (holder instanceof Map) {
    let at = 0;
    for (const [key, value] of holder as Map<unknown, unknown>) {
      at += 1;
      if (typeof key === 'object') yield [`key ${at}`, key];
      yield [typeof key === 'symbol' ? (key.description ?? '') : labelOf(key, at), value];
    }
  }
  if (holder instanceof Set) for (const value of holder) yield ['', value];
  const tag = tagOf(holder);
  if (WEB_LIST.test(tag)) yield* withoutDoubles(holder as Iterable<Member>);
  if (EXCHANGE.test(tag))
    for (const name of ['url', 'headers'])
      yield [name, (holder as { readonly [name: string]: unknown })[name]];
}

function labelOf(key: unknown, at: number): string {
  return typeof key === 'string' || typeof key === 'number' ? String(key) : `entry ${at}`;
}

/** Several cookies have one name. */
const MOST_ENTRIES = 1000;

function* withoutDoubles(entries: Iterable<Member>): Generator<Member> {
  const byName = new Map<string, unknown[]>();
  let left = MOST_ENTRIES;
  for (const [name, value] of entries) {
    left -= 1;
    if (left < 0) break;
    const values = byName.get(String(name));
    if (values === undefined) byName.set(String(name), [value]);
    else values.push(value);
  }
  for (const [name, values] of byName) yield [name, values.length === 1 ? values[0] : values];
}

/** Its own members, hidden or not where it is an exception, and those under symbols. */
function* ownOf(holder: object): Generator<Member> {
  const names = holder instanceof Error ? Object.getOwnPropertyNames(holder) : Object.keys(holder);
  for (const key of [...names, ...Object.getOwnPropertySymbols(holder)]) {
    if (key === STACK) continue;
    const name = typeof key === 'symbol' ? (key.description ?? '') : key;
    const own = Object.getOwnPropertyDescriptor(holder, key);
    if (own?.get === undefined) yield [name, own?.value];
    else if (isAsked(holder, name)) yield [name, asked(holder, own.get)];
  }
}

/**
 * What its class has a getter for. Those of exceptions are made to be read; of anything else they may open a connection or
 * take a thing out of a stream, and only one that is named like a secret is asked.
 */
function* computedBy(holder: object): Generator<Member> {
  let owner = Object.getPrototypeOf(holder) as object | null;
  for (let height = 0; height < HIGHEST && owner !== null && !BUILT_IN.has(owner); height += 1) {
    for (const [name, get] of gettersOf(owner)) {
      if (isAsked(holder, name)) yield [name, asked(holder, get)];
    }
    owner = Object.getPrototypeOf(owner) as object | null;
  }
}

const HIGHEST = 10;
const BUILT_IN: ReadonlySet<object> = new Set([
  Object.prototype,
  Error.prototype,
  Array.prototype,
  Function.prototype,
  Map.prototype,
  Set.prototype,
]);

type Getter = () => unknown;
/** A class has many instances. */
const known = new WeakMap<object, readonly (readonly [name: string, get: Getter])[]>();

function gettersOf(owner: object): readonly (readonly [name: string, get: Getter])[] {
  const before = known.get(owner);
  if (before !== undefined) return before;
  const found = Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([name, { get }]) =>
    get === undefined || name === STACK ? [] : [[name, get] as const],
  );
  known.set(owner, found);
  return found;
}

function isAsked(holder: object, name: string): boolean {
  return holder instanceof Error || namesSecret(name);
}

function asked(holder: object, get: Getter): unknown {
  try {
    return settled(get.call(holder));
  } catch {
    return undefined;
  }
}

/** What it says of itself to JSON: what is behind a proxy that has an answer to everything is not asked. */
function* saidToJson(holder: object): Generator<Member> {
  if (holder instanceof Date) return;
  let owner: object | null = holder;
  for (let height = 0; height < HIGHEST && owner !== null; height += 1) {
    const toJson: unknown = Object.getOwnPropertyDescriptor(owner, 'toJSON')?.value;
    if (typeof toJson === 'function') {
      const said = settled(toJson.call(holder, ''));
      if (said !== holder) yield [VALUE, said];
      return;
    }
    owner = Object.getPrototypeOf(owner) as object | null;
  }
}

/** What fails later, and was only asked for here, is nobody's failure. */
function settled(value: unknown): unknown {
  if (!(value instanceof Promise)) return value;
  void Promise.prototype.then.call(value, undefined, () => undefined);
  return undefined;
}

function tagOf(holder: object): string {
  return Object.prototype.toString.call(holder).slice(8, -1);
}

/** Bytes that are a text, as that text; what else stands in bytes is nobody's message. */
function textIn(bytes: Uint8Array, most: number): string {
  const encoding = encodingOf(bytes);
  const part = bytes.slice(0, Math.min(most, MOST_BYTES) * (encoding === 'utf-8' ? 1 : 2));
  const text = new TextDecoder(encoding).decode(part);
  const odd = text.match(ODD)?.length ?? 0;
  return odd * MOST_ODD > text.length ? '' : text;
}

const MOST_BYTES = 64 * 1024;
/** One letter of so many. */
const MOST_ODD = 10;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no text has
const ODD = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g;

/** Two bytes a letter, the upper one of which is zero in most languages. */
function encodingOf([first, second, third, fourth]: Uint8Array): string {
  if (second === 0 && fourth === 0 && first !== 0 && third !== 0) return 'utf-16le';
  return first === 0 && third === 0 && second !== 0 && fourth !== 0 ? 'utf-16be' : 'utf-8';
}
