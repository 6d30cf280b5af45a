/**
 * The circuits of an upstream that many use: each caller has its own. What fails depends on what is asked, and the
 * process that ends or hangs may be of one session, so that nobody loses a tool or a server by what another does. Only
 * that it cannot be reached, or started, whatever it is told, is everybody's.
 */
import type { Outcome } from '../outcome.ts';
import { type Breaker, type BreakerState, createBreaker, type Permit, type Verdict } from './breaker.ts';
import { ByCaller } from './by-caller.ts';
import {
  type Aimed,
  ask,
  type CircuitPermit,
  type CircuitRefusal,
  type Circuits,
  type CircuitsOptions,
  createCircuits,
  refusalOf,
  UPSTREAM_DEFAULTS,
  worst,
} from './circuits.ts';
import { Starts } from './starts.ts';
import { upstreamVerdict } from './verdict.ts';

const MAX_SUSPECTS_EACH = 100;

/** How the circuits of an upstream that many use behave. */
export interface CircuitsByCallerOptions extends CircuitsOptions {
  /**
   * Each session has a part of the upstream that was started for it: whoever is in one is held back by that alone. Starts
   * one for nobody, and says whether that can be done.
   */
  readonly tryStart?: (() => Promise<Verdict>) | undefined;
}

/** What came of starting one: it works, or it has ended over what it was told. */
export type Started = 'works' | 'ended';

/** Leave to start one. */
export interface StartPermit {
  readonly admitted: true;
  /** Learns what came of it, where somebody can tell. The first word counts. */
  settle(started?: Started): void;
}

/** The circuits of an upstream that many use. */
export interface CircuitsByCaller extends Circuits {
  /** Leave to start one before anything is asked of it: held back by what holds back everybody, and by nothing else. */
  admitStart(): StartPermit | CircuitRefusal;
}

/** Creates closed circuits. Callers without an identity share theirs. */
export function createCircuitsByCaller({ tryStart, ...options }: CircuitsByCallerOptions): CircuitsByCaller {
  const reach = reachOf(options);
  const most = (options.breaker || undefined)?.consecutive ?? MOST_IN_DOUBT;
  const starts = reach && tryStart && new Starts({ reach, most, tryStart });
  const byCaller = new ByCaller((caller) => createCircuits(options, { caller, most: MAX_SUSPECTS_EACH }));
  /** Everybody's circuit, as far as it is the call's. */
  const reachFor = (call: Aimed): Breaker | undefined =>
    tryStart !== undefined && !mayStart(call) ? undefined : reach;
  const closedTo = (call: Aimed) => {
    const circuit = reachFor(call);
    const open = circuit && starts ? starts.heldBack() : circuit?.check();
    return open === undefined ? undefined : refusalOf(options, call, 'upstream', open);
  };
  return {
    check: (call) => closedTo(call) ?? byCaller.get(call.caller)?.check(call),
    admit(call) {
      const refused = closedTo(call);
      if (refused !== undefined) return { admitted: false, ...refused };
      const own = byCaller.use(call.caller).admit(call);
      return own.admitted ? together(call, own, ask(reachFor(call)), starts) : own;
    },
    admitStart() {
      const refused = closedTo(A_START);
      return refused === undefined ? startPermit(ask(reach), starts) : { admitted: false, ...refused };
    },
    stateOf: (target) =>
      worst([
        target === undefined && reach ? reach.state : 'closed',
        ...byCaller.all().map((one) => one.holding(target)),
      ]),
    holding: (target) =>
      worst([
        target === undefined && reach ? reach.holding : 'closed',
        ...byCaller.all().map((one) => one.holding(target)),
      ]),
    get troubled() {
      return [...new Set(byCaller.all().flatMap((one) => one.troubled))];
    },
  };
}

const A_START: Aimed = { method: 'initialize' };

function startPermit(permit: Permit | undefined, starts: Starts | undefined): StartPermit {
  let isSettled = false;
  return {
    admitted: true,
    settle(started) {
      if (isSettled) return;
      isSettled = true;
      if (started === 'works') starts?.worked();
      if (started === 'ended') starts?.failed();
      permit?.settle(started === 'works' ? 'success' : 'none');
    },
  };
}

/** As many starts in a row are looked into as open the circuit. */
const MOST_IN_DOUBT = UPSTREAM_DEFAULTS.consecutive ?? 1;

function reachOf({ name, clock, breaker, emit }: CircuitsOptions): Breaker | undefined {
  if (breaker === false) return undefined;
  const onState = (state: BreakerState): void => emit?.({ type: 'circuit', upstream: name, state });
  return createBreaker({ clock, ...UPSTREAM_DEFAULTS, ...breaker, onState });
}

/** Is it part of no session yet? */
function isOpening({ session, method }: Aimed): boolean {
  return session === undefined || method === 'initialize';
}

/** May something have to be started for it? */
function mayStart(call: Aimed): boolean {
  return call.isStart === true || isOpening(call);
}

function together(
  call: Aimed,
  own: CircuitPermit,
  permit: Permit | undefined,
  starts: Starts | undefined,
): CircuitPermit {
  let isSettled = false;
  return {
    admitted: true,
    settle(outcome) {
      if (isSettled) return;
      isSettled = true;
      const isOwn = mayBeOwn(outcome);
      const verdict = isOwn ? 'none' : reachVerdict(outcome);
      if (verdict === 'success' && (call.isStart === true || call.method === 'initialize')) starts?.worked();
      if (isOwn && mayStart(call)) starts?.failed();
      permit?.settle(verdict);
      // Where nobody can tell callers apart, it is held against none of them.
      const isNobodys = isOwn && call.caller === undefined && isOpening(call);
      own.settle(verdict === 'failure' || isNobodys ? undefined : outcome);
    },
  };
}

/** May what was said be why nothing came of it? */
function mayBeOwn(outcome: Outcome<unknown> | undefined): boolean {
  return outcome?.ok === false && outcome.mayBeOwn === true && outcome.fault.executed === 'no';
}

/** What an attempt proves about whether the server can be reached. That one was not sent by our own doing proves nothing. */
function reachVerdict(outcome: Outcome<unknown> | undefined): Verdict {
  if (outcome === undefined) return 'none';
  const verdict = upstreamVerdict(outcome);
  if (verdict !== 'failure' || outcome.ok) return verdict;
  const { kind, executed, origin } = outcome.fault;
  return kind === 'unavailable' && executed === 'no' && origin !== 'gateway' ? 'failure' : 'none';
}
