/** A timer for what somebody else has to have done: while this process was busy, nothing that they did was seen. */
import { systemClock } from '@mayday/policy';

/** A timer that is late by more than the machine makes it had to wait for others. */
const BUSY_MS = 5;

/**
 * Calls back after so long, and says how late that is; what has come by then was read before. What it returns calls it off,
 * at any time until then.
 */
export function dueIn(ms: number, now: () => number, due: (lateMs: number) => void): () => void {
  const dueAt = now() + ms;
  let isOff = false;
  const timer = setTimeout(() => {
    const lateMs = now() - dueAt;
    const tell = (): void => {
      if (!isOff) due(lateMs);
    };
    if (lateMs > BUSY_MS) void Promise.resolve(systemClock.caughtUp?.()).then(tell);
    else tell();
  }, ms);
  return () => {
    isOff = true;
    clearTimeout(timer);
  };
}
