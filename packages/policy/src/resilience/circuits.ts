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
import { createBystanders } from './bystanders.ts';
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
  const { name, clock, random } = options;
  const targets = new Map<string, Suspect>();
  const bystanders = createBystanders(clock);
  let lastBroke: Kind | undefined;
  const tell = (target: string | undefined, state: BreakerState): void =>
    options.emit?.({ type: 'circuit', upstream: name, target, state });
  const whole =
    options.breaker === false
      ? undefined
      : createBreaker({
          clock,
          ...UPSTREAM_DEFAULTS,
          ...options.breaker,
          onState(state) {
            if (state === 'open') acquit(lastBroke);
            tell(undefined, state);
          },
        });

  /** Targets that were only suspected, of the same thing: the upstream turned out to be the culprit. */
  function acquit(kind: Kind | undefined): void {
    for (const [target, { breaker, failure }] of targets) {
      if (failure === kind && breaker.check()?.failedProbes === 0) targets.delete(target);
    }
  }

  function breakerOf(target: string | undefined): Breaker | undefined {
    return target === undefined ? undefined : targets.get(target)?.breaker;
  }

  /** A target gets a circuit with its first failure. */
  function suspect(target: string, failure: Kind): Breaker | undefined {
    if (options.targetBreaker === false) return undefined;
    const known = targets.get(target);
    if (known !== undefined) {
      known.failure = failure;
      return known.breaker;
    }
    if (targets.size >= MAX_TARGETS) forgetOne();
    const onState = (state: BreakerState): void => tell(target, state);
    const breaker = createBreaker({ clock, ...options.targetBreaker, onState });
    targets.set(target, { breaker, failure });
    return breaker;
  }

  /** One that works, if there is one; else the oldest. */
  function forgetOne(): void {
    for (const [target, { breaker }] of targets)
      if (breaker.state === 'closed') return void targets.delete(target);
    targets.delete(targets.keys().next().value as string);
  }

  function refusal(by: 'upstream' | 'target', call: Aimed, open: CircuitOpen): Refusal {
    const fault: Fault = circuitOpen(name, by === 'target' ? call : undefined, open.afterMs);
    // A target that failed two probes as well is taken for dead: nobody should wait for it. Before that, it
    // may just have had bad luck, or shared a passing disturbance of its upstream.
    const isDead = by === 'target' && open.failedProbes >= DEAD_AFTER_PROBES;
    const waitMs = isDead ? undefined : Math.ceil(open.afterMs * (1 + SPREAD * random()));
    return { fault, by, waitMs };
  }

  function check(call: Aimed): Refusal | undefined {
    const { target } = call;
    const own = breakerOf(target);
    const ownOpen = own?.check();
    if (ownOpen !== undefined && ownOpen.failedProbes >= DEAD_AFTER_PROBES)
      return refusal('target', call, ownOpen);
    const wholeOpen = whole?.check();
    if (wholeOpen !== undefined) return refusal('upstream', call, wholeOpen);
    if (ownOpen !== undefined) return refusal('target', call, ownOpen);
    // Whether the upstream is back should not be asked of a target that is in doubt itself, while others may.
    const isProbing = whole !== undefined && whole.state !== 'closed' && whole.overdueMs < LONGEST_DOUBT_MS;
    if (!isProbing || own === undefined || own.state === 'closed') return undefined;
    return refusal('target', call, { admitted: false, afterMs: DOUBT_MS, failedProbes: 0 });
  }

  function admit(call: Aimed): CircuitPermit | CircuitRefusal {
    const refused = check(call);
    if (refused !== undefined) return { admitted: false, ...refused };
    const { target } = call;
    const own = breakerOf(target);
    const permits: { whole?: Permit; own?: Permit } = {};
    for (const [level, breaker] of [
      ['whole', whole],
      ['own', own],
    ] as const) {
      const asked = breaker?.admit();
      if (asked?.admitted === true) permits[level] = asked;
    }
    let settled = false;
    return {
      admitted: true,
      settle(outcome) {
        if (settled) return;
        settled = true;
        learn(target, outcome, permits);
      },
    };
  }

  function learn(
    target: string | undefined,
    outcome: Outcome<unknown> | undefined,
    permits: { readonly whole?: Permit; readonly own?: Permit },
  ): void {
    const onWhole = outcome === undefined ? 'none' : upstreamVerdict(outcome);
    const onTarget = outcome === undefined ? 'none' : targetVerdict(outcome);
    const kind = outcome === undefined || outcome.ok ? undefined : outcome.fault.kind;
    const isShared = onWhole === 'failure' && kind !== undefined && isEverybodys(target, kind);
    if (onWhole !== 'none') bystanders.record(target, onWhole === 'failure' ? kind : undefined);
    if (isShared) lastBroke = kind;
    permits.whole?.settle(onWhole === 'failure' && !isShared ? 'none' : onWhole);
    const verdict = isShared ? 'none' : onTarget;
    const isTargets = verdict === 'failure' && target !== undefined && kind !== undefined;
    const own = isTargets ? suspect(target, kind) : undefined;
    if (permits.own !== undefined) permits.own.settle(verdict);
    else if (own?.state === 'closed') holdAgainst(own);
  }

  /** Whose fault is it? With nobody to compare, a broken pipe is the upstream's, and silence the target's. */
  function isEverybodys(target: string | undefined, kind: Kind): boolean {
    return target === undefined || (bystanders.failToo(target, kind) ?? kind !== 'timeout');
  }

  return {
    check,
    admit,
    stateOf: (target) => (target === undefined ? whole : breakerOf(target))?.state ?? 'closed',
    get troubled() {
      return [...targets].filter(([, { breaker }]) => breaker.state !== 'closed').map(([target]) => target);
    },
  };
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
