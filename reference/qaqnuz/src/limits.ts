/** Rolling limits for each key and each brand. What is refused for lack of permission costs nothing. */
import { TEXTS as QAQNUZ_TEXTS } from '@mayday/core/dialects/qaqnuz';
import { type Call, type Guard, rateLimit } from '@mayday/server';
import { brandOf } from './store/keys.ts';
import type { Rates } from './store/rates.ts';

const WINDOW_MS = 60_000;

/** How often may be called. */
export interface LimitOptions {
  /** Calls a minute for one key; 60. */
  readonly perKey?: number;
  /** Calls a minute for all keys of a brand together; 300. */
  readonly perBrand?: number;
  readonly now?: () => number;
}

/** The limits, and the way to make a refusal free. */
export interface Limits {
  readonly guards: readonly Guard[];
  /** Gives a caller's latest call back. */
  refund(principal: string): void;
  /** A guard whose refusals do not count. */
  free(guard: Guard): Guard;
}

const keyOf = (principal: string): string => `key ${principal}`;
const brandKeyOf = (principal: string): string => `brand ${brandOf(principal)}`;

/** Limits over a store that all servers share. When the store fails, so does the call. */
export function createLimits(store: Rates, options: LimitOptions = {}): Limits {
  const { perKey = 60, perBrand = 300, now = Date.now } = options;
  const shared = { store, windowMs: WINDOW_MS, message: QAQNUZ_TEXTS.rateLimited, now };
  const byKey = rateLimit({ ...shared, limit: perKey, per: ({ principal = '' }) => keyOf(principal) });
  const byBrand = rateLimit({
    ...shared,
    limit: perBrand,
    per: ({ principal = '' }) => brandKeyOf(principal),
  });

  function refund(principal: string): void {
    store.refund(keyOf(principal));
    store.refund(brandKeyOf(principal));
  }

  /** When this one refuses, something that was taken before is given back. */
  function giveBack(guard: Guard, back: (principal: string) => void): Guard {
    return {
      ...guard,
      before(call: Call) {
        const refused = (reason: unknown): never => {
          back(call.principal ?? '');
          throw reason;
        };
        try {
          const held = guard.before?.(call);
          return held instanceof Promise ? held.catch(refused) : held;
        } catch (reason) {
          return refused(reason);
        }
      },
    };
  }

  return {
    guards: [byKey, giveBack(byBrand, (principal) => store.refund(keyOf(principal)))],
    refund,
    free: (guard) => giveBack(guard, refund),
  };
}
