/**
 * What this process has claimed: each claim has a mark in the store, so that who was given up for lost, and comes back, ends
 * no claim of somebody else's. Within the process, claims of one key are told apart by the token that they came with.
 */
import { type KeyClaim, type KeyRenewal, systemClock } from '@mayday/policy';
import { packed } from './text.ts';

interface Held {
  readonly mark: string;
  /** By then nobody asks for it any more. */
  until: number;
}

/** Old marks that are looked for with each new one. */
const SWEPT = 4;

/** A claim, as its end names it. */
type Named = Pick<KeyClaim, 'key' | 'token'>;

/** Marks of the claims of this process. */
export class Marks {
  readonly #held = new Map<string, Held>();

  hold(claim: Named & Pick<KeyClaim, 'leaseMs' | 'ttlMs'>, mark: string): void {
    const now = systemClock.monotonic?.() ?? 0;
    let looked = 0;
    for (const [old, { until }] of this.#held) {
      if (until <= now) this.#held.delete(old);
      looked += 1;
      if (looked === SWEPT) break;
    }
    const held = { mark, until: now + claim.leaseMs + claim.ttlMs };
    for (const name of [nameOf({ key: claim.key }), nameOf(claim)]) {
      this.#held.delete(name);
      this.#held.set(name, held);
    }
  }

  /** Its call is still under way. */
  renew(claim: KeyRenewal): void {
    const held = this.#held.get(nameOf(claim));
    if (held !== undefined)
      held.until = Math.max(held.until, (systemClock.monotonic?.() ?? 0) + claim.leaseMs);
  }

  /** The mark of this claim, or of the last one of its key; one that fits nothing, if this process has not made it. */
  of(claim: Named): string {
    return this.#held.get(nameOf(claim))?.mark ?? '';
  }

  drop(claim: Named): void {
    const last = nameOf({ key: claim.key });
    if (this.#held.get(last)?.mark === this.of(claim)) this.#held.delete(last);
    this.#held.delete(nameOf(claim));
  }
}

function nameOf({ key, token }: Named): string {
  return packed(token === undefined ? [key] : [key, token]);
}
