/** One upstream: what all calls to it share, from however many clients in this process. */
import { type ConcurrencyStore, createMemoryPlaces } from '../admission/places.ts';
import {
  callable,
  flag,
  integer,
  members,
  milliseconds,
  needed,
  type OptionNames,
  onlyKnown,
} from '../check.ts';
import { type Clock, checkClock, type Random, systemClock, systemRandom } from '../clock.ts';
import { joinListeners, type Listener } from '../events.ts';
import { type BreakerOptions, checkBreaker } from './breaker.ts';
import { BUDGET_OPTIONS, type Budget, type BudgetOptions, createBudget } from './budget.ts';
import { type Circuits, createCircuits } from './circuits.ts';
import { createPace, type Pace } from './pace.ts';

/** What the calls to one upstream share. `false` switches a part off. */
export interface UpstreamOptions {
  /** A name for messages and metrics. */
  readonly name?: string | undefined;
  readonly budget?: BudgetOptions | false | undefined;
  /** The upstream's own circuit; see `CircuitsOptions`. */
  readonly breaker?: BreakerOptions | false | undefined;
  /** The circuit of each tool, prompt or resource. */
  readonly targetBreaker?: BreakerOptions | false | undefined;
  /** `false` ignores that the upstream says "too many", apart from the wait it asks for. Default `true`. */
  readonly pace?: boolean | undefined;
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
  readonly circuits: Circuits;
  /** Calls at a time, and where they are counted. */
  readonly places: { readonly limit: number; readonly store: ConcurrencyStore } | undefined;
  readonly pace: Pace | undefined;
  readonly emit: Listener;
  /** Listens to everything that happens here; returns how to stop. */
  subscribe(listener: Listener): () => void;
}

const KNOWN: OptionNames<UpstreamOptions> = {
  name: true,
  budget: true,
  breaker: true,
  targetBreaker: true,
  pace: true,
  concurrency: true,
  patienceMs: true,
  clock: true,
  random: true,
  onEvent: true,
};

/** Refuses what is no upstream: one that shares nothing would be taken for one that does. */
export function checkShared(upstream: object): void {
  members('upstream', upstream);
  if (!('emit' in upstream))
    throw new TypeError('Expected `upstream` to be one that `createUpstream()` made');
}

/** The upstream itself, or a new one with these options. Nothing at all in them is nobody's wish. */
export function upstreamOf(given: Upstream | UpstreamOptions | undefined): Upstream {
  members('upstream', given);
  if (given !== undefined && Object.keys(given).length === 0)
    throw new TypeError(
      'Expected `upstream` to be one that `createUpstream()` made, or options of one; leave it out for the defaults',
    );
  return given !== undefined && 'emit' in given ? given : createUpstream(given);
}

function checkUpstream(options: UpstreamOptions): void {
  onlyKnown('an upstream', options, KNOWN);
  const { name, budget } = options;
  if (name !== undefined) needed('`name`', name, 'a text', isText);
  flag('pace', options.pace);
  checkBreaker('breaker', options.breaker);
  checkBreaker('targetBreaker', options.targetBreaker);
  onlyKnown('`budget`', budget === false ? undefined : budget, BUDGET_OPTIONS);
  checkClock('budget.clock', (budget || undefined)?.clock);
  checkClock('clock', options.clock);
  callable('random', options.random);
  callable('onEvent', options.onEvent);
}

const isText = (value: unknown): boolean => typeof value === 'string';

/** Creates the shared state of one upstream. */
export function createUpstream(options: UpstreamOptions = {}): Upstream {
  checkUpstream(options);
  const { name = 'the server', clock = systemClock, random = systemRandom } = options;
  const { breaker, targetBreaker, concurrency } = options;
  const listeners = new Set<Listener>();
  const emit: Listener = (event) => joinListeners([options.onEvent, ...listeners])(event);
  return {
    name,
    clock,
    random,
    patienceMs: milliseconds('patienceMs', options.patienceMs, 10_000),
    budget: options.budget === false ? undefined : createBudget({ clock, ...options.budget }),
    circuits: createCircuits({ name, breaker, targetBreaker, clock, random, emit }),
    places:
      concurrency === false
        ? undefined
        : { limit: integer('concurrency', concurrency, 100, 1), store: createMemoryPlaces() },
    pace: options.pace === false ? undefined : createPace({ clock }),
    emit,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
