/** One upstream: what all calls to it share, from however many clients in this process. */

import { type Breaker, type BreakerOptions, createBreaker } from './breaker.ts';
import { type Budget, type BudgetOptions, createBudget } from './budget.ts';
import { type Bystanders, createBystanders } from './bystanders.ts';
import { integer, milliseconds } from './check.ts';
import { type Clock, type Random, systemClock, systemRandom } from './clock.ts';
import { createLimiter, type Limiter } from './concurrency.ts';
import { joinListeners, type Listener } from './events.ts';
import { createPace, type Pace } from './pace.ts';

/** What the calls to one upstream share. `false` switches a part off. */
export interface UpstreamOptions {
  /** A name for messages and metrics. */
  readonly name?: string | undefined;
  readonly budget?: BudgetOptions | false | undefined;
  /**
   * The upstream's own circuit. Opens later than a target's, at half of 20 calls or 10 failures in a row, and
   * is probed more often, three calls at first after 500 ms and then at least every 2 s: everything waits
   * for it.
   */
  readonly breaker?: BreakerOptions | false | undefined;
  /** The circuit of each tool, prompt or resource. */
  readonly targetBreaker?: BreakerOptions | false | undefined;
  /** `false` ignores that the upstream says "too many", apart from the wait it asks for. */
  readonly pace?: false | undefined;
  /** Calls at a time. Default 100. */
  readonly concurrency?: number | false | undefined;
  /** How long a call waits for a circuit or a place before it is refused. Default 10 s. */
  readonly patienceMs?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly onEvent?: Listener | undefined;
}

/** The shared state of one upstream. */
export interface Upstream {
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly patienceMs: number;
  readonly budget: Budget | undefined;
  readonly breaker: Breaker | undefined;
  readonly limiter: Limiter | undefined;
  readonly pace: Pace | undefined;
  /** Are the other targets failing too? Then it is the upstream's fault and not one target's. */
  readonly bystanders: Bystanders;
  /** The circuit of one target. */
  breakerOf(target: string | undefined): Breaker | undefined;
  readonly emit: Listener;
  /** Listens to everything that happens here; returns how to stop. */
  subscribe(listener: Listener): () => void;
}

/** Names come from models, so there may be any number of them. */
const MAX_TARGETS = 1000;

/** Creates the shared state of one upstream. */
export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const name = options.name ?? 'the server';
  const clock = options.clock ?? systemClock;
  const listeners = new Set<Listener>();
  const emit: Listener = (event) => joinListeners([options.onEvent, ...listeners])(event);
  const targets = new Map<string, Breaker>();

  function breakerOf(target: string | undefined): Breaker | undefined {
    const { targetBreaker } = options;
    if (targetBreaker === false || target === undefined) return undefined;
    const known = targets.get(target);
    if (known !== undefined) return known;
    if (targets.size >= MAX_TARGETS) targets.delete(targets.keys().next().value as string);
    const created = createBreaker({
      clock,
      ...targetBreaker,
      onState: (state) => emit({ type: 'circuit', upstream: name, target, state }),
    });
    targets.set(target, created);
    return created;
  }

  /** Targets that were only suspected: the upstream turned out to be the culprit. */
  function acquit(): void {
    for (const [target, suspect] of targets) {
      if (suspect.check()?.failedProbes === 0) targets.delete(target);
    }
  }

  return {
    name,
    clock,
    random: options.random ?? systemRandom,
    patienceMs: milliseconds('patienceMs', options.patienceMs, 10_000),
    budget: options.budget === false ? undefined : createBudget({ clock, ...options.budget }),
    breaker:
      options.breaker === false
        ? undefined
        : createBreaker({
            clock,
            windowMs: 2000,
            minimumCalls: 20,
            consecutive: 10,
            maxOpenMs: 2000,
            probes: 3,
            ...options.breaker,
            onState: (state) => {
              if (state === 'open') acquit();
              emit({ type: 'circuit', upstream: name, state });
            },
          }),
    limiter:
      options.concurrency === false
        ? undefined
        : createLimiter({ concurrency: integer('concurrency', options.concurrency, 100, 1) }),
    pace: options.pace === false ? undefined : createPace({ clock }),
    bystanders: createBystanders(),
    breakerOf,
    emit,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
