/**
 * Looking at foreign values without trusting them: any property may be missing, of another type, a getter
 * that throws, or inherited from a prototype somebody tampered with.
 */
import type { Json, JsonObject } from './fault.ts';

/** An object whose members are not known. */
export type Unknown = { readonly [key: string]: unknown };

/** Is it an object with members, rather than an array or a primitive? */
export function isRecord(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const { hasOwnProperty: hasOwn } = Object.prototype;

/** The value of an own property; `undefined` when there is none or reading it throws. */
export function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const found = (value as Unknown)[key];
    // Most members asked for are absent: the cheap look comes first, the proof that it is not inherited second.
    return found !== undefined && hasOwn.call(value, key) ? found : undefined;
  } catch {
    return undefined; // a getter or a proxy trap threw: as good as absent
  }
}

/**
 * What was found under a key, if it is the value's own. Where one function asks all sorts of values for all sorts of
 * keys, an engine learns no shape; where a place asks for its few members itself, it does.
 */
export function ifOwn(value: object, key: string, found: unknown): unknown {
  return found !== undefined && hasOwn.call(value, key) ? found : undefined;
}

/** The value of a property, own or inherited: live objects keep theirs on prototypes. Never throws. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return (value as Unknown)[key];
  } catch {
    return undefined; // a getter or a proxy trap threw: as good as absent
  }
}

/** An own property, if it is an object with members. */
export function ownRecord(value: unknown, key: string): Unknown | undefined {
  const found = own(value, key);
  return isRecord(found) ? found : undefined;
}

/** An own property, if it is a string. */
export function ownString(value: unknown, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** An own property, if it is a finite number. */
export function ownNumber(value: unknown, key: string): number | undefined {
  const found = own(value, key);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** An own property, if it is an integer. */
export function ownInteger(value: unknown, key: string): number | undefined {
  const found = own(value, key);
  return Number.isSafeInteger(found) ? (found as number) : undefined;
}

/** An own property, if it is a boolean. */
export function ownBoolean(value: unknown, key: string): boolean | undefined {
  const found = own(value, key);
  return typeof found === 'boolean' ? found : undefined;
}

/** An own property, if it is an array. */
export function ownArray(value: unknown, key: string): readonly unknown[] | undefined {
  const found = own(value, key);
  return Array.isArray(found) ? found : undefined;
}

/** The first of several spellings that holds a string. */
export function firstString(value: unknown, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = ownString(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The parsed text, if it is a JSON object or array; anything else is not worth the attempt. */
export function parseJson(text: string): unknown {
  const first = text.charCodeAt(0) > 32 ? text[0] : text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not JSON after all: the caller treats it as text
  }
}

const MAX_DEPTH = 32;
const MAX_NODES = 10_000;

/**
 * A plain JSON copy of a foreign value, bounded in depth and size, so that cycles, getters, functions and
 * nesting that would overflow `JSON.stringify` cannot travel any further. `undefined` when nothing is left.
 */
export function toJson(value: unknown): Json | undefined {
  return copy(value, MAX_DEPTH, { left: MAX_NODES });
}

/** Like `toJson`, for a value that has to be an object; `undefined` when it is none or empty. */
export function toJsonObject(value: unknown): JsonObject | undefined {
  if (!isRecord(value)) return undefined;
  const copied = toJson(value) as JsonObject | undefined;
  return copied === undefined || Object.keys(copied).length === 0 ? undefined : copied;
}

/** A plain JSON copy of the members that `keep` wants; `undefined` when nothing is left. */
export function pickJson(value: unknown, keep: (key: string) => boolean): JsonObject | undefined {
  if (!isRecord(value)) return undefined;
  let picked: { [key: string]: Json } | undefined;
  for (const key of ownKeys(value)) {
    const member = keep(key) ? toJson(own(value, key)) : undefined;
    if (member === undefined) continue;
    picked ??= {};
    if (key === '__proto__') keepMember(picked, member);
    else picked[key] = member;
  }
  return picked;
}

/** One by one, bytes say nothing, and may spell a secret. */
export function bytesIn({ byteLength }: ArrayBufferView): string {
  return `${byteLength} bytes`;
}

function copy(value: unknown, depth: number, budget: { left: number }): Json | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return undefined;
  budget.left -= 1;
  if (depth === 0 || budget.left < 0) return undefined;
  if (Array.isArray(value)) return copyArray(value, depth, budget);
  if (ArrayBuffer.isView(value)) return bytesIn(value);
  const out: Record<string, Json> = {};
  for (const key of ownKeys(value)) {
    const member = copy(own(value, key), depth - 1, budget);
    if (member === undefined) continue;
    if (key === '__proto__') keepMember(out, member);
    else out[key] = member;
  }
  return out;
}

/** A key named `__proto__` must stay a member, not become the prototype. */
function keepMember(out: object, value: Json): void {
  Object.defineProperty(out, '__proto__', { value, enumerable: true, writable: true, configurable: true });
}

function copyArray(value: readonly unknown[], depth: number, budget: { left: number }): Json[] {
  const out: Json[] = [];
  for (const item of value) {
    if (budget.left <= 0) break;
    budget.left -= 1;
    out.push(copy(item, depth - 1, budget) ?? null);
  }
  return out;
}

/** The names of all members; none where they cannot be listed. */
export function ownKeys(value: object): readonly string[] {
  try {
    return Object.keys(value);
  } catch {
    return []; // a proxy that refuses to list its keys has none
  }
}
