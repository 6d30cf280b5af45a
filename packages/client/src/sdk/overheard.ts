/**
 * Errors of a server that name no request: about a notification, a line of a log, or the answer to the only call that
 * waits. That call goes on; where it ends without an answer, its failure says what was said.
 */
import type { Settled } from '@mayday/policy';

/** More of it is not told. */
const MAX_WORDS = 1000;

/** What was said on a connection while one call alone waited. */
export interface Overheard {
  hear(words: string): void;
  /** From now on. */
  listen(): <T>(settled: Settled<T>) => Settled<T>;
}

/** Creates an empty record. */
export function createOverheard(): Overheard {
  let count = 0;
  let last = '';
  return {
    hear(words) {
      count += 1;
      last = words.slice(0, MAX_WORDS);
    },
    listen() {
      const before = count;
      return (settled) => (count === before ? settled : telling(settled, last));
    },
  };
}

function telling<T>(settled: Settled<T>, words: string): Settled<T> {
  const { outcome } = settled;
  if (outcome.ok || outcome.refused !== undefined || outcome.answered === true || outcome.value !== undefined)
    return settled;
  const { fault } = outcome;
  const message = `${fault.message}; while the call waited, the server said without naming a request: ${words}`;
  return { ...settled, outcome: { ...outcome, fault: { ...fault, message } } };
}
