/** Where an issue is: paths in any of the usual spellings. */
import { isRecord, own } from './json.ts';

const LONGEST = 64;

/** Is it a JSON pointer, be it as a fragment of a URI? */
function isPointer(text: string): boolean {
  return /^#?\//.test(text);
}

/** A path from an array of segments, a dotted path, or a JSON pointer. */
export function pathFrom(value: unknown): readonly (string | number)[] {
  if (Array.isArray(value))
    return value
      .slice(0, LONGEST)
      .map(segment)
      .filter((item) => item !== undefined);
  if (typeof value !== 'string' || value === '' || value === '#') return [];
  if (isPointer(value)) return stepsOfPointer(value);
  return (isOneName(value) ? [value] : value.split('.')).map((part) =>
    /^\d{1,9}$/.test(part) ? Number(part) : part,
  );
}

/** Somebody's address is no path, whatever stands between its parts: in pieces nobody would know it for one. */
function isOneName(text: string): boolean {
  return /\w@\w|:\/\//.test(text);
}

function segment(value: unknown): string | number | undefined {
  const key = isRecord(value) ? own(value, 'key') : value;
  return typeof key === 'string' || typeof key === 'number' ? key : undefined;
}

/** The steps of a JSON pointer. */
function stepsOfPointer(pointer: string): (string | number)[] {
  const isFragment = pointer[0] === '#';
  const steps = pointer.slice(isFragment ? 2 : 1).split('/');
  return steps.map((step) => unescapePointer(isFragment ? decoded(step) : step));
}

/** What a fragment of a URI says. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it was never encoded
  }
}

function unescapePointer(part: string): string | number {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  return /^\d{1,9}$/.test(plain) ? Number(plain) : plain;
}

/** `a.b[0]`, `/a/b/0` and `$.a.b` as steps. */
export function stepsOf(path: string): (string | number)[] {
  if (isPointer(path))
    return stepsOfPointer(path)
      .filter((step) => step !== '')
      .slice(0, 32);
  if (isOneName(path)) return [path];
  return path
    .split(/[./[\]]+/)
    .filter((step) => step !== '' && step !== '$' && step !== '#')
    .slice(0, 32)
    .map((step) => (/^\d{1,9}$/.test(step) ? Number(step) : step));
}

/** A path as people write it: `order.items.0.sku`. */
export function dotted(path: readonly (string | number)[]): string {
  return path.join('.');
}
