/**
 * A circuit breaker. Whoever wants to call asks for a permit and settles it with what the call has proved. A
 * caller's mistake proves neither that the far side works nor that it fails, so it counts neither way.
 */
import { callable, integer, milliseconds, type OptionNames, onlyKnown, share } from '../check.ts';
import { type Clock, checkClock, systemClock } from '../clock.ts';
import { createFailureWindow, type FailureWindow, type WindowOptions } from './failure-window.ts';

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

/** The names of a breaker's options. */
const BREAKER_OPTIONS: OptionNames<BreakerOptions> = {
  threshold: true,
  minimumCalls: true,
  consecutive: true,
  windowMs: true,
  openMs: true,
  maxOpenMs: true,
  probes: true,
  clock: true,
  onState: true,
};

/** Closed: calls pass. Open: calls are refused. Half-open: probes are under way. */
export type BreakerState = 'closed' | 'open' | 'half_open';

/**
 * What one call proves about the far side. `neutral`: it answered, but the answer is no measure of its
 * health. `none`: it had no chance to answer, or was never made. `again`: it failed, and what it is part of has been
 * counted as a failure before; only as a probe does it count once more.
 */
export type Verdict = 'success' | 'failure' | 'again' | 'neutral' | 'none';

/** Leave to make one call. */
export interface Permit {
  readonly admitted: true;
  /** Says what the call has proved. The first word counts, any further one is ignored. */
  settle(verdict: Verdict): void;
}

/** No leave now, and when to ask again. */
export interface CircuitOpen {
  readonly admitted: false;
  readonly afterMs: number;
  /** Probes that have failed since the circuit opened. From the first on, it is no passing disturbance. */
  readonly failedProbes: number;
}

/** A circuit breaker. */
export interface Breaker {
  readonly state: BreakerState;
  /** The same, as far as it holds anybody back: one that is open, and may be probed, counts as closed. */
  readonly holding: BreakerState;
  /** Would a call be refused right now? Takes nothing. */
  check(): CircuitOpen | undefined;
  /** Leave to call, or a refusal. Every permit must be settled, whatever becomes of the call. */
  admit(): Permit | CircuitOpen;
  /** How long a probe has been due that nobody has made; 0 when none is. */
  readonly overdueMs: number;
}

type Inner =
  | { readonly value: 'closed'; readonly window: FailureWindow }
  | {
      readonly value: 'open';
      readonly until: number;
      readonly openMs: number;
      readonly failedProbes: number;
    }
  | {
      readonly value: 'half_open';
      readonly openMs: number;
      readonly failedProbes: number;
      /** Probes that may still be made. */
      places: number;
      /** Probes that have not come back. */
      underWay: number;
      successes: number;
      failures: number;
      lastProbeAt: number;
      /** How long the probes under way keep others from trying. */
      leaseMs: number;
    };

/**
 * How long to stay away while the probes are under way. Then others may try, whatever has become of them, and each time
 * they are waited for twice as long: a wait that is told is true, and what hangs is not called by everybody.
 */
const PROBE_LEASE_MS = 100;

/** A breaker's limits: what was given, or the defaults. */
interface Limits extends Omit<WindowOptions, 'clock'> {
  readonly openMs: number;
  readonly maxOpenMs: number;
  readonly probes: number;
}

/** Refuses values that are none; `of` says where the options stand, for the sentences. */
function limitsOf(options: BreakerOptions, of = ''): Limits {
  const maxOpenMs = milliseconds(`${of}maxOpenMs`, options.maxOpenMs, 30_000);
  return {
    maxOpenMs,
    openMs: Math.min(milliseconds(`${of}openMs`, options.openMs, 500), maxOpenMs),
    probes: integer(`${of}probes`, options.probes, 1, 1),
    windowMs: milliseconds(`${of}windowMs`, options.windowMs, 3000),
    threshold: share(`${of}threshold`, options.threshold, 0.5),
    minimumCalls: integer(`${of}minimumCalls`, options.minimumCalls, 10, 1),
    consecutive: integer(`${of}consecutive`, options.consecutive, 5, 1),
  };
}

/**
 * Refuses options that no breaker can be made with. A target's is made at its first failure: found only then, a wrong
 * value would stand in the place of what failed.
 */
export function checkBreaker(name: string, options: BreakerOptions | false | undefined): void {
  if (options === undefined || options === false) return;
  onlyKnown(`\`${name}\``, options, BREAKER_OPTIONS);
  limitsOf(options, `${name}.`);
  checkClock(`${name}.clock`, options.clock);
  callable(`${name}.onState`, options.onState);
}

/** Creates a breaker. */
export function createBreaker(options: BreakerOptions = {}): Breaker {
  return new StateMachine(options);
}

type Closed = Extract<Inner, { value: 'closed' }>;
type Open = Extract<Inner, { value: 'open' }>;
type HalfOpen = Extract<Inner, { value: 'half_open' }>;

