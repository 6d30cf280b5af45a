/**
 * Can a value be sent? A transport that fails to serialise an answer sends none at all, so it is found out
 * before. Walking is much cheaper than serialising twice: strings, however long, cost nothing.
 */

const MAX_DEPTH = 512;

/** True when `JSON.stringify` will not throw. */
export function isJsonSafe(value: unknown): boolean {
  try {
    return walk(value, 0);
  } catch {
    return false; // a getter or a proxy that throws would throw again when it is sent
  }
}

/** Cycles show as endless depth; a value nested deeper than the limit could not be read by anybody anyway. */
function walk(value: unknown, depth: number): boolean {
  if (typeof value !== 'object') return typeof value !== 'bigint';
  if (value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!walk(value[i], depth + 1)) return false;
    return true;
  }
  // Looking for a member that is not there is the dear part, and plain objects do not inherit it.
  if (Object.getPrototypeOf(value) !== Object.prototype) return serialises(value);
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key];
    if (typeof child === 'function' && key === 'toJSON') return serialises(value);
    if (!walk(child, depth + 1)) return false;
  }
  return true;
}

function serialises(value: object): boolean {
  JSON.stringify(value);
  return true;
}
