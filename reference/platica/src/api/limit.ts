/** So many requests a second for each key. */
import { refusal } from './refusal.ts';

const WINDOW_MS = 1000;

/** Counts a request, or refuses it with 429 and the usual headers. */
export function createLimit(perSecond: number, now: () => number = Date.now): (keyId: string) => void {
  const windows = new Map<string, { opened: number; used: number }>();
  return (keyId) => {
    const current = windows.get(keyId);
    const fresh = current === undefined || now() >= current.opened + WINDOW_MS;
    const window = fresh ? { opened: now(), used: 0 } : current;
    windows.set(keyId, window);
    window.used++;
    if (window.used <= perSecond) return;
    const reset = Math.ceil((window.opened + WINDOW_MS) / 1000);
    throw refusal(429, 'Too many requests', `At most ${perSecond} requests a second.`, {
      headers: {
        'retry-after': '1',
        'x-ratelimit-limit': String(perSecond),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(reset),
      },
    });
  };
}
