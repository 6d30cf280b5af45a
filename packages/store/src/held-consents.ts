/**
 * Consents that outlive no holder: a call that has taken one holds it on a lease that is renewed while its process lives.
 * Whether the call of a process that died was made is not known: its consent is used up, and a person can be asked anew.
 */
import { randomBytes } from 'node:crypto';
import { type Awaitable, dropOldest } from '@mayday/policy';
import type { Approvals } from './ports.ts';

/** Approvals as an engine keeps them. */
export interface LeasedApprovals extends Approvals {
  /** These are still held. */
  renew(ids: readonly string[]): Awaitable<void>;
}

/** A new key for {@link Approvals.digestKey}. */
export function newDigestKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Who is silent for so long is gone. A store may stall for a while before that. */
const SILENT_MS = 30_000;

/** Consents that this process remembers to have used: a store that has gone back to a copy knows nothing of them. */
const MAX_USED = 10_000;

/** How long a consent is held at first, and after each sign of life. */
export function consentLeaseMs(longestMs: number): number {
  return Math.min(SILENT_MS, longestMs);
}

/** Approvals whose consents are held while this process lives, for `longestMs` at most; and the end of that. */
export function heldConsents(
  engine: LeasedApprovals,
  longestMs: number,
): { readonly approvals: Approvals; close(): void } {
  /** Until when, by a clock that nobody sets. */
  const held = new Map<string, number>();
  const used = new Set<string>();
  const beat = async (): Promise<void> => {
    for (const [id, until] of held) if (until <= performance.now()) held.delete(id);
    if (held.size === 0) return;
    try {
      await engine.renew([...held.keys()]);
    } catch {
      // A beat that fails is followed by others; the lease lasts for four.
    }
  };
  const heart = setInterval(() => void beat(), SILENT_MS / 4).unref();
  const { renew: _, ...approvals } = engine;
  return {
    approvals: {
      ...approvals,
      async claim(request) {
        let found = await engine.claim(request);
        if (found.state === 'claimed' && used.has(found.id)) {
          await engine.confirm(found.id);
          found = await engine.claim(request);
        }
        if (found.state !== 'claimed') return found;
        if (held.has(found.id)) return { state: 'taken', id: found.id };
        held.set(found.id, performance.now() + longestMs);
        return found;
      },
      confirm(id) {
        if (held.delete(id)) used.add(id);
        dropOldest(used, MAX_USED);
        return engine.confirm(id);
      },
      release(id) {
        held.delete(id);
        return engine.release(id);
      },
    },
    close: () => clearInterval(heart),
  };
}
