/**
 * How the upstream fails: by plan. What happens to the n-th arrival of a call depends on the seed, the call
 * and n alone, and on the time of the day and the load. It records every arrival and execution.
 */
import { ATTEMPT_MS, BROWNOUT, CAPACITY, draw, OUTAGE, toolOf, within } from './day.ts';

/** What happens to a request. */
export type Fate =
  /** Refused by what stands in front of the server; nothing was executed. */
  | { readonly type: 'busy' }
  /** Refused: too many; come back in a second. */
  | { readonly type: 'throttled' }
  /** No answer, ever. */
  | { readonly type: 'hangs' }
  /** Answered with a failure; nothing was executed. */
  | { readonly type: 'soft' }
  /** Executed, but the answer is lost. */
  | { readonly type: 'lost' }
  /** Executed, then a second step failed, and the tool says so. */
  | { readonly type: 'half' }
  /** Executed, but what stands in front of the server lost the connection and answers in its place. */
  | { readonly type: 'proxied' }
  /** Executed and answered; or answered again, for a key that the server has seen. */
  | { readonly type: 'done'; readonly afterMs: number };

/** One request, as the server sees it. */
interface Arrival {
  readonly call: number;
  readonly tool: string;
  readonly now: number;
  /** The idempotency key, for a server that knows them. */
  readonly key?: string | undefined;
}

export interface Model {
  arrive(arrival: Arrival): Fate;
  readonly arrivals: readonly number[];
  readonly executions: ReadonlyMap<number, number>;
}

const BURST = 60;

export function createModel(seed: number): Model {
  const arrivals: number[] = [];
  const seen = new Map<number, number>();
  const executions = new Map<number, number>();
  const keys = new Set<string>();
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

  /** Counts the execution, unless it is known by its key. */
  function execute({ call, key }: Arrival): void {
    if (key !== undefined && keys.has(key)) return;
    if (key !== undefined) keys.add(key);
    executions.set(call, (executions.get(call) ?? 0) + 1);
  }

  function arrive(arrival: Arrival): Fate {
    const { call, tool, now } = arrival;
    arrivals.push(now);
    const nth = (seen.get(call) ?? 0) + 1;
    seen.set(call, nth);
    if (within(OUTAGE, now)) return { type: 'busy' };
    if (overCapacity(now)) return { type: 'throttled' };
    if (toolOf(tool).dead === true) return { type: 'hangs' };
    if (within(BROWNOUT, now) && draw(seed, call, nth, 12) < 0.7) return { type: 'busy' };
    // One in ten fails in passing, before it is executed; one in fifty afterwards.
    const luck = draw(seed, call, nth, 11);
    if (luck < 0.05) return { type: 'busy' };
    if (luck < 0.1) return { type: 'soft' };
    execute(arrival);
    if (luck < 0.108) return { type: 'lost' };
    if (luck < 0.113) return { type: 'half' };
    if (luck < 0.117) return { type: 'proxied' };
    // Some answers come after everyone has stopped waiting.
    if (luck < 0.12) return { type: 'done', afterMs: 3 * ATTEMPT_MS };
    return { type: 'done', afterMs: 3 + draw(seed, call, nth, 13) * 15 };
  }

  return { arrive, arrivals, executions };
}
