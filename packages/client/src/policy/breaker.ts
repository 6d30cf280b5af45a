/**
 * A circuit breaker: cockatiel's state machine, our clock, and a refusal that says when to try again. A
 * caller's mistake proves neither that the server works nor that it fails, so it counts neither way.
 */
import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  handleWhenResult,
  type IBackoff,
  type IBackoffFactory,
} from 'cockatiel';
import { integer, milliseconds, share } from './check.ts';
import { type Clock, systemClock } from './clock.ts';
import { createFailureWindow } from './failure-window.ts';

/** When a circuit opens, and for how long. */
export interface BreakerOptions {
  /** Share of failures within the window that opens it. Default 0.5. */
  readonly threshold?: number | undefined;
  /** Calls within the window below which it stays closed. Default 10. */
  readonly minimumCalls?: number | undefined;
  /** Failures in a row that open it, however few the calls. Default 5. */
  readonly consecutive?: number | undefined;
  /** Default 3 s: a longer one would remember better times for too long. */
  readonly windowMs?: number | undefined;
  /** How long it stays open the first time; doubles with each failed probe. Default 500 ms. */
  readonly openMs?: number | undefined;
  /** Default 30 s. */
  readonly maxOpenMs?: number | undefined;
  /** Calls that are let through to see whether it works again; most of them must succeed. Default 1. */
  readonly probes?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly onState?: ((state: BreakerState) => void) | undefined;
}

/** Closed: calls pass. Open: calls are refused. Half-open: probes are under way. */
export type BreakerState = 'closed' | 'open' | 'half_open';

/**
 * What one call proves about the far side. `neutral`: it answered, but the answer is no measure of its
 * health. `none`: it had no chance to answer.
 */
export type Verdict = 'success' | 'failure' | 'neutral' | 'none';

/** A call that was not made, and when it may be. */
export interface Refusal {
  readonly refused: true;
  readonly afterMs: number;
  /** Probes that have failed since the circuit opened. From the first on, it is no passing disturbance. */
  readonly failedProbes: number;
}

/** A circuit breaker. */
export interface Breaker {
  readonly state: BreakerState;
  /** Would a call be refused right now? */
  check(): Refusal | undefined;
  /** Makes the call and learns from it, or refuses it. */
  run<T>(call: () => Promise<T>, judge: (outcome: T) => Verdict): Promise<T | Refusal>;
}

/** What is known about a circuit that is not closed. */
interface Opened {
  until: number;
  failedProbes: number;
  probing: number;
  /** The last probe had no chance to answer, so it counts against nobody. */
  excused: boolean;
  jury?: Jury;
}

const AGREED: unique symbol = Symbol('agreed');

/** Several probes: when most have succeeded, the slow ones need not be waited for. */
interface Jury {
  readonly agreed: Promise<typeof AGREED>;
  acquit(): void;
}

function createJury(probes: number): Jury {
  let successes = 0;
  let agree: (agreed: typeof AGREED) => void = () => undefined;
  const agreed = new Promise<typeof AGREED>((resolve) => {
    agree = resolve;
  });
  return {
    agreed,
    acquit() {
      successes += 1;
      if (successes > probes / 2) agree(AGREED);
    },
  };
}

/** How long to stay away while the probes are under way. */
const PROBE_WAIT_MS = 100;

/** Carries an outcome past the state machine, which then counts it neither way. */
class NeutralOutcome<T> {
  readonly outcome: T;
  constructor(outcome: T) {
    this.outcome = outcome;
  }
}

const NAMES: ReadonlyMap<CircuitState, BreakerState> = new Map([
  [CircuitState.Closed, 'closed'],
  [CircuitState.HalfOpen, 'half_open'],
]);

