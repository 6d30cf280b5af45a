/** Where limits are counted, and what holds while that cannot be done. */
import { makeFault } from '@mayday/core';
import { type Failed, type PlaceLedger, type RateLedger, refuse } from '@mayday/policy';

/** Where limits are counted. */
export interface LimitKeeper {
  readonly rates: RateLedger;
  readonly places: PlaceLedger;
  /** Are calls let through, uncounted, where this kept them from being counted? */
  readonly isOpen: (thrown: unknown) => boolean;
}

/** A call that cannot be counted, and is not to be made uncounted. What kept it is for the log. */
export function notCounted(thrown: unknown): Failed<never> & { readonly thrown: unknown } {
  const fault = makeFault({
    kind: 'unavailable',
    origin: 'gateway',
    executed: 'no',
    message: 'The gateway cannot count this call now, and so has not made it; try again later',
  });
  return { ...refuse({ fault, by: 'limits' }), thrown };
}
