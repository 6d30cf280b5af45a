/** How often a caller may call: a short and a long window, and the headers that say what is left. */
import { fault } from '@mayday/core';
import type { Caller } from './tokens.ts';

/** So many calls in so many seconds. */
interface Policy {
  readonly limit: number;
  readonly seconds: number;
}

interface Window {
  readonly policy: Policy;
  opened: number;
  used: number;
}

/** Counts callers' calls. */
export interface Limits {
  /** Counts one call, or refuses it. */
  take(caller: Caller): void;
  /** What is left, in the window that is nearest to its end. */
  headers(caller: Caller): { [name: string]: string };
}

const DAY: Policy = { limit: 10_000, seconds: 86_400 };

/** Limits with this many calls a minute; tokens that are public, and callers without one, get a third. */
export function createLimits(perMinute: number, now: () => number = Date.now): Limits {
  const callers = new Map<string, Window[]>();
  const windowsOf = ({ owner, kind }: Caller): Window[] => {
    const isPublic = kind === 'cpk' || kind === 'anonymous';
    const minute = { limit: isPublic ? Math.ceil(perMinute / 3) : perMinute, seconds: 60 };
    const windows = callers.get(owner) ?? [minute, DAY].map((policy) => ({ policy, opened: now(), used: 0 }));
    callers.set(owner, windows);
    for (const window of windows) {
      if (now() < window.opened + window.policy.seconds * 1000) continue;
      window.opened = now();
      window.used = 0;
    }
    return windows;
  };
  const msLeft = ({ opened, policy }: Window): number => opened + policy.seconds * 1000 - now();
  return {
    take(caller) {
      const windows = windowsOf(caller);
      const full = windows.filter(({ used, policy }) => used >= policy.limit);
      if (full.length > 0)
        throw fault.rateLimited('Rate limit exceeded', { retry: { afterMs: Math.max(...full.map(msLeft)) } });
      for (const window of windows) window.used++;
    },
    headers(caller) {
      const windows = windowsOf(caller);
      const tightest = windows.reduce((a, b) => (left(b) < left(a) ? b : a));
      return {
        'RateLimit-Policy': windows.map(({ policy }) => `${policy.limit};w=${policy.seconds}`).join(', '),
        'RateLimit-Limit': String(tightest.policy.limit),
        'RateLimit-Remaining': String(left(tightest)),
        'RateLimit-Reset': String(Math.ceil(msLeft(tightest) / 1000)),
      };
    },
  };
}

function left({ policy, used }: Window): number {
  return Math.max(0, policy.limit - used);
}
