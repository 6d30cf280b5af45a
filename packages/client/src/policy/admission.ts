/** Whether a call may be sent now: a place under the concurrency limit, and closed circuits. */
import type { Fault } from '@mayday/core';
import type { Refusal } from './breaker.ts';
import { openScope } from './deadline.ts';
import type { RefusedBy } from './events.ts';
import { circuitOpen, lineFull, localFault, paceExceeded } from './local-faults.ts';
import type { CallInfo } from './outcome.ts';
import type { Upstream } from './upstream.ts';

/** Let in, with a place to give back; or not, with the fault that says why. */
export type Admission =
  | { readonly admitted: true; readonly release: () => void }
  | {
      readonly admitted: false;
      readonly by: RefusedBy;
      readonly fault: Fault;
      readonly reason: string;
      /** Ask again after this; absent when asking again is no use. */
      readonly waitMs?: number;
    };

/** What bounds the wait at the door. */
export interface AdmissionOptions {
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  readonly patienceMs: number;
}

/** Everyone who was refused would come back at the same moment without a spread. */
const SPREAD = 0.25;

/** Probes that a target must fail to be taken for dead. */
const DEAD_AFTER_PROBES = 2;

/** How long a target in doubt waits for others to find out about the upstream. */
const DOUBT_MS = 200;

/** Asks for admission. */
export async function admit(
  upstream: Upstream,
  call: CallInfo,
  options: AdmissionOptions,
): Promise<Admission> {
  const refused = circuitRefusal(upstream, call, options);
  if (refused !== undefined) return refused;
  const early = await turnOf(upstream, options);
  if (early !== undefined) return early;
  const release = await placeFor(upstream, options);
  if (typeof release !== 'function') return release;
  // The waits have been long enough for a circuit to open.
  const late = circuitRefusal(upstream, call, options);
  if (late === undefined) return { admitted: true, release };
  release();
  return late;
}

/** Waits for the call's turn where the upstream has asked for a slower pace. */
async function turnOf(upstream: Upstream, options: AdmissionOptions): Promise<Admission | undefined> {
  const { pace, clock, name } = upstream;
  if (pace === undefined) return undefined;
  const { lineMs } = pace;
  const { deadline, signal } = options;
  const tooLong = (): Admission =>
    turnedAway('pace', paceExceeded(name, lineMs), 'Its turn would come too late; nothing was sent');
  if (lineMs > 0 && lineMs >= Math.min(upstream.patienceMs, deadline - clock.now())) return tooLong();
  const scope = openScope({ clock, deadline, signal, timeoutMs: Number.POSITIVE_INFINITY });
  const came = await pace.turn(scope.signal);
  scope.close();
  if (came) return undefined;
  if (scope.ended !== 'cancelled') return tooLong();
  return turnedAway('pace', localFault('cancelled'), 'The caller gave up in line');
}

async function placeFor(upstream: Upstream, options: AdmissionOptions): Promise<(() => void) | Admission> {
  const { limiter, clock, name } = upstream;
  if (limiter === undefined) return () => undefined;
  const { deadline, signal } = options;
  const scope = openScope({ clock, deadline, signal, timeoutMs: Math.max(0, options.patienceMs) });
  const release = await limiter.acquire(scope.signal);
  scope.close();
  if (release !== undefined) return release;
  if (scope.ended === 'cancelled')
    return turnedAway('concurrency', localFault('cancelled'), 'The caller gave up in line');
  const reason = 'No place became free in time; nothing was sent';
  return turnedAway('concurrency', lineFull(name, limiter.active), reason);
}

function circuitRefusal(
  upstream: Upstream,
  call: CallInfo,
  options: AdmissionOptions,
): Admission | undefined {
  const { breaker, name } = upstream;
  const target = upstream.breakerOf(call.target);
  const own = target?.check();
  // A target that failed two probes as well is taken for dead: nobody should wait for it. Before that, it may
  // just have had bad luck, or shared a passing disturbance of its upstream.
  if (own !== undefined && own.failedProbes >= DEAD_AFTER_PROBES) {
    const fault = circuitOpen(name, call.target, own.afterMs);
    return turnedAway('target', fault, `The circuit of ${call.target} is open; nothing was sent`);
  }
  const whole = breaker?.check();
  if (whole !== undefined) {
    return atDoor(upstream, 'upstream', circuitOpen(name, undefined, whole.afterMs), whole, options);
  }
  // Whether the upstream is back must not be asked of a target that is in doubt itself.
  const probing = breaker !== undefined && breaker.state !== 'closed';
  const doubtful = probing && target !== undefined && target.state !== 'closed';
  const held = own ?? (doubtful ? { refused: true, afterMs: DOUBT_MS, failedProbes: 0 } : undefined);
  if (held === undefined) return undefined;
  return atDoor(upstream, 'target', circuitOpen(name, call.target, held.afterMs), held, options);
}

function atDoor(
  upstream: Upstream,
  by: RefusedBy,
  fault: Fault,
  refusal: Refusal,
  options: AdmissionOptions,
): Admission {
  const waitMs = Math.ceil(refusal.afterMs * (1 + SPREAD * upstream.random()));
  const left = Math.min(options.patienceMs, options.deadline - upstream.clock.now());
  if (waitMs < left) return { ...turnedAway(by, fault, ''), waitMs };
  return turnedAway(by, fault, `The circuit is open longer than the call can wait; nothing was sent`);
}

function turnedAway(by: RefusedBy, fault: Fault, reason: string): Admission & { admitted: false } {
  return { admitted: false, by, fault, reason };
}
