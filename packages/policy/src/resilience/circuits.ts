/**
 * The circuits of one upstream: one for itself, one for each of its targets. A dead tool is told from a dead
 * server: what fails while others work is the tool's own, what fails because everything fails is not. A session may have
 * a process of its own, so that each has a circuit in place of the upstream's.
 */

import type { Fault, Kind } from '@mayday/core';
import type { Call } from '../call.ts';
import { isFunction, isObject, needed, type OptionNames, onlyKnown } from '../check.ts';
import type { Clock, Random } from '../clock.ts';
import type { Listener } from '../events.ts';
import { circuitOpen } from '../local-faults.ts';
import { type Outcome, type Refusal, refuse } from '../outcome.ts';
import type { Policy } from '../policy.ts';
import { sound } from '../sound.ts';
import {
  type Breaker,
  type BreakerOptions,
  type BreakerState,
  type CircuitOpen,
  checkBreaker,
  createBreaker,
  type Permit,
  type Verdict,
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
   * for it, so that each attempt counts.
   */
  readonly breaker?: BreakerOptions | false | undefined;
  /** The circuit of each target. It counts calls: the failing attempts of one are one failure. */
  readonly targetBreaker?: BreakerOptions | false | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly emit?: Listener | undefined;
}

const OPTIONS: OptionNames<CircuitsOptions> = {
  name: true,
  breaker: true,
  targetBreaker: true,
  clock: true,
  random: true,
  emit: true,
};

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

/** What circuits look at in a call. Without its progress, each attempt is taken for a call. */
export type Aimed = Pick<Call, 'target' | 'method' | 'caller' | 'session' | 'isStart' | 'above'> &
  Partial<Pick<Call, 'progress'>>;

/** The circuits of one upstream. */
export interface Circuits {
  /** What speaks against a call right now, if anything does. Takes nothing. */
  check(call: Aimed): Refusal | undefined;
  /** Leave to call, or a refusal. Every permit must be settled. */
  admit(call: Aimed): CircuitPermit | CircuitRefusal;
  /** The state of the upstream's circuit, or of a target's. */
  stateOf(target?: string): BreakerState;
  /** The same, as far as anybody is held back now, in a session of their own too. */
  holding(target?: string): BreakerState;
  /** The targets that are held back now. */
  readonly troubled: readonly string[];
}

/** A target or a session that has failed, and how it did so last. */
interface Suspect {
  readonly breaker: Breaker;
  failure: Kind;
}

/** Whose circuits they are, where others have their own. */
export interface Share {
  readonly caller?: string | undefined;
  /** Targets and sessions that are kept, of each. */
  readonly most?: number | undefined;
}

/** Everyone who was refused would come back at the same moment without a spread. */
const SPREAD = 0.25;

/** Probes that a target must fail to be taken for dead. */
const DEAD_AFTER_PROBES = 2;

/** How long a target in doubt waits for others to find out about the upstream, each time and in all. */
const DOUBT_MS = 200;
const LONGEST_DOUBT_MS = 2000;

/** Names come from models, so there may be any number of them; only those that have failed are kept. */
const MAX_SUSPECTS = 1000;

/** When the circuit of an upstream opens. */
export const UPSTREAM_DEFAULTS: BreakerOptions = {
  windowMs: 2000,
  minimumCalls: 20,
  consecutive: 10,
  maxOpenMs: 2000,
  probes: 3,
};

/** Creates closed circuits. */
export function createCircuits(options: CircuitsOptions, share: Share = {}): Circuits {
  onlyKnown('`createCircuits`', options, OPTIONS);
  needed('`clock`', options.clock, 'an object', isObject);
  needed('`random`', options.random, 'a function', isFunction);
  checkBreaker('breaker', options.breaker);
  checkBreaker('targetBreaker', options.targetBreaker);
  return new TwoLevels(options, share);
}

interface Permits {
  readonly whole: Permit | undefined;
  readonly own: Permit | undefined;
}

class TwoLevels implements Circuits {
  readonly #options: CircuitsOptions;
  readonly #share: Share;
  readonly #whole: Breaker | undefined;
  readonly #sessions = new Map<string, Suspect>();
  readonly #targets = new Map<string, Suspect>();
  readonly #bystanders: Bystanders;
  /** What the upstream failed with last. */
  #lastBroke: Kind | undefined;

