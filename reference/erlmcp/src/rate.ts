import type { App } from './app.ts';
import { raise } from './errors.ts';

/** Takes one of the requests that a caller may make in any window, or refuses. */
export function checkRate({ rates, settings, clock }: App, caller: string): void {
  const { rateLimit: limit, rateWindowMs: windowMs } = settings;
  // The store in memory answers at once.
  const waitMs = rates.take({ key: caller, limit, windowMs, now: clock.now() }) as number;
  if (waitMs > 0)
    throw raise('rate_limited', {
      limit,
      window: Math.ceil(windowMs / 1000),
      retry_after: Math.ceil(waitMs / 1000),
    });
}
