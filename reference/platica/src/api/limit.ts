/** So many requests in any second for each key, over all processes on one data folder. */
import type { Counts } from '@mayday/reference-shared';
import { refusal } from './refusal.ts';

/** How far back a limit looks. */
export const WINDOW_MS = 1000;

/** Counts a request, or refuses it with 429 and the usual headers. */
export function createLimit(
  counts: Counts,
  perSecond: number,
  now: () => number = Date.now,
): (keyId: string) => void {
  return (keyId) => {
    const at = now();
    const wait = counts.takeAll(keyId, [{ limit: perSecond, windowMs: WINDOW_MS }], at);
    if (wait === 0) return;
    throw refusal(429, 'Too many requests', `At most ${perSecond} requests a second.`, {
      headers: {
        'retry-after': '1',
        'x-ratelimit-limit': String(perSecond),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil((at + wait) / 1000)),
      },
    });
  };
}
