/**
 * Functions of the operator's, called where nobody can wait for a promise. One that is rejected is warned of: it must
 * neither end the process nor be reported to the very function that made it.
 */
import { Misused } from '@mayday/policy';
import { enteringNoCall } from '../boundary/strays.ts';
import { warn } from './warn.ts';

/** Is it a promise, of whichever library? */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value instanceof Promise || typeof (value as { then?: unknown } | undefined | null)?.then === 'function'
  );
}

/** Calls it, and hears what becomes of its promises. What it throws is the caller's to catch. */
function hooked<T>(name: string, run: () => T): T {
  const hear = (reason: unknown): void => warn(`\`${name}\` failed`, reason);
  const value = enteringNoCall(hear, run);
  if (isThenable(value)) Promise.resolve(value).catch(hear);
  return value;
}

export { Misused };

/** What a function that has to answer at once answers. */
export function answered<T>(name: string, run: () => T): T {
  const value = hooked(name, run);
  if (isThenable(value)) throw new Misused(`Expected \`${name}\` to answer at once, got a promise`);
  return value;
}

/** Calls a function whose failure must not cost the caller the answer. */
export function quietly(name: string, run: () => unknown): void {
  try {
    hooked(name, run);
  } catch (reason) {
    warn(`\`${name}\` failed`, reason);
  }
}