  constructor(options: CircuitsOptions, share: Share) {
    this.#options = options;
    this.#share = share;
    this.#bystanders = createBystanders(options.clock);
    this.#whole = options.breaker === false ? undefined : this.#createWhole();
  }

  check(call: Aimed): Refusal | undefined {
    const own = this.#breakerOf(call.target);
    const ownOpen = own?.check();
    if (ownOpen !== undefined && ownOpen.failedProbes >= DEAD_AFTER_PROBES)
      return refusalOf(this.#options, call, 'target', ownOpen);
    const wholeOpen = this.#wholeOf(call)?.check();
    if (wholeOpen !== undefined) return refusalOf(this.#options, call, 'upstream', wholeOpen);
    if (ownOpen !== undefined) return refusalOf(this.#options, call, 'target', ownOpen);
    // Whether the upstream is back should not be asked of a target that is in doubt itself, while others may.
    if (!isProbing(this.#wholeOf(call)) || own === undefined || own.state === 'closed') return undefined;
    return refusalOf(this.#options, call, 'target', { admitted: false, afterMs: DOUBT_MS, failedProbes: 0 });
  }

  admit(call: Aimed): CircuitPermit | CircuitRefusal {
    const refused = this.check(call);
    if (refused !== undefined) return { admitted: false, ...refused };
    const permits = { whole: ask(this.#wholeOf(call)), own: ask(this.#breakerOf(call.target)) };
    let isSettled = false;
    return {
      admitted: true,
      settle: (outcome) => {
        if (!isSettled) this.#learn(call, outcome, permits);
        isSettled = true;
      },
    };
  }

  stateOf(target?: string): BreakerState {
    return (target === undefined ? this.#whole : this.#breakerOf(target))?.state ?? 'closed';
  }

  holding(target?: string): BreakerState {
    if (target !== undefined) return this.#breakerOf(target)?.holding ?? 'closed';
    const sessions = [...this.#sessions.values()].map(({ breaker }) => breaker.holding);
    return worst([this.#whole?.holding ?? 'closed', ...sessions]);
  }

  get troubled(): readonly string[] {
    return [...this.#targets]
      .filter(([, { breaker }]) => breaker.holding !== 'closed')
      .map(([target]) => target);
  }

  #learn(call: Aimed, outcome: Outcome<unknown> | undefined, { whole, own }: Permits): void {
    const { target, session } = call;
    const onWhole = outcome === undefined ? 'none' : upstreamVerdict(outcome);
    const onTarget = outcome === undefined ? 'none' : targetVerdict(outcome);
    const fault = outcome === undefined || outcome.ok ? undefined : outcome.fault;
    const kind = fault?.kind;
    const isShared = onWhole === 'failure' && fault !== undefined && this.#isEverybodys(target, fault);
    if (onWhole !== 'none') this.#bystanders.record(target, onWhole === 'failure' ? kind : undefined);
    if (isShared) this.#lastBroke = kind;
    settle(whole, onWhole === 'failure' && !isShared ? 'none' : onWhole, () =>
      session === undefined || kind === undefined ? undefined : this.#suspectSession(session, kind),
    );
    settle(own, isShared ? 'none' : ofOneCall(call, onTarget), () =>
      target === undefined || kind === undefined ? undefined : this.#suspect(target, kind),
    );
  }

  /**
   * Whose fault is it? What never reached the upstream is not the target's, whoever worked a moment ago. With nobody to
   * compare, a broken pipe is the upstream's, and silence the target's.
   */
  #isEverybodys(target: string | undefined, { kind, executed }: Fault): boolean {
    if (executed === 'no') return true;
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
    const onState = (state: BreakerState): void => this.#tell({ target }, state);
    return this.#keep(this.#targets, target, failure, () =>
      createBreaker({ clock, ...targetBreaker, onState }),
    );
  }

  /** So does a session. */
  #suspectSession(session: string, failure: Kind): Breaker | undefined {
    if (this.#whole === undefined) return undefined;
    return this.#keep(this.#sessions, session, failure, () => this.#createWhole(session));
  }

  #createWhole(session?: string): Breaker {
    const onState = (state: BreakerState): void => {
      if (state === 'open') this.#acquit();
      this.#tell({ session }, state);
    };
    const { clock, breaker } = this.#options;
    return createBreaker({ clock, ...UPSTREAM_DEFAULTS, ...(breaker || undefined), onState });
  }

  #keep(suspects: Map<string, Suspect>, name: string, failure: Kind, create: () => Breaker): Breaker {
    const known = suspects.get(name);
    if (known !== undefined) {
      known.failure = failure;
      return known.breaker;
    }
    if (suspects.size >= (this.#share.most ?? MAX_SUSPECTS)) forgetOne(suspects);
    const breaker = create();
    suspects.set(name, { breaker, failure });
    return breaker;
  }

  #wholeOf({ session }: Aimed): Breaker | undefined {
    return session === undefined ? this.#whole : this.#sessions.get(session)?.breaker;
  }

  #breakerOf(target: string | undefined): Breaker | undefined {
    return target === undefined ? undefined : this.#targets.get(target)?.breaker;
  }

  #tell(
    whose: { readonly target?: string; readonly session?: string | undefined },
    state: BreakerState,
  ): void {
    const { emit, name } = this.#options;
    emit?.({ type: 'circuit', upstream: name, caller: this.#share.caller, ...whose, state });
  }
}

/** Why a call is not sent. */
export function refusalOf(
  { name, random }: CircuitsOptions,
  call: Aimed,
  by: 'upstream' | 'target',
  open: CircuitOpen,
): Refusal {
  const fault: Fault = circuitOpen(name, by === 'target' ? call : undefined, open.afterMs);
  // A target that failed two probes as well is taken for dead: nobody should wait for it. Before that, it
  // may just have had bad luck, or shared a passing disturbance of its upstream.
  const isDead = by === 'target' && open.failedProbes >= DEAD_AFTER_PROBES;
  const waitMs = isDead ? undefined : Math.ceil(open.afterMs * (1 + SPREAD * random()));
  return { fault, by, waitMs };
}

/** Of several states the one that holds back most. */
export function worst(states: readonly BreakerState[]): BreakerState {
  return states.find((state) => state === 'open') ?? states.find((state) => state !== 'closed') ?? 'closed';
}

function isProbing(whole: Breaker | undefined): boolean {
  return whole !== undefined && whole.state !== 'closed' && whole.overdueMs < LONGEST_DOUBT_MS;
}

/** One that works, if there is one; else the oldest. */
function forgetOne(suspects: Map<string, Suspect>): void {
  for (const [name, { breaker }] of suspects)
    if (breaker.state === 'closed') return void suspects.delete(name);
  suspects.delete(suspects.keys().next().value as string);
}

/**
 * What an attempt says of its target, with those before it. What one call asks for may be impossible however often it is
 * tried, and says no more of the target then. Who counts attempts above us makes each a call of its own.
 */
function ofOneCall({ progress, above }: Aimed, verdict: Verdict): Verdict {
  if (verdict !== 'failure') return verdict;
  const isCounted = progress?.heldAgainst === true || (above?.attempt ?? 1) > 1;
  if (progress !== undefined) progress.heldAgainst = true;
  return isCounted ? 'again' : 'failure';
}

/** Leave to call, where there is a circuit. */
export function ask(breaker: Breaker | undefined): Permit | undefined {
  const asked = breaker?.admit();
  return asked?.admitted === true ? asked : undefined;
}

/** Says what a call has proved. The first failure of what had no circuit when it was called makes one. */
function settle(permit: Permit | undefined, verdict: Verdict, suspect: () => Breaker | undefined): void {
  const suspected = verdict === 'failure' ? suspect() : undefined;
  const late = permit === undefined && suspected?.state === 'closed' ? ask(suspected) : undefined;
  (permit ?? late)?.settle(verdict);
}

/** The policy that asks the circuits, and tells them what became of the call. */
export function circuit<T, C extends Call>(circuits: Circuits): Policy<T, C> {
  return (next) => async (call) => {
    const permit = circuits.admit(call);
    if (!permit.admitted) return refuse(permit);
    let outcome: Outcome<T> | undefined;
    try {
      outcome = sound(await next(call));
      return outcome;
    } finally {
      permit.settle(outcome);
    }
  };
}

/** Refuses early what the circuits would refuse, before the call stands in a line for nothing. */
export function circuitDoor<T, C extends Call>(circuits: Circuits): Policy<T, C> {
  return (next) => (call) => {
    const refusal = circuits.check(call);
    return refusal === undefined ? next(call) : Promise.resolve(refuse(refusal));
  };
}
