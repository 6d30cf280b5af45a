import type { App } from './app.ts';
import { raise } from './errors.ts';

/** Takes one of the requests that a caller may make in any window, or refuses. */
export function checkRate({ counts, settings, clock }: App, caller: string): void {
  const { rateLimit: limit, rateWindowMs: windowMs } = settings;
  const waitMs = counts.takeAll(caller, [{ limit, windowMs }], clock.now());
  if (waitMs > 0)
    throw raise('rate_limited', {
      limit,
      window: Math.ceil(windowMs / 1000),
      retry_after: Math.ceil(waitMs / 1000),
    });
}
