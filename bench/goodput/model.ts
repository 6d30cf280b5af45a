/**
 * How the upstream fails: by plan. What happens to the n-th arrival of a call depends on the seed, the call
 * and n alone, and on the time of the day and the load. It records every arrival and execution.
 */
import { ATTEMPT_MS, BROWNOUT, CAPACITY, draw, OUTAGE, toolOf, within } from './day.ts';

/** What happens to a request. */
type Fate =
  /** Refused, nothing was executed. */
  | { readonly type: 'busy' }
  /** Refused: too many; come back in a second. */
  | { readonly type: 'throttled' }
  /** No answer, ever. */
  | { readonly type: 'hangs' }
  /** Answered with a failure; nothing was executed. */
  | { readonly type: 'soft' }
  /** Executed, but the answer is lost. */
  | { readonly type: 'lost' }
  /** Executed and answered. */
  | { readonly type: 'done'; readonly afterMs: number };

export interface Model {
  arrive(call: number, tool: string, now: number): Fate;
  readonly arrivals: readonly number[];
  readonly executions: ReadonlyMap<number, number>;
}

const BURST = 60;

export function createModel(seed: number): Model {
  const arrivals: number[] = [];
  const seen = new Map<number, number>();
  const executions = new Map<number, number>();
  let tokens = BURST;
  let filled = 0;

  /** One token for each request; refilled all the time. */
  function overCapacity(now: number): boolean {
    tokens = Math.min(BURST, tokens + ((now - filled) * CAPACITY) / 1000);
    filled = now;
    if (tokens < 1) return true;
    tokens -= 1;
    return false;
  }

  function arrive(call: number, tool: string, now: number): Fate {
    arrivals.push(now);
    const nth = (seen.get(call) ?? 0) + 1;
    seen.set(call, nth);
    if (within(OUTAGE, now)) return { type: 'busy' };
    if (overCapacity(now)) return { type: 'throttled' };
    if (toolOf(tool).dead === true) return { type: 'hangs' };
    if (within(BROWNOUT, now) && draw(seed, call, nth, 12) < 0.7) return { type: 'busy' };
    // One in ten fails in passing.
    const luck = draw(seed, call, nth, 11);
    if (luck < 0.05) return { type: 'busy' };
    if (luck < 0.1) return { type: 'soft' };
    executions.set(call, (executions.get(call) ?? 0) + 1);
    if (luck < 0.108) return { type: 'lost' };
    // Some answers come after everyone has stopped waiting.
    if (luck < 0.111) return { type: 'done', afterMs: 3 * ATTEMPT_MS };
    return { type: 'done', afterMs: 3 + draw(seed, call, nth, 13) * 15 };
  }

  return { arrive, arrivals, executions };
}
