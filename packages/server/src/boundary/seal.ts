/** A failure's fault made ready to leave, with what the request adds to it. */
import { type Fault, saidRetryable } from '@mayday/core';
import { ATTEMPT_KEY } from '@mayday/core/protocol';
import { hidingTold } from '@mayday/core/redact';
import { calmed, cautioned, partlyDone, tellsOfDone } from '@mayday/core/render';
import { isOpaque } from '../guards/opaque.ts';
import { isHarmless, onlyReads } from '../hints.ts';
import type { Settings } from '../options.ts';
import { label, tidy } from '../words/tidy.ts';
import { correlationIdFor, opaqueId } from './correlate.ts';
import type { Failure } from './failure.ts';
import { lastFault } from './last-resort.ts';
import type { RequestState } from './request-state.ts';
import { isLaterRound } from './rounds.ts';
import { subjectType } from './sdk-failures.ts';
import { answersAsTool } from './task-requests.ts';

/** The fault as it may leave. Total: there is always one. */
export function seal(failure: Failure, state: RequestState, settings: Settings): Fault {
  try {
    return made(failure, state, settings);
  } catch (bug) {
    return lastFault(failure, bug);
  }
}

/**
 * The same, as the caller is told it: about the whole call, of which the request may only be a later round or a repeat. `ended`: the
 * work is over, so that under its key the failure stays what it is.
 */
export function sealForCaller(
  failure: Failure,
  state: RequestState,
  settings: Settings,
  ended = false,
): Fault {
  const sealed = seal(failure, state, settings);
  const fault = ended && state.conclude !== undefined ? withoutFurther(sealed, state) : sealed;
  if (fault.executed !== 'no' || !(state.doubtful || isOfEarlierRounds(state))) return fault;
  const open: Fault = { ...fault, executed: 'maybe' };
  if (!state.doubtful && !answersAsTool(state.method)) return open;
  // Who may not know which tools there are does not learn either which of them only read.
  return onlyReads(state.tool?.annotations) && !isOpaque(failure.thrown) ? open : cautioned(open);
}

/** Whoever counts attempts can send this round again, and knows itself of those before it. */
function isOfEarlierRounds(state: RequestState): boolean {
  return isLaterRound(state.message) && state.meta(ATTEMPT_KEY) === undefined;
}

/** What is kept is all that a repetition would get: the wait is for whoever calls anew. */
function withoutFurther(fault: Fault, { tool }: RequestState): Fault {
  if (!fault.retryable || fault.executed === 'no' || isHarmless(tool?.annotations)) return fault;
  return { ...fault, retry: { ...fault.retry, maxAttempts: 0 } };
}

function made(failure: Failure, state: RequestState, settings: Settings): Fault {
  const { thrown, began } = failure;
  const opaque = isOpaque(thrown);
  const fault = tidy(thrown, {
    began,
    correlationId: opaque
      ? opaqueId(state)
      : correlationIdFor(thrown.fault, () => settings.correlationId?.(state)),
    maxTextLength: settings.maxTextLength,
    redaction: hidingTold(failure.redaction ?? settings.redaction, settings.redaction.told ?? []),
  });
  if (opaque) return fault;
  const told = began ? ofThisEnd(fault) : fault;
  return about(cautious(told, state, saidRetryable(thrown) !== undefined), state);
}

/**
 * The way between caller and server is the caller's to tell of, and so is what lies before it: what a handler has lost is its
 * own connection, to something behind it.
 */
function ofThisEnd(fault: Fault): Fault {
  const { origin } = fault;
  if (origin !== 'transport' && origin !== 'local') return fault;
  return { ...fault, origin: origin === 'local' ? 'server' : 'upstream' };
}

/** Whoever is told to try again is told what that can do; of a tool that only reads, that it does no harm. */
function cautious(fault: Fault, state: RequestState, isDecided: boolean): Fault {
  if (!answersAsTool(state.method)) return fault;
  if (onlyReads(state.tool?.annotations)) return calmed(fault);
  if (fault.executed === 'no') return fault;
  const isDone = (fault.executed === 'yes' && fault.retryable) || tellsOfDone(fault.message);
  return cautioned(!isDecided && isDone ? partlyDone(fault) : fault);
}

/** A fault that names no subject is about what the request was about, where that cannot change its place. */
function about(fault: Fault, state: RequestState): Fault {
  if (fault.subject !== undefined || fault.kind === 'not_found' || fault.kind === 'unsupported') return fault;
  const { name } = state;
  if (name === undefined) return fault;
  return { ...fault, subject: { type: subjectType(state.method), id: label(name) } };
}
