/**
 * The circuits of one upstream: one for itself, one for each of its targets. A dead tool is told from a dead
 * server: what fails while others work is the tool's own, what fails because everything fails is not.
 */
import type { Fault, Kind } from '@mayday/core';
import type { Call } from '../call.ts';
import type { Clock, Random } from '../clock.ts';
import type { Listener } from '../events.ts';
import { circuitOpen } from '../local-faults.ts';
import { type Outcome, type Refusal, refuse } from '../outcome.ts';
import type { Policy } from '../policy.ts';
import {
  type Breaker,
  type BreakerOptions,
  type BreakerState,
  type CircuitOpen,
  createBreaker,
  type Permit,
} from './breaker.ts';
import { type Bystanders, createBystanders } from './bystanders.ts';
import { targetVerdict, upstreamVerdict } from './verdict.ts';

/** How the circuits of an upstream behave. `false` switches a level off. */
export interface CircuitsOptions {
  /** The upstream's name. */
  readonly name: string;
  /**
   * The upstream's own circuit. Opens later than a target's, at half of 20 calls or 10 failures in a row, and
   * is probed more often, three calls at first after 500 ms and then at least every 2 s: everything waits
   * for it.
   */
  readonly breaker?: BreakerOptions | false | undefined;
  /** The circuit of each target. */
  readonly targetBreaker?: BreakerOptions | false | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly emit?: Listener | undefined;
}

/** Leave to make one call. */
export interface CircuitPermit {
  readonly admitted: true;
  /** Learns from what became of the call. The first word counts; without an outcome, it was never made. */
  settle(outcome?: Outcome<unknown>): void;
}

/** No leave: nothing may be sent now. */
export interface CircuitRefusal extends Refusal {
  readonly admitted: false;
}

/** What circuits look at in a call. */
export type Aimed = Pick<Call, 'target' | 'method'>;

/** The circuits of one upstream. */
export interface Circuits {
  /** What speaks against a call right now, if anything does. Takes nothing. */
  check(call: Aimed): Refusal | undefined;
  /** Leave to call, or a refusal. Every permit must be settled. */
  admit(call: Aimed): CircuitPermit | CircuitRefusal;
  /** The state of the upstream's circuit, or of a target's. */
  stateOf(target?: string): BreakerState;
  /** The targets whose circuit is not closed. */
  readonly troubled: readonly string[];
}

/** A target that has failed, and how it did so last. */
interface Suspect {
  readonly breaker: Breaker;
  failure: Kind;
}

/** Everyone who was refused would come back at the same moment without a spread. */
const SPREAD = 0.25;

/** Probes that a target must fail to be taken for dead. */
const DEAD_AFTER_PROBES = 2;

/** How long a target in doubt waits for others to find out about the upstream, each time and in all. */
const DOUBT_MS = 200;
const LONGEST_DOUBT_MS = 2000;

/** Names come from models, so there may be any number of them; only those that have failed are kept. */
const MAX_TARGETS = 1000;

const UPSTREAM_DEFAULTS: BreakerOptions = {
  windowMs: 2000,
  minimumCalls: 20,
  consecutive: 10,
  maxOpenMs: 2000,
  probes: 3,
};

/** Creates closed circuits. */
export function createCircuits(options: CircuitsOptions): Circuits {
  return new TwoLevels(options);
}

interface Permits {
  readonly whole: Permit | undefined;
  readonly own: Permit | undefined;
}

class TwoLevels implements Circuits {
  readonly #options: CircuitsOptions;
  readonly #whole: Breaker | undefined;
  readonly #targets = new Map<string, Suspect>();
  readonly #bystanders: Bystanders;
  /** What the upstream failed with last. */
  #lastBroke: Kind | undefined;

  constructor(options: CircuitsOptions) {
    const { clock, breaker } = options;
    this.#options = options;
    this.#bystanders = createBystanders(clock);
    const onState = (state: BreakerState): void => {
      if (state === 'open') this.#acquit();
      this.#tell(undefined, state);
    };
    this.#whole =
      breaker === false ? undefined : createBreaker({ clock, ...UPSTREAM_DEFAULTS, ...breaker, onState });
  }

