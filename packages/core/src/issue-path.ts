/** Where an issue is: paths in any of the usual spellings. */
import { isRecord, own } from './json.ts';

const LONGEST = 64;

/** A path from an array of segments, a dotted path, or a JSON pointer. */
export function pathFrom(value: unknown): readonly (string | number)[] {
  if (Array.isArray(value))
    return value
      .slice(0, LONGEST)
      .map(segment)
      .filter((item) => item !== undefined);
  if (typeof value !== 'string' || value === '') return [];
  if (value[0] === '/') return value.slice(1).split('/').map(unescapePointer);
  return value.split('.').map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : part));
}

function segment(value: unknown): string | number | undefined {
  const key = isRecord(value) ? own(value, 'key') : value;
  return typeof key === 'string' || typeof key === 'number' ? key : undefined;
}

function unescapePointer(part: string): string | number {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  return /^\d{1,9}$/.test(plain) ? Number(plain) : plain;
}

/** A path as people write it: `order.items.0.sku`. */
export function dotted(path: readonly (string | number)[]): string {
  return path.join('.');
}
