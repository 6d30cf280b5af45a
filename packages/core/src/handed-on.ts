/**
 * Options that somebody copied from a fault. What a fault says of another call (`executed: 'no'`) is no word of whoever
 * copies it into a fault of their own.
 */
import type { Retry } from './fault.ts';

const MADE: unique symbol = Symbol.for('dev.mayday/made-retries') as never;

/** Every fault has a `retry` of its own, and a spread takes it along. One set for all copies of this package. */
function made(): WeakSet<object> {
  const host = globalThis as { [MADE]?: WeakSet<object> };
  host[MADE] ??= new WeakSet();
  return host[MADE];
}

/** Takes note of the `retry` of a fault. */
export function noteMade(retry: Retry): Retry {
  made().add(retry);
  return retry;
}

/** What every fault has and nobody says all of: it follows from the kind. */
const FOLLOWING = ['reaction', 'retryable', 'origin', 'issues'] as const;

/** Do these options come from a fault, whole or in part? */
export function isHandedOn(options: { readonly [member: string]: unknown }): boolean {
  if ('kind' in options || 'native' in options) return true;
  const { retry } = options;
  if (typeof retry === 'object' && retry !== null && made().has(retry)) return true;
  return FOLLOWING.every((name) => name in options);
}