  check(call: Aimed): Refusal | undefined {
    const own = this.#breakerOf(call.target);
    const ownOpen = own?.check();
    if (ownOpen !== undefined && ownOpen.failedProbes >= DEAD_AFTER_PROBES)
      return this.#refusal('target', call, ownOpen);
    const wholeOpen = this.#whole?.check();
    if (wholeOpen !== undefined) return this.#refusal('upstream', call, wholeOpen);
    if (ownOpen !== undefined) return this.#refusal('target', call, ownOpen);
    // Whether the upstream is back should not be asked of a target that is in doubt itself, while others may.
    if (!this.#isProbing() || own === undefined || own.state === 'closed') return undefined;
    return this.#refusal('target', call, { admitted: false, afterMs: DOUBT_MS, failedProbes: 0 });
  }

  admit(call: Aimed): CircuitPermit | CircuitRefusal {
    const refused = this.check(call);
    if (refused !== undefined) return { admitted: false, ...refused };
    const permits = { whole: ask(this.#whole), own: ask(this.#breakerOf(call.target)) };
    let isSettled = false;
    return {
      admitted: true,
      settle: (outcome) => {
        if (!isSettled) this.#learn(call.target, outcome, permits);
        isSettled = true;
      },
    };
  }

  stateOf(target?: string): BreakerState {
    return (target === undefined ? this.#whole : this.#breakerOf(target))?.state ?? 'closed';
  }

  get troubled(): readonly string[] {
    return [...this.#targets]
      .filter(([, { breaker }]) => breaker.state !== 'closed')
      .map(([target]) => target);
  }

  #learn(target: string | undefined, outcome: Outcome<unknown> | undefined, permits: Permits): void {
    const onWhole = outcome === undefined ? 'none' : upstreamVerdict(outcome);
    const onTarget = outcome === undefined ? 'none' : targetVerdict(outcome);
    const fault = outcome === undefined || outcome.ok ? undefined : outcome.fault;
    const kind = fault?.kind;
    const isShared = onWhole === 'failure' && fault !== undefined && this.#isEverybodys(target, fault);
    if (onWhole !== 'none') this.#bystanders.record(target, onWhole === 'failure' ? kind : undefined);
    if (isShared) this.#lastBroke = kind;
    permits.whole?.settle(onWhole === 'failure' && !isShared ? 'none' : onWhole);
    const verdict = isShared ? 'none' : onTarget;
    const isTargets = verdict === 'failure' && target !== undefined && kind !== undefined;
    const own = isTargets ? this.#suspect(target, kind) : undefined;
    if (permits.own !== undefined) permits.own.settle(verdict);
    else if (own?.state === 'closed') holdAgainst(own);
  }

  /**
   * Whose fault is it? What never reached the upstream is not the target's, whoever worked a moment ago. With nobody to
   * compare, a broken pipe is the upstream's, and silence the target's.
   */
  #isEverybodys(target: string | undefined, { kind, executed }: Fault): boolean {
    if (kind === 'unavailable' && executed === 'no') return true;
    return target === undefined || (this.#bystanders.failToo(target, kind) ?? kind !== 'timeout');
  }

  /** Targets that were only suspected, of the same thing: the upstream turned out to be the culprit. */
  #acquit(): void {
    for (const [target, { breaker, failure }] of this.#targets) {
      if (failure === this.#lastBroke && breaker.check()?.failedProbes === 0) this.#targets.delete(target);
    }
  }

  /** A target gets a circuit with its first failure. */
  #suspect(target: string, failure: Kind): Breaker | undefined {
    const { clock, targetBreaker } = this.#options;
    if (targetBreaker === false) return undefined;
    const known = this.#targets.get(target);
    if (known !== undefined) {
      known.failure = failure;
      return known.breaker;
    }
    if (this.#targets.size >= MAX_TARGETS) this.#forgetOne();
    const onState = (state: BreakerState): void => this.#tell(target, state);
    const breaker = createBreaker({ clock, ...targetBreaker, onState });
    this.#targets.set(target, { breaker, failure });
    return breaker;
  }

  /** One that works, if there is one; else the oldest. */
  #forgetOne(): void {
    for (const [target, { breaker }] of this.#targets)
      if (breaker.state === 'closed') return void this.#targets.delete(target);
    this.#targets.delete(this.#targets.keys().next().value as string);
  }

  #refusal(by: 'upstream' | 'target', call: Aimed, open: CircuitOpen): Refusal {
    const { name, random } = this.#options;
    const fault: Fault = circuitOpen(name, by === 'target' ? call : undefined, open.afterMs);
    // A target that failed two probes as well is taken for dead: nobody should wait for it. Before that, it
    // may just have had bad luck, or shared a passing disturbance of its upstream.
    const isDead = by === 'target' && open.failedProbes >= DEAD_AFTER_PROBES;
    const waitMs = isDead ? undefined : Math.ceil(open.afterMs * (1 + SPREAD * random()));
    return { fault, by, waitMs };
  }

  #isProbing(): boolean {
    const whole = this.#whole;
    return whole !== undefined && whole.state !== 'closed' && whole.overdueMs < LONGEST_DOUBT_MS;
  }

  #breakerOf(target: string | undefined): Breaker | undefined {
    return target === undefined ? undefined : this.#targets.get(target)?.breaker;
  }

  #tell(target: string | undefined, state: BreakerState): void {
    this.#options.emit?.({ type: 'circuit', upstream: this.#options.name, target, state });
  }
}

function ask(breaker: Breaker | undefined): Permit | undefined {
  const asked = breaker?.admit();
  return asked?.admitted === true ? asked : undefined;
}

/** A failure of a target that had no circuit when it was called. */
function holdAgainst(breaker: Breaker): void {
  const permit = breaker.admit();
  if (permit.admitted) permit.settle('failure');
}

/** The policy that asks the circuits, and tells them what became of the call. */
export function circuit<T, C extends Call>(circuits: Circuits): Policy<T, C> {
  return (next) => async (call) => {
    const permit = circuits.admit(call);
    if (!permit.admitted) return refuse(permit);
    let outcome: Outcome<T> | undefined;
    try {
      outcome = await next(call);
      return outcome;
    } finally {
      permit.settle(outcome);
    }
  };
}

/** Refuses early what the circuits would refuse, before the call stands in a line for nothing. */
export function circuitDoor<T, C extends Call>(circuits: Circuits): Policy<T, C> {
  return (next) => async (call) => {
    const refusal = circuits.check(call);
    return refusal === undefined ? next(call) : refuse(refusal);
  };
}
