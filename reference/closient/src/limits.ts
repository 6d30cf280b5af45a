/** How often a caller may call: a short and a long window, and the headers that say what is left. */
import { fault } from '@mayday/core';
import type { Allowance, Counts } from '@mayday/reference-shared';
import type { Caller } from './tokens.ts';

/** Counts callers' calls. */
export interface Limits {
  /** Counts one call, or refuses it. */
  take(caller: Caller): void;
  /** What is left, in the window that is nearest to its end. */
  headers(caller: Caller): { [name: string]: string };
}

/** The longer window. */
export const DAY: Allowance = { limit: 10_000, windowMs: 86_400_000 };

/** Limits with this many calls a minute; tokens that are public, and callers without one, get a third. */
export function createLimits(perMinute: number, counts: Counts, now: () => number = Date.now): Limits {
  const allowances = ({ kind }: Caller): readonly Allowance[] => {
    const isPublic = kind === 'cpk' || kind === 'anonymous';
    return [{ limit: isPublic ? Math.ceil(perMinute / 3) : perMinute, windowMs: 60_000 }, DAY];
  };
  return {
    take(caller) {
      const afterMs = counts.takeAll(keyOf(caller), allowances(caller), now());
      if (afterMs > 0) throw fault.rateLimited('Rate limit exceeded', { retry: { afterMs } });
    },
    headers(caller) {
      const windows = allowances(caller).map((allowance) => ({
        ...allowance,
        ...counts.used(keyOf(caller), allowance, now()),
      }));
      const tightest = windows.reduce((a, b) => (b.left < a.left ? b : a));
      return {
        'RateLimit-Policy': windows.map(({ limit, windowMs }) => `${limit};w=${windowMs / 1000}`).join(', '),
        'RateLimit-Limit': String(tightest.limit),
        'RateLimit-Remaining': String(tightest.left),
        'RateLimit-Reset': String(Math.ceil(tightest.resetMs / 1000)),
      };
    },
  };
}

/** An owner may be called anything, `anonymous` too. */
function keyOf({ owner, kind }: Caller): string {
  return kind === 'anonymous' ? 'anonymous' : `owner ${owner}`;
}
