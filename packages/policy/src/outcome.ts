/** What became of a call. */
import { type Fault, FaultError, faultOf, type ReadOptions, read } from '@mayday/core';
import { type Progress, worse } from './call.ts';
import type { Ended } from './scope.ts';

/** What became of one attempt, or of the whole call. */
export type Outcome<T> = Success<T> | Failed<T>;

/** It succeeded. */
export interface Success<T> {
  readonly ok: true;
  readonly value: T;
  /** The answer of an earlier call with the same key. */
  readonly replayed?: boolean | undefined;
}

/** It failed. */
export interface Failed<T> {
  readonly ok: false;
  readonly fault: Fault;
  /** The failing answer itself, where there is one. */
  readonly value?: T | undefined;
  /** The far side itself answered this call, if only to say that it failed: it lives. */
  readonly answered?: boolean | undefined;
  /** The far side was there, and knew nothing of whoever asked: that is between those two. */
  readonly reached?: boolean | undefined;
  /** The far side ended once it had been told something: what was said may be why, and nobody else need meet it. */
  readonly mayBeOwn?: boolean | undefined;
  /** It is the end of what was asked about: whoever asks again hears the same. */
  readonly settled?: boolean | undefined;
  /** Something has reached the caller that another attempt cannot follow: whatever happens, nothing is sent anew. */
  readonly committed?: boolean | undefined;
  /** We refused it ourselves and sent nothing. It speaks for and against nobody. */
  readonly refused?: Refused | undefined;
  /** It is what became of the attempt before, after all: nothing was sent for this one. */
  readonly earlier?: boolean | undefined;
  /** Why it was cut off, if it was. */
  readonly ended?: Ended | undefined;
  /** The work that goes on behind an outcome that did not wait for it, and what becomes of it in the end. */
  readonly rest?: Promise<Outcome<T>> | undefined;
  /** The failure of an earlier call with the same key. */
  readonly replayed?: boolean | undefined;
  /** Why it ended here, as a sentence. */
  readonly reason?: string | undefined;
  /** What was thrown, where something was. For logs; it may hold anything. */
  readonly thrown?: unknown;
}

/** Takes note of what became of a call, for whoever has to tell it when something breaks on the way back. */
export function noteOutcome(progress: Progress, outcome: Outcome<unknown>): void {
  progress.executed = worse(progress.executed, outcome.ok ? 'yes' : outcome.fault.executed);
}

/** A refusal of our own making. */
export interface Refused {
  /** The policy that refused. */
  readonly by: string;
  /** Asking again after this may help; absent when it is no use within this call. */
  readonly waitMs?: number | undefined;
  /** The answer must not differ by a byte, whatever the reason: nothing of the request may show in it. */
  readonly opaque?: boolean | undefined;
  /** Why, for the log and nobody else. */
  readonly reason?: string | undefined;
}

/** A refusal: the fault that says why, and who refused. */
export interface Refusal extends Refused {
  readonly fault: Fault;
}

/** The outcome of a call that was refused here. */
export function refuse(refusal: Refusal): Failed<never> {
  const { fault, by, waitMs, opaque, reason } = refusal;
  return { ok: false, fault, refused: { by, waitMs, opaque, reason } };
}

/** A message in a fault is a sentence, not a megabyte. */
const MAX_MESSAGE = 2000;

/** What is known about something that was thrown. */
export interface ThrownFrom {
  /**
   * `false` when our own attempt to make the call met it, `true` when the work had begun. Without it nobody can
   * tell, and it is taken for begun.
   */
  readonly began?: boolean | undefined;
  /** Is a server believed when it declares that nothing was executed? Default true. */
  readonly trustDeclarations?: boolean | undefined;
  /** What was called: a declaration about something else proves nothing. */
  readonly called?: ReadOptions['called'];
}

/**
 * The fault in whatever was thrown. A fault that was thrown on once the work had begun tells of some other call,
 * unless its thrower said itself that nothing was executed.
 */
export function faultInThrown(thrown: unknown, now: number, from: ThrownFrom = {}): Fault {
  if (faultOf(thrown) !== undefined) return FaultError.from(thrown, { began: from.began ?? true }).fault;
  const { began, trustDeclarations, called } = from;
  const options = { now, began, trustDeclarations, called };
  const reading = read({ thrown: thrown ?? 'nothing was thrown' }, options);
  // A thrown value always reads as a failure; the fallback keeps the compiler's view whole.
  return bounded(reading.failure ? reading.fault : (faultInText(now) as Fault));
}

function faultInText(now: number): Fault | undefined {
  const reading = read('The call failed without saying why', { now });
  return reading.failure ? reading.fault : undefined;
}

/** The same fault with a message of bounded length. */
export function bounded(fault: Fault): Fault {
  if (fault.message.length <= MAX_MESSAGE) return fault;
  return { ...fault, message: `${fault.message.slice(0, MAX_MESSAGE - 1)}…` };
}
