/** What the settings limit, as parts of the path. Without limits there are none, and nothing is asked or copied. */
import type { WirePolicy } from '@mayday/relay';
import type { Settings } from '../settings/settings.ts';
import { countCalls } from './count-calls.ts';
import { holdPlaces } from './hold-places.ts';
import type { LimitKeeper } from './keeper.ts';
import { tellLimits } from './tell-limits.ts';

/** The parts of the path, see `call/path.ts`. */
export interface Limits {
  /** Around everything: answers say how much is left. */
  readonly tell: readonly WirePolicy[];
  /** Before anything is done for a call of an upstream, once for each. */
  readonly admit: readonly WirePolicy[];
}

/** No limits. */
export const NO_LIMITS: Limits = { tell: [], admit: [] };

/** The limits of the settings. Places come first: what finds none is not counted. */
export function createLimits({ rates, concurrency }: Settings['limits'], keeper: LimitKeeper): Limits {
  const [counts, holds] = [rates.length > 0, concurrency.length > 0];
  return {
    tell: counts ? [tellLimits()] : [],
    admit: [
      ...(holds ? [holdPlaces(concurrency, keeper)] : []),
      ...(counts ? [countCalls(rates, keeper)] : []),
    ],
  };
}
