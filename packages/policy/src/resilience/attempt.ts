/** One attempt: sends the call once, within its time. What all other policies stand around. */
import { type Fault, faultOf, isKind, makeFault } from '@mayday/core';
import type { CallMeta } from '@mayday/core/plan';
import type { Call } from '../call.ts';
import { milliseconds } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import { hush } from '../events.ts';
import { cutOff } from '../local-faults.ts';
import { type Failed, faultInThrown, noteOutcome, type Outcome } from '../outcome.ts';
import type { Handler } from '../policy.ts';
import { type Ended, openScope } from '../scope.ts';

/** One attempt, as it is handed to whoever sends it. */
export interface Attempt<C extends Call = Call> {
  readonly call: C;
  /** 1 for the first. */
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** What to tell the server: until when we wait, and which attempt this is. */
  readonly meta: CallMeta;
  /** The peer has shown a sign of life: the attempt's time starts again. */
  extend(): void;
  /** Work before anything is sent: only the deadline bounds it, and ending there means not executed. */
  prepare<T>(work: Promise<T>): Promise<T>;
}

/** How an attempt is made, and what its end means. */
export interface AttemptOptions<T> {
  /** For one attempt. Default: what is left of the deadline. */
  readonly attemptTimeoutMs?: number | undefined;
  /** The fault in an answer; `undefined` when it is a success. By default every answer is. */
  readonly faultIn?: ((value: T) => Fault | undefined) | undefined;
  /** The fault in what was thrown. By default read from class, code, cause and body. */
  readonly faultInThrown?: ((thrown: unknown, now: number) => Fault) | undefined;
  /**
   * Is what was thrown an answer of the far side, in the form of an exception? By default it is not. `final`: the end of
   * what was asked about, which is not asked again.
   */
  readonly isAnswer?: ((thrown: unknown, fault: Fault) => boolean | 'final') | undefined;
  readonly clock?: Clock | undefined;
}

/** The handler that sends. Whatever happens, an outcome comes; nothing is thrown. */
export function sender<T, C extends Call>(
  send: (attempt: Attempt<C>) => Promise<T>,
  options: AttemptOptions<T> = {},
): Handler<T, C> {
  const clock = options.clock ?? systemClock;
  const timeoutMs = milliseconds('attemptTimeoutMs', options.attemptTimeoutMs, Number.POSITIVE_INFINITY);
  return async (call) => {
    const { deadline, signal, progress } = call;
    const sentAt = clock.now();
    const scope = openScope({ clock, deadline, signal, timeoutMs });
    let isPreparing = false;
    const handed: Attempt<C> = {
      call,
      attempt: call.attempt,
      signal: scope.signal,
      meta: metaOf(call),
      extend: () => scope.extend(),
      async prepare(work) {
        isPreparing = true;
        scope.hold();
        const prepared = await work;
        isPreparing = false;
        progress.began = true;
        scope.extend();
        return prepared;
      },
    };
    /** Before anything was sent, nothing can have happened. */
    const told = (fault: Fault): Fault => (isPreparing ? { ...fault, executed: 'no' } : fault);
    const failed = (thrown: unknown): Failed<T> => {
      const fault = readThrown(thrown, options.faultInThrown ?? inDoubt, clock.now());
      const answered = isAnswer(thrown, fault, options);
      const settled = answered === 'final';
      return { ok: false, fault: told(fault), answered: settled || answered === true, settled, thrown };
    };
    /** Timers come late, and connecting takes its own time: nobody is told of a longer wait than was asked for. */
    const asked = (ended: Ended): number => (ended === 'deadline' ? deadline - sentAt : timeoutMs);
    const cut = (ended: Ended, rest: Promise<Outcome<T>>): Failed<T> => ({
      ok: false,
      fault: told(cutOff(ended, 'maybe', Math.min(clock.now() - sentAt, asked(ended)))),
      ended,
      rest,
    });

    const sent: Promise<Outcome<T>> = Promise.resolve()
      .then(() => {
        const answer = send(handed);
        if (!isPreparing) progress.began = true;
        return answer;
      })
      .then((value) => judge(value, options.faultIn))
      .catch(failed);
    // A sender that ignores its signal must not hold the call: whichever comes first decides.
    const settled = await Promise.race([sent, whenEnded(scope.signal)]);
    const ended =
      scope.ended ?? timerOfItsOwn(settled, { now: clock.now(), deadline, limit: sentAt + timeoutMs });
    scope.close();
    // Told to stop, a sender fails in its own words; we know better why.
    const isSaid = settled !== undefined && (settled.ok || ended === undefined);
    const outcome = isSaid ? settled : cut(ended ?? 'cancelled', sent);
    progress.began = false;
    noteOutcome(progress, outcome);
    return outcome;
  };
}

/** A hook that throws says nothing: the fault at hand is what the caller has to hear. */
function isAnswer<T>(thrown: unknown, fault: Fault, options: AttemptOptions<T>): unknown {
  try {
    const answered: unknown = options.isAnswer?.(thrown, fault);
    hush(answered);
    return answered;
  } catch {
    return false;
  }
}

interface Limits {
  readonly now: number;
  readonly deadline: number;
  readonly limit: number;
}

/** Two timers that are set for one moment go off in any order. */
const SAME_MOMENT_MS = 20;

/** A sender with a timer of its own may give up just before ours: nobody has cancelled the call. */
function timerOfItsOwn<T>(
  settled: Outcome<T> | undefined,
  { now, deadline, limit }: Limits,
): Ended | undefined {
  if (settled === undefined || settled.ok || settled.answered === true) return undefined;
  if (settled.fault.kind !== 'cancelled') return undefined;
  if (now >= deadline - SAME_MOMENT_MS) return 'deadline';
  return now >= limit - SAME_MOMENT_MS ? 'attempt_timeout' : undefined;
}

function judge<T>(value: T, faultIn: AttemptOptions<T>['faultIn']): Outcome<T> {
  const fault = faultIn?.(value);
  return fault === undefined
    ? { ok: true, value }
    : { ok: false, fault: faultGiven(fault), value, answered: true };
}

/** What a hook gives for a fault. Whatever it is, the work was done or begun: only a fault can say that nothing was. */
function faultGiven(given: unknown): Fault {
  hush(given);
  const fault = (faultOf(given) ?? given) as Partial<Fault> | null | undefined;
  if (!isKind(fault?.kind)) return makeFault({ kind: 'unknown', message: UNREADABLE });
  return fault?.executed === undefined
    ? makeFault({ ...(fault as Fault), executed: 'maybe' })
    : (fault as Fault);
}

const UNREADABLE = 'The call failed with something that cannot be read';

function whenEnded(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** A caller above counts the attempts: its number is passed on, not ours. */
function metaOf({ deadline, above, attempt }: Call): CallMeta {
  const counted = { attempt: above?.attempt ?? attempt };
  return deadline < Number.POSITIVE_INFINITY ? { deadline, ...counted } : counted;
}

/** Nothing is known about who threw it. */
function inDoubt(thrown: unknown, now: number): Fault {
  return faultInThrown(thrown, now);
}

/** What was thrown may throw again when it is looked at. */
function readThrown(thrown: unknown, reader: (thrown: unknown, now: number) => Fault, now: number): Fault {
  try {
    return faultGiven(reader(thrown, now));
  } catch {
    return makeFault({ kind: 'unknown', message: UNREADABLE });
  }
}
