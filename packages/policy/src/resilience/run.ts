/** Everything that keeps a caller from making things worse, in one list. It never throws. */
import { concurrency } from '../admission/concurrency.ts';
import { type Call, type CallInit, shownCall, shownFault, startCall } from '../call.ts';
import { milliseconds } from '../check.ts';
import { type FaultEvent, joinListeners, type Listener } from '../events.ts';
import type { Outcome } from '../outcome.ts';
import { compose, type Policy } from '../policy.ts';
import { type Attempt, type AttemptOptions, sender } from './attempt.ts';
import { circuit, circuitDoor } from './circuits.ts';
import { deadline } from './deadline.ts';
import { hedge } from './hedge.ts';
import { paced } from './pace.ts';
import { type RetryOptions, retry } from './retry.ts';
import { stillSafe } from './still-safe.ts';
import type { Upstream } from './upstream.ts';

/** How one call is run. */
export interface RunOptions<T>
  extends Omit<RetryOptions, 'budget' | 'patienceMs' | 'emit' | 'clock' | 'random'>,
    Omit<AttemptOptions<T>, 'clock'> {
  /** In all, the first one and one beside a slow read included. Default 8. */
  readonly attempts?: number | undefined;
  /** For the whole call, attempts and waits together. Default 60 s. */
  readonly deadlineMs?: number | undefined;
  /** Starts a second attempt beside a slow first one, where that can do no harm. Off by default. */
  readonly hedgeAfterMs?: number | undefined;
  readonly onFault?: ((event: FaultEvent) => void) | undefined;
}

/** The end of a call. */
export interface Settled<T> {
  readonly outcome: Outcome<T>;
  /** Attempts that were sent. */
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** The deadline of a call that sets none. */
export const DEADLINE_MS = 60_000;

/** Attempts in all. What they cost is bounded by budget, circuits and deadline, not by their number. */
const ATTEMPTS = 8;

/** How many calls may stand in line for a place. */
const LINE = 1000;

/** A place is not held for ever by a sender that never ends. */
const GRACE_MS = 60_000;

/** Makes a call, under all policies of its upstream. */
export async function run<T, C extends Call = Call>(
  upstream: Upstream,
  init: Omit<CallInit<C>, 'upstream'>,
  send: (attempt: Attempt<C>) => Promise<T>,
  options: RunOptions<T> = {},
): Promise<Settled<T>> {
  const { clock, budget } = upstream;
  const emit = listenerOf(upstream, options);
  const call = startCall<C>({ ...init, upstream: upstream.name } as CallInit<C>);
  const startedAt = clock.now();
  emit({ type: 'start', call: shownCall(call) });
  const outcome = await compose(
    resilience<T, C>(upstream, options, emit),
    sender(send, { ...options, clock }),
  )(call);
  const elapsedMs = clock.now() - startedAt;
  const { attempts } = call.progress;
  emit({
    type: 'end',
    call: shownCall(call),
    outcome: shown(outcome),
    attempts,
    elapsedMs,
    budget: budget?.balance,
  });
  return { outcome, attempts, elapsedMs };
}

/** The outcome for somebody who looks at it. */
function shown<T>(outcome: Outcome<T>): Outcome<T> {
  return outcome.ok ? { ...outcome } : { ...outcome, fault: shownFault(outcome.fault) };
}

/** What stands between a caller and its upstream, from the outside in. */
export function resilience<T, C extends Call>(
  upstream: Upstream,
  options: RunOptions<T> = {},
  emit: Listener = upstream.emit,
): readonly Policy<T, C>[] {
  const { clock, random, budget, patienceMs, circuits, pace, places } = upstream;
  const { attempts = ATTEMPTS, hedgeAfterMs, asKnown } = options;
  const policies: (Policy<T, C> | false | undefined)[] = [
    deadline({ ms: milliseconds('deadlineMs', options.deadlineMs, DEADLINE_MS), clock }),
    retry({ ...retryingOf(options), budget, patienceMs, emit, clock, random }),
    circuitDoor(circuits),
    pace && paced({ pace, clock, patienceMs }),
    places && concurrency({ ...places, queue: LINE, graceMs: GRACE_MS, clock }),
    stillSafe(asKnown, clock), // below all that waits
    circuit(circuits),
    hedgeAfterMs !== undefined && hedge({ afterMs: hedgeAfterMs, attempts, budget, clock, asKnown }),
    announce(emit),
  ];
  return policies.filter((policy) => policy !== undefined && policy !== false);
}

/** What of it is about trying again. */
function retryingOf<T>(options: RunOptions<T>): RetryOptions {
  const { attempts = ATTEMPTS, baseMs, throttledBaseMs, maxBackoffMs, maxWaitMs } = options;
  const { retryIf, asKnown, recover } = options;
  return { attempts, baseMs, throttledBaseMs, maxBackoffMs, maxWaitMs, retryIf, asKnown, recover };
}

/** Tells that an attempt is made now. */
function announce<T, C extends Call>(emit: Listener): Policy<T, C> {
  return (next) => (call) => {
    emit({ type: 'attempt', call: shownCall(call), attempt: call.attempt });
    return next(call);
  };
}

function listenerOf<T>(upstream: Upstream, { onFault }: RunOptions<T>): Listener {
  if (onFault === undefined) return upstream.emit;
  return joinListeners([
    upstream.emit,
    // What an async function gives is handed on, for whoever takes care of its rejection.
    (event) => (event.type === 'fault' ? onFault(event) : undefined),
  ]);
}