class StateMachine implements Breaker {
  readonly #clock: Clock;
  readonly #openMs: number;
  readonly #maxOpenMs: number;
  readonly #probes: number;
  readonly #limits: WindowOptions;
  readonly #onState: BreakerOptions['onState'];
  #inner: Inner;

  constructor(options: BreakerOptions) {
    const clock = options.clock ?? systemClock;
    this.#clock = clock;
    this.#onState = options.onState;
    const { openMs, maxOpenMs, probes, ...window } = limitsOf(options);
    this.#openMs = openMs;
    this.#maxOpenMs = maxOpenMs;
    this.#probes = probes;
    this.#limits = { ...window, clock };
    this.#inner = this.#closed();
  }

  get state(): BreakerState {
    return this.#now().value;
  }

  get holding(): BreakerState {
    return this.check() === undefined ? 'closed' : this.state;
  }

  get overdueMs(): number {
    const inner = this.#now();
    return inner.value === 'closed' ? 0 : Math.max(0, this.#clock.now() - dueAt(inner));
  }

  check(): CircuitOpen | undefined {
    const inner = this.#now();
    if (inner.value === 'closed') return undefined;
    const left = dueAt(inner) - this.#clock.now();
    return left > 0 ? refusal(left, inner.failedProbes) : undefined;
  }

  admit(): Permit | CircuitOpen {
    const refused = this.check();
    if (refused !== undefined) return refused;
    const inner = this.#inner;
    if (inner.value === 'closed') return permit((verdict) => this.#count(inner, verdict));
    const half = inner.value === 'open' ? this.#probe(inner) : inner;
    if (this.#clock.now() - half.lastProbeAt >= half.leaseMs) this.#probeOn(half);
    half.places -= 1;
    half.underWay += 1;
    half.lastProbeAt = this.#clock.now();
    return permit((verdict) => this.#judge(half, verdict));
  }

  /** What holds now. Where nobody asks for more probes, those that came back well are enough after a while. */
  #now(): Inner {
    const inner = this.#inner;
    if (inner.value !== 'half_open' || inner.underWay > 0 || inner.failures > 0) return inner;
    const isQuiet = this.#clock.now() - inner.lastProbeAt >= this.#openMs;
    if (inner.successes > 0 && isQuiet) this.#become(this.#closed());
    return this.#inner;
  }

  /** One outcome of a call that was let through while the circuit was closed. */
  #count(closed: Closed, verdict: Verdict): void {
    // What comes late, after the circuit has opened, says nothing about the time since.
    if (this.#inner !== closed) return;
    if (verdict === 'success') closed.window.success();
    else if (verdict === 'failure' && closed.window.failure()) this.#open(this.#openMs, 0);
  }

  /** One outcome of a probe; most of them decide, and the slow ones need not be waited for. */
  #judge(half: HalfOpen, verdict: Verdict): void {
    if (this.#inner !== half) return;
    half.underWay -= 1;
    if (verdict === 'none') half.places = Math.min(this.#probes, half.places + 1);
    else if (verdict === 'failure' || verdict === 'again') half.failures += 1;
    else half.successes += 1;
    if (half.successes > this.#probes / 2) this.#become(this.#closed());
    else if (half.failures >= this.#probes / 2)
      this.#open(Math.min(this.#maxOpenMs, half.openMs * 2), half.failedProbes + 1);
  }

  #probe({ openMs, failedProbes }: Open): HalfOpen {
    const tally = {
      places: this.#probes,
      underWay: 0,
      successes: 0,
      failures: 0,
      lastProbeAt: this.#clock.now(),
    };
    const half: HalfOpen = { value: 'half_open', openMs, failedProbes, leaseMs: PROBE_LEASE_MS, ...tally };
    this.#become(half);
    return half;
  }

  /** The probes have not come back: others follow them, and whichever comes back counts. */
  #probeOn(half: HalfOpen): void {
    half.places = this.#probes;
    half.leaseMs = Math.max(half.leaseMs, Math.min(this.#maxOpenMs, half.leaseMs * 2));
  }

  #closed(): Closed {
    return { value: 'closed', window: createFailureWindow(this.#limits) };
  }

  #open(ms: number, failedProbes: number): void {
    this.#become({ value: 'open', until: this.#clock.now() + ms, openMs: ms, failedProbes });
  }

  #become(next: Inner): void {
    this.#inner = next;
    this.#onState?.(next.value);
  }
}

/** When a probe may be made. */
function dueAt(inner: Open | HalfOpen): number {
  if (inner.value === 'open') return inner.until;
  return inner.places > 0 ? inner.lastProbeAt : inner.lastProbeAt + inner.leaseMs;
}

function refusal(afterMs: number, failedProbes: number): CircuitOpen {
  return { admitted: false, afterMs: Math.max(1, Math.ceil(afterMs)), failedProbes };
}

function permit(learn: (verdict: Verdict) => void): Permit {
  let settled = false;
  return {
    admitted: true,
    settle(verdict) {
      if (settled) return;
      settled = true;
      learn(verdict);
    },
  };
}
