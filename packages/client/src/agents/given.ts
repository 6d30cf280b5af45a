/** What an adapter is given: tools that are there, and that nobody has wrapped yet. */
import { hush } from '@mayday/policy';

const resilient = new WeakSet<object>();

/** The same, known as one that repeats calls by itself. */
export function asResilient<T extends object>(made: T): T {
  resilient.add(made);
  return made;
}

/** Refuses what is already resilient: attempts would multiply. */
export function checkFresh(given: object, what: string): void {
  if (resilient.has(given))
    throw new TypeError(`Expected ${what} that is not resilient yet; this one already is`);
}

/** Refuses what is nothing of the kind, a promise of it above all. */
export function checkGiven(given: unknown, what: string, isOne: (given: object) => boolean): void {
  if (typeof given === 'object' && given !== null) {
    if (typeof (given as { readonly then?: unknown }).then === 'function') {
      hush(given);
      throw new TypeError(`Expected ${what}, got a promise: await it first`);
    }
    if (isOne(given)) return;
  }
  throw new TypeError(`Expected ${what}, got ${nameOf(given)}`);
}

function nameOf(given: unknown): string {
  if (given === null) return 'null';
  return Array.isArray(given) ? 'an array' : typeof given;
}
