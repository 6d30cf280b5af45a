/** What became of a call, and what it proves about the far side. */
import { type Fault, faultOf, type Kind, read } from '@mayday/core';
import type { PlannedCall } from '@mayday/core/plan';
import type { Verdict } from './breaker.ts';
import type { Ended } from './deadline.ts';

/** A call, as the policies see it. */
export interface CallInfo extends PlannedCall {
  /** What is called: a tool, a prompt, a resource. Each has its own circuit. */
  readonly target?: string | undefined;
}

/** What became of one attempt, or of the whole call. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly fault: Fault;
      /** The answer, where the far side answered at all. */
      readonly value?: T;
      /** What was thrown, where something was. For logs; it may hold anything. */
      readonly thrown?: unknown;
      /** Why the attempt was cut off, if it was. */
      readonly ended?: Ended;
    };

/** Kinds that tell of a server, or something behind it, in trouble. */
const TROUBLE: readonly Kind[] = [
  'overloaded',
  'timeout',
  'disconnected',
  'unavailable',
  'upstream_failed',
  'misconfigured',
  'invalid_output',
  'internal',
];

/** What an attempt proves about its target. Callers' mistakes and rate limits count neither way. */
export function targetVerdict(outcome: Outcome<unknown>): Verdict {
  if (outcome.ok) return 'success';
  if (outcome.ended !== undefined && outcome.ended !== 'attempt_timeout') return 'none';
  const { kind, origin } = outcome.fault;
  if (kind === 'cancelled') return 'none';
  return TROUBLE.includes(kind) && origin !== 'caller' ? 'failure' : 'neutral';
}

/** What an attempt proves about the upstream as a whole: an answer shows that it lives, even a failing one. */
export function upstreamVerdict(outcome: Outcome<unknown>): Verdict {
  const verdict = targetVerdict(outcome);
  return verdict === 'failure' && !outcome.ok && 'value' in outcome ? 'success' : verdict;
}

/** A message in a fault is a sentence, not a megabyte. */
const MAX_MESSAGE = 2000;

/** The fault in whatever was thrown. `began` as in core: `false` when our own transport threw it. */
export function faultInThrown(thrown: unknown, now: number, began?: boolean): Fault {
  const carried = faultOf(thrown);
  if (carried !== undefined) return carried;
  const reading = read({ thrown: thrown ?? 'nothing was thrown' }, { now, began });
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
