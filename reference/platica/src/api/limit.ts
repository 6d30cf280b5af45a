/** So many requests a second for each key, over all processes on one data folder. */
import type { DatabaseSync } from 'node:sqlite';
import { refusal } from './refusal.ts';

const WINDOW_MS = 1000;

/** Counts a request, or refuses it with 429 and the usual headers. */
export function createLimit(
  store: DatabaseSync,
  perSecond: number,
  now: () => number = Date.now,
): (keyId: string) => void {
  const count = store.prepare(
    `INSERT INTO windows VALUES (?1, ?2, 1) ON CONFLICT DO UPDATE SET
       used = iif(?2 >= opened + ${WINDOW_MS}, 1, used + 1), opened = iif(?2 >= opened + ${WINDOW_MS}, ?2, opened)
     RETURNING opened, used`,
  );
  return (keyId) => {
    const { opened, used } = count.get(keyId, now()) as { opened: number; used: number };
    if (used <= perSecond) return;
    const reset = Math.ceil((opened + WINDOW_MS) / 1000);
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
