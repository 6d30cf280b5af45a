/** A store of keys that is not waited for for ever, and that gets back what it was asked for in vain. */
import { dropOldest, type IdempotencyStore, type KeyClaim, type KeyState } from '@mayday/policy';
import type { Clock } from '../clock.ts';
import { isThenable } from '../report/hooks.ts';

/** Whoever takes longer to look a key up will not do it in time. */
const LONGEST_CLAIM_MS = 10_000;
/** How long it takes until a store that is down is asked again, and at most. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;
/** More keys are not given back later, and none after so long: they are free when their time is over. */
const MOST_OWED = 10_000;
const LONGEST_OWED_MS = 3_600_000;

const STATES: ReadonlySet<unknown> = new Set<KeyState['state']>([
  'claimed',
  'running',
  'unheard',
  'done',
  'lost',
  'unreadable',
  'full',
]);

/**
 * The same store; a claim that it does not answer is refused, and given back: at once, and again as long as the store does
 * not take it. Whoever comes here for the key meanwhile gives it back first.
 */
export function patient(store: IdempotencyStore, clock: Clock): IdempotencyStore {
  const owed = new Owed(store, clock);
  return {
    claim(claim) {
      const ask = (): ReturnType<IdempotencyStore['claim']> => {
        const found = store.claim(claim);
        return isThenable(found) ? inTime(owed, clock, claim, Promise.resolve(found)) : found;
      };
      return owed.has(claim.key) ? owed.pay(claim.key).then(ask) : ask();
    },
    finish: (done) => store.finish(done),
    free: (key, token) => store.free(key, token),
    ...(store.renew === undefined ? {} : { renew: (claim) => store.renew?.(claim) }),
  };
}

/** Claims that may stand in the store though nobody makes their call. */
class Owed {
  readonly #store: IdempotencyStore;
  readonly #clock: Clock;
  /** By key; each claim has a token of its own. */
  readonly #tokens = new Map<string, readonly (string | undefined)[]>();

  constructor(store: IdempotencyStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  has(key: string): boolean {
    return this.#tokens.has(key);
  }

  /** Gives the key back, or throws what the store says. */
  async pay(key: string): Promise<void> {
    for (const token of this.#tokens.get(key) ?? []) {
      await this.#store.free(key, token);
      const left = (this.#tokens.get(key) ?? []).filter((other) => other !== token);
      if (left.length === 0) this.#tokens.delete(key);
      else this.#tokens.set(key, left);
    }
  }

  /** Gives it back as soon as the store takes it. */
  owe({ key, token }: KeyClaim): void {
    const others = this.#tokens.get(key) ?? [];
    this.#tokens.set(key, [...others, token]);
    dropOldest(this.#tokens, MOST_OWED);
    if (others.length === 0) this.#payLater(key, FIRST_WAIT_MS, LONGEST_OWED_MS);
  }

  #payLater(key: string, waitMs: number, leftMs: number): void {
    if (!this.has(key)) return;
    const again = (): void => {
      if (leftMs <= waitMs) this.#tokens.delete(key);
      else
        this.#clock.setTimeout(
          () => this.#payLater(key, Math.min(2 * waitMs, LONGEST_WAIT_MS), leftMs - waitMs),
          waitMs,
        );
    };
    this.pay(key).catch(again);
  }
}

function inTime(owed: Owed, clock: Clock, claim: KeyClaim, found: Promise<KeyState>): Promise<KeyState> {
  let isLate = false;
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      isLate = true;
      reject(new Error(`The store of keys did not answer within ${LONGEST_CLAIM_MS} ms`));
    }, LONGEST_CLAIM_MS);
    const settle = (): void => clock.clearTimeout(timer);
    found.finally(settle).then(
      (state) => {
        const isNonsense = !STATES.has(state?.state);
        if (isNonsense || (isLate && state.state === 'claimed')) owed.owe(claim);
        resolve(state);
      },
      (reason: unknown) => {
        // What has failed may have claimed the key all the same, and only the word of it was lost.
        owed.owe(claim);
        reject(reason);
      },
    );
  });
}
