/**
 * The circuits of an upstream that many use: each caller has its own. What fails depends on what is asked, and the
 * process that ends or hangs may be of one session, so that nobody loses a tool or a server by what another does. Only
 * that it cannot be reached, or started, is everybody's.
 */
import type { Outcome } from '../outcome.ts';
import { type Breaker, type BreakerState, createBreaker, type Verdict } from './breaker.ts';
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
import { upstreamVerdict } from './verdict.ts';

const MAX_SUSPECTS_EACH = 100;

/** Creates closed circuits. Callers without an identity share theirs. */
export function createCircuitsByCaller(options: CircuitsOptions): Circuits {
  const { name, clock, breaker, emit } = options;
  const onState = (state: BreakerState): void => emit?.({ type: 'circuit', upstream: name, state });
  const reach =
    breaker === false ? undefined : createBreaker({ clock, ...UPSTREAM_DEFAULTS, ...breaker, onState });
  const byCaller = new ByCaller((caller) => createCircuits(options, { caller, most: MAX_SUSPECTS_EACH }));
  const closedTo = (call: Aimed) => {
    const open = reach?.check();
    return open === undefined ? undefined : refusalOf(options, call, 'upstream', open);
  };
  return {
    check: (call) => closedTo(call) ?? byCaller.get(call.caller)?.check(call),
    admit(call) {
      const refused = closedTo(call);
      if (refused !== undefined) return { admitted: false, ...refused };
      const own = byCaller.use(call.caller).admit(call);
      return own.admitted ? together(own, reach) : own;
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

function together(own: CircuitPermit, reach: Breaker | undefined): CircuitPermit | CircuitRefusal {
  const permit = ask(reach);
  let isSettled = false;
  return {
    admitted: true,
    settle(outcome) {
      if (isSettled) return;
      isSettled = true;
      const verdict = reachVerdict(outcome);
      permit?.settle(verdict);
      own.settle(verdict === 'failure' ? undefined : outcome);
    },
  };
}

/** What an attempt proves about whether the server can be reached. That one was not sent by our own doing proves nothing. */
function reachVerdict(outcome: Outcome<unknown> | undefined): Verdict {
  if (outcome === undefined) return 'none';
  const verdict = upstreamVerdict(outcome);
  if (verdict !== 'failure' || outcome.ok) return verdict;
  const { kind, executed, origin } = outcome.fault;
  return kind === 'unavailable' && executed === 'no' && origin !== 'gateway' ? 'failure' : 'none';
}
