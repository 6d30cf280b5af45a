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
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return JSON.stringify(value) !== undefined;
  for (const key in value) if (!walk((value as Record<string, unknown>)[key], depth + 1)) return false;
  return true;
}
