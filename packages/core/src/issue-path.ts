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
  if (value[0] === '/') return stepsOfPointer(value);
  return (isOneName(value) ? [value] : value.split('.')).map((part) =>
    /^\d{1,9}$/.test(part) ? Number(part) : part,
  );
}

/** Somebody's address is no path, whatever stands between its parts: in pieces nobody would know it for one. */
export function isOneName(text: string): boolean {
  return /\w@\w|:\/\//.test(text);
}

function segment(value: unknown): string | number | undefined {
  const key = isRecord(value) ? own(value, 'key') : value;
  return typeof key === 'string' || typeof key === 'number' ? key : undefined;
}

/** The steps of a JSON pointer. */
export function stepsOfPointer(pointer: string): (string | number)[] {
  return pointer.slice(1).split('/').map(unescapePointer);
}

function unescapePointer(part: string): string | number {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  return /^\d{1,9}$/.test(plain) ? Number(plain) : plain;
}

/** A path as people write it: `order.items.0.sku`. */
export function dotted(path: readonly (string | number)[]): string {
  return path.join('.');
}
