/**
 * Can a value be sent? A transport that fails to serialise an answer sends none at all, so it is found out
 * before. Walking is much cheaper than serialising twice: strings, however long, cost nothing.
 */

const MAX_DEPTH = 512;

/** True when `JSON.stringify` will not throw. */
export function isJsonSafe(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  try {
    return walk(value, 0);
  } catch {
    return false; // a getter or a proxy that throws would throw again when it is sent
  }
}

/** Are they blocks of text, and nothing else? Almost every content is, and need not be walked; what throws here throws again. */
export function areTexts(blocks: unknown): boolean {
  if (!Array.isArray(blocks)) return false;
  for (let i = 0; i < blocks.length; i++) if (!isText(blocks[i])) return false;
  return true;
}

function isText(block: unknown): boolean {
  if (typeof block !== 'object' || block === null) return false;
  if (Object.getPrototypeOf(block) !== Object.prototype) return false;
  for (const name in block) if (name !== 'type' && name !== 'text') return false;
  const { type, text } = block as { readonly type?: unknown; readonly text?: unknown };
  return typeof type === 'string' && typeof text === 'string';
}

/** Cycles show as endless depth; a value nested deeper than the limit could not be read by anybody anyway. */
function walk(value: object, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const child: unknown = value[i];
      if (typeof child === 'object' ? child !== null && !walk(child, depth + 1) : typeof child === 'bigint')
        return false;
    }
    return true;
  }
  // Looking for a member that is not there is the dear part, and plain objects do not inherit it.
  if (Object.getPrototypeOf(value) !== Object.prototype) return serialises(value);
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key];
    const type = typeof child;
    if (type === 'string') continue; // almost all of them
    if (type === 'object' ? child !== null && !walk(child as object, depth + 1) : type === 'bigint')
      return false;
    if (type === 'function' && key === 'toJSON') return serialises(value);
  }
  return true;
}

function serialises(value: object): boolean {
  JSON.stringify(value);
  return true;
}
