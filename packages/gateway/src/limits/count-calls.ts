/** Calls are counted before anything is done for them, and too many of them are refused. */
import { makeFault } from '@mayday/core';
import {
  type Failed,
  passing,
  type RateLevel,
  type RateStanding,
  type RateWish,
  refuse,
} from '@mayday/policy';
import type { ReplyHeaders, WireCall, WireOutcome, WirePolicy } from '@mayday/relay';
import type { Settings } from '../settings/settings.ts';
import { type LimitKeeper, notCounted } from './keeper.ts';
import { policyNames, rateHeaders, spanWords } from './rate-headers.ts';
import { fitsUnderAny, type Named, namedIn, type Scope, scopesOf } from './scope.ts';
import { noteTally, tallyOf } from './tell-limits.ts';

type RateSettings = Settings['limits']['rates'][number];

/** One limit. */
interface Rate extends Scope {
  readonly settings: RateSettings;
  /** What an answer says about it. */
  readonly headersAt: (level: RateLevel) => ReplyHeaders;
  costOf(named: Named): number;
}

/** A limit that was asked, and what it said. */
interface Told {
  readonly rate: Rate;
  readonly cost: number;
  readonly standing: RateStanding;
}

/** Refuses calls that do not fit all limits of `rates`; what is refused is counted by none of them. */
export function countCalls(
  settings: readonly RateSettings[],
  { rates: store, isOpen }: LimitKeeper,
): WirePolicy {
  const rates = ratesOf(settings);
  const admitted = (
    call: WireCall,
    wanted: readonly Wanted[],
    said: readonly RateStanding[],
  ): WireCall | WireOutcome => {
    const nearest = nearestToItsEnd(wanted, said);
    if (nearest === undefined) return call;
    const { rate, standing } = nearest;
    const fits = standing.waitMs === 0;
    const counted = [...(tallyOf(call)?.counted ?? [])];
    if (fits) for (const { wish } of wanted) counted.push(wish.key);
    noteTally(call, { counted, headers: rate.headersAt(standing) });
    return fits ? call : tooMany(nearest);
  };
  const uncounted = (call: WireCall, thrown: unknown): WireCall | WireOutcome =>
    isOpen(thrown) ? call : notCounted(thrown);
  return passing({
    before: (call) => {
      const named = namedIn(call);
      const wanted = named === undefined ? NONE : wishesOf(rates, named, call);
      if (wanted.length === 0) return call;
      let asked: ReturnType<typeof store.takeAll>;
      try {
        asked = store.takeAll(wanted.map(({ wish }) => wish));
      } catch (thrown) {
        return uncounted(call, thrown);
      }
      return asked instanceof Promise
        ? asked.then(
            (said) => admitted(call, wanted, said),
            (thrown: unknown) => uncounted(call, thrown),
          )
        : admitted(call, wanted, asked);
    },
  });
}

function ratesOf(settings: readonly RateSettings[]): readonly Rate[] {
  const scopes = scopesOf(settings, ({ algorithm, perMs }) => [algorithm, perMs]);
  const names = policyNames(settings);
  return settings.map((limit, i) => {
    const costs = Object.entries(limit.costs).map(
      ([written, cost]) => [fitsUnderAny([written]), cost] as const,
    );
    return {
      ...(scopes[i] as Scope),
      settings: limit,
      headersAt: rateHeaders(names[i] as string, limit),
      costOf: ({ names: all, mayUseLike }) => {
        if (costs.length === 0) return 1;
        return Math.max(
          ...all.map((name) => costs.find(([fits]) => fits({ names: [name], mayUseLike }))?.[1] ?? 1),
        );
      },
    };
  });
}

interface Wanted {
  readonly rate: Rate;
  readonly wish: RateWish;
}

const NONE: readonly Wanted[] = [];

/** A time that nobody sets, for what is counted in this process; a store goes by its own. */
function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}

function wishesOf(rates: readonly Rate[], named: Named, call: WireCall): readonly Wanted[] {
  const now = steadyNow();
  const counted = tallyOf(call)?.counted;
  const wanted: Wanted[] = [];
  for (const rate of rates) {
    if (!rate.fits(named)) continue;
    const key = rate.keyOf(call);
    if (counted?.includes(key) === true) continue; // asked of another upstream, it is the same call
    const { calls: limit, perMs: windowMs, algorithm } = rate.settings;
    wanted.push({
      rate,
      wish: { key, limit, windowMs, algorithm, cost: rate.costOf(named), owner: call.caller, now },
    });
  }
  return wanted;
}

/** The one that has a call wait longest; else the one that has least left for calls like this. */
function nearestToItsEnd(wanted: readonly Wanted[], said: readonly RateStanding[]): Told | undefined {
  let nearest: Told | undefined;
  for (const [i, { rate, wish }] of wanted.entries()) {
    const standing = said[i];
    if (standing === undefined) continue;
    const each = { rate, cost: wish.cost ?? 1, standing };
    if (nearest === undefined || isNearer(each, nearest)) nearest = each;
  }
  return nearest;
}

function isNearer(a: Told, b: Told): boolean {
  if (a.standing.waitMs !== b.standing.waitMs) return a.standing.waitMs > b.standing.waitMs;
  const left = a.standing.remaining / a.cost - b.standing.remaining / b.cost;
  return left === 0 ? a.standing.growsMs > b.standing.growsMs : left < 0;
}

function tooMany({ rate: { settings }, standing: { waitMs } }: Told): Failed<never> {
  const { calls, perMs } = settings;
  const fault = makeFault({
    kind: 'rate_limited',
    origin: 'gateway',
    executed: 'no',
    message: `Too many calls: ${calls} per ${spanWords(perMs)} are allowed here; nothing was sent`,
    retry: { afterMs: waitMs },
    details: { limit: calls, window_ms: perMs },
  });
  return refuse({ fault, by: 'rate', waitMs });
}
