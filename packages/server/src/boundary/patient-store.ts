/** A store of keys that is not waited for for ever. */
import type { IdempotencyStore, KeyClaim, KeyState } from '@mayday/policy';
import type { Clock } from '../clock.ts';
import { isThenable, quietly } from '../report/hooks.ts';

/** Whoever takes longer to look a key up will not do it in time. */
const LONGEST_CLAIM_MS = 10_000;

/** The same store; a claim that it does not answer is refused, and given back when it is answered after all. */
export function patient(store: IdempotencyStore, clock: Clock): IdempotencyStore {
  return {
    claim(claim) {
      const found = store.claim(claim);
      return isThenable(found) ? inTime(store, clock, claim, Promise.resolve(found)) : found;
    },
    finish: (done) => store.finish(done),
    free: (key, token) => store.free(key, token),
  };
}

function inTime(
  store: IdempotencyStore,
  clock: Clock,
  { key, token }: KeyClaim,
  found: Promise<KeyState>,
): Promise<KeyState> {
  let isLate = false;
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      isLate = true;
      reject(new Error(`The store of keys did not answer within ${LONGEST_CLAIM_MS} ms`));
    }, LONGEST_CLAIM_MS);
    const settle = (): void => clock.clearTimeout(timer);
    const free = (): void => quietly('store.free', () => store.free(key, token));
    // What has failed may have claimed the key all the same, and only the word of it was lost. A store that is down is told once.
    const refuse = (reason: unknown): void => {
      void Promise.resolve(reason)
        .then(() => store.free(key, token))
        .catch(() => undefined);
      reject(reason);
    };
    found.finally(settle).then((state) => {
      if (isLate && state?.state === 'claimed') free();
      resolve(state);
    }, refuse);
  });
}
