/** What an outcome proves, and about whom. */
import type { Kind } from '@mayday/core';
import type { Failed, Outcome } from '../outcome.ts';
import type { Verdict } from './breaker.ts';

/** Kinds that tell of something behind a tool, or of the tool itself, that does not work for anybody. */
const TROUBLE: readonly Kind[] = ['overloaded', 'timeout', 'disconnected', 'unavailable', 'upstream_failed'];

/** Kinds of silence and of broken pipes, when no answer came. Shed load is an answer, in whatever form. */
const SILENCE: readonly Kind[] = ['timeout', 'disconnected', 'unavailable', 'upstream_failed'];

/** Does the outcome say nothing, because the call was refused here, called off, or cut off by its caller? */
function isMoot(outcome: Failed<unknown>): boolean {
  const { refused, ended, fault } = outcome;
  if (refused !== undefined || fault.kind === 'cancelled') return true;
  // A gateway that has too much to do says nothing about what stands behind it.
  if (fault.kind === 'overloaded' && fault.origin === 'gateway') return true;
  return ended !== undefined && ended !== 'attempt_timeout';
}

/**
 * What an attempt proves about its target. Callers' mistakes count neither way, and a rate limit is no answer
 * of the target's at all: it keeps no dead tool alive.
 */
export function targetVerdict(outcome: Outcome<unknown>): Verdict {
  if (outcome.ok) return 'success';
  const { kind, origin } = outcome.fault;
  if (isMoot(outcome) || kind === 'rate_limited') return 'none';
  if (outcome.reached === true) return 'neutral';
  return TROUBLE.includes(kind) && origin !== 'caller' ? 'failure' : 'neutral';
}

/**
 * What an attempt proves about the upstream as a whole. Any answer shows that it lives; only silence and
 * broken pipes speak against it.
 */
export function upstreamVerdict(outcome: Outcome<unknown>): Verdict {
  if (outcome.ok) return 'success';
  if (isMoot(outcome)) return 'none';
  if (outcome.answered === true) return 'success';
  if (outcome.reached === true) return 'neutral';
  const { kind, origin } = outcome.fault;
  return SILENCE.includes(kind) && origin !== 'caller' ? 'failure' : 'neutral';
}