/** Creates a breaker. */
export function createBreaker(options: BreakerOptions = {}): Breaker {
  const clock = options.clock ?? systemClock;
  const openMs = milliseconds('openMs', options.openMs, 500);
  const maxOpenMs = milliseconds('maxOpenMs', options.maxOpenMs, 30_000);
  const probes = integer('probes', options.probes, 1, 1);
  const opened: Opened = { until: 0, failedProbes: 0, probing: 0, excused: false };

  // The state machine compares the machine's own time with `duration`; answering "not at all" or "long
  // enough" by our clock leaves the decision to the injected one.
  const openFor = (ms: number, failedProbes: number): IBackoff<unknown> => {
    opened.until = clock.now() + ms;
    opened.failedProbes = failedProbes;
    return {
      get duration() {
        return clock.now() < opened.until ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
      },
      next: () => {
        const { excused } = opened;
        opened.excused = false;
        return excused ? openFor(ms, failedProbes) : openFor(Math.min(maxOpenMs, ms * 2), failedProbes + 1);
      },
    };
  };
  const halfOpenAfter: IBackoffFactory<unknown> = { next: () => openFor(Math.min(openMs, maxOpenMs), 0) };
  const window = createFailureWindow({
    clock,
    windowMs: milliseconds('windowMs', options.windowMs, 3000),
    threshold: share('threshold', options.threshold, 0.5),
    minimumCalls: integer('minimumCalls', options.minimumCalls, 10, 1),
    consecutive: integer('consecutive', options.consecutive, 5, 1),
  });
  const policy = circuitBreaker(
    handleWhenResult((judged) => (judged as { verdict: Verdict }).verdict === 'failure'),
    {
      halfOpenAfter,
      breaker: window,
      halfOpenSampling: { calls: probes, threshold: probes === 1 ? 0 : 0.5 },
    },
  );
  const state = (): BreakerState => NAMES.get(policy.state) ?? 'open';
  policy.onStateChange(() => options.onState?.(state()));

  const refusal = (afterMs: number): Refusal => ({
    refused: true,
    afterMs: Math.max(1, Math.ceil(afterMs)),
    failedProbes: opened.failedProbes,
  });

  function check(): Refusal | undefined {
    if (policy.state === CircuitState.HalfOpen) {
      return opened.probing < probes ? undefined : refusal(PROBE_WAIT_MS);
    }
    if (policy.state === CircuitState.Open && clock.now() < opened.until) {
      return refusal(opened.until - clock.now());
    }
    return undefined;
  }

  async function run<T>(call: () => Promise<T>, judge: (outcome: T) => Verdict): Promise<T | Refusal> {
    const refused = check();
    if (refused !== undefined) return refused;
    const jury = summon();
    let made: Promise<T> | undefined;
    try {
      const judged = await policy.execute(async () => {
        made = call();
        const first = await (jury === undefined ? made : Promise.race([made, jury.agreed]));
        if (first === AGREED) return { verdict: 'success' as const };
        const outcome = first as T;
        let verdict = judge(outcome);
        // A probe without an answer is no reason to let everybody through.
        if (verdict === 'none' && policy.state === CircuitState.HalfOpen) {
          opened.excused = true;
          verdict = 'failure';
        }
        if (verdict !== 'failure') jury?.acquit();
        if (verdict === 'neutral' || verdict === 'none') throw new NeutralOutcome(outcome);
        return { verdict, outcome };
      });
      return 'outcome' in judged ? (judged.outcome as T) : await (made as unknown as Promise<T>);
    } catch (thrown) {
      if (thrown instanceof NeutralOutcome) return thrown.outcome as T;
      if (thrown instanceof BrokenCircuitError) return refusal(opened.until - clock.now());
      throw thrown;
    }
  }

  /** The probes of one half-open period; none while the circuit is closed. */
  function summon(): Jury | undefined {
    if (policy.state === CircuitState.Closed) return undefined;
    if (policy.state !== CircuitState.HalfOpen || opened.jury === undefined) {
      opened.probing = 0;
      opened.jury = createJury(probes);
    }
    opened.probing += 1;
    return opened.jury;
  }

  return {
    get state() {
      return state();
    },
    check,
    run,
  };
}

/** Was the call refused? */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as Partial<Refusal>).refused === true;
}
