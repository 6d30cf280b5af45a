/** What makes two calls the same call. */
import type { Call } from './call.ts';
import { sha256 } from './sha256.ts';

/** Nothing that a person or a model means is nested deeper. */
const MAX_DEPTH = 1000;

/**
 * JSON with sorted keys and no blanks: two values have the same text exactly when they are the same value. A
 * list of pairs is not an object. Throws a `RangeError` for what is nested too deeply to be compared.
 */
export function canonicalJson(value: unknown): string {
  const parts: string[] = [];
  append(value, 0, parts);
  return parts.join('');
}

function append(value: unknown, depth: number, parts: string[]): void {
  if (depth > MAX_DEPTH) throw new RangeError(`Expected a value nested less than ${MAX_DEPTH} deep`);
  if (typeof value !== 'object' || value === null) {
    parts.push(scalar(value));
    return;
  }
  const isList = Array.isArray(value);
  parts.push(isList ? '[' : '{');
  if (isList) {
    for (const [at, child] of value.entries()) {
      if (at > 0) parts.push(',');
      append(child, depth + 1, parts);
    }
  } else {
    const entries = Object.entries(value).filter(([, child]) => child !== undefined);
    entries.sort(([left], [right]) => (left < right ? -1 : 1));
    for (const [at, [key, child]] of entries.entries()) {
      parts.push(at > 0 ? ',' : '', JSON.stringify(key), ':');
      append(child, depth + 1, parts);
    }
  }
  parts.push(isList ? ']' : '}');
}

/** What JSON has no word for gets one that JSON does not have either. */
function scalar(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  return JSON.stringify(value) ?? 'undefined';
}

/** The digest of what a call asks for: upstream, target, method and arguments. */
export function fingerprintOf(call: Call): string {
  const { upstream, method = 'tools/call', target = null } = call;
  return sha256(canonicalJson([upstream, method, target, call.arguments ?? {}]));
}
