/** The sign of life of a call under a key: as long as its process renews the claim, repeats wait for it. */
import type { Clock } from '../clock.ts';
import type { IdempotencyStore, KeyRenewal } from './idempotency-store.ts';

/** Two may fail, or be late, before the claim is given up for lost. */
const BEATS_PER_LEASE = 3;

/** Renews a claim until it is told to stop. What a store does not take is tried again: the call goes on either way. */
export function keepRenewed(store: IdempotencyStore, clock: Clock, claim: KeyRenewal): () => void {
  if (store.renew === undefined) return () => undefined;
  let isOver = false;
  let callOff = (): void => undefined;
  const beat = async (): Promise<void> => {
    try {
      await store.renew?.(claim);
    } catch {
      // A store that is down is told of by whoever needs it.
    }
    arm();
  };
  const arm = (): void => {
    if (!isOver) callOff = clock.timer(claim.leaseMs / BEATS_PER_LEASE, () => void beat());
  };
  arm();
  return () => {
    isOver = true;
    callOff();
  };
}
