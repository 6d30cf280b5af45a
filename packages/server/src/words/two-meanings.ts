/** Statuses that interfaces use for two things. The words beside them say which. */
import { type Kind, type Language, makeFault, type Reading } from '@mayday/core';
import type { Described } from './describe.ts';
import { FOR_CALLERS, SURE } from './for-callers.ts';
import type { Exception } from './hear.ts';

/** Somebody's own means: a card, an account that is charged. */
const DECLINED =
  /\binsufficient funds\b|\b(?:cards?|payments?|charge|transaction|transfer)\b[^.]{0,60}\b(?:declined|refused|rejected|expired|failed)\b/i;

/** What asks for a retry by itself passes. */
const PASSES = /\b(?:retry|try again) (?:in|after)\b/i;

/** Held by somebody else for the time of a request. */
const HELD = /\b(?:right now|at the moment|currently)\b[^.]{0,40}\banother (?:\w+ )?(?:request|process)\b/i;

/** Who is known, and may not. */
const SCOPE = /\binsufficient[ _-]?scopes?\b|\bmissing[ _-]scopes?\b/i;

/** Kinds of the statuses that interfaces use for two things: 403, 429, 410 and 405. */
const LOOSE: ReadonlySet<Kind> = new Set<Kind>(['forbidden', 'rate_limited', 'expired', 'unsupported']);

/** From here on words know better than a status that is used for two things. */
const KNOWING = 0.7;

/** The reading, or what the words beside such a status say it is. */
export function sharpened(reading: Reading, { about, answer, context }: Exception): Reading {
  if (!reading.failure) return reading;
  const { kind, retry } = reading.fault;
  const { message } = about;
  if (kind === 'quota_exhausted' && DECLINED.test(message))
    return { ...reading, fault: makeFault({ kind: 'unprocessable', message }) };
  if (kind === 'conflict' && (about.code === 'lock_timeout' || HELD.test(message))) {
    const { afterMs } = retry;
    const wait = afterMs === undefined ? undefined : { when: 'after_wait' as const, afterMs };
    return { ...reading, fault: makeFault({ kind: 'overloaded', message, retry: wait }) };
  }
  if (kind === 'unauthenticated' && SCOPE.test(message))
    return { ...reading, fault: makeFault({ kind: 'forbidden', message }) };
  if (!LOOSE.has(kind)) return reading;
  const spoken = context.language.read(message);
  if (kind === 'expired' || kind === 'unsupported') {
    const knows = spoken.failure && spoken.certainty >= KNOWING && FOR_CALLERS.has(spoken.fault.kind);
    return knows && answer !== undefined ? { ...reading, fault: spoken.fault } : reading;
  }
  const says = (meant: Kind): boolean =>
    (spoken.failure && spoken.fault.kind === meant && spoken.certainty >= SURE) ||
    (answer?.spoken?.kind === meant && answer.spoken.certainty >= SURE);
  if (kind === 'rate_limited') {
    if (retry.afterMs !== undefined || PASSES.test(message) || !says('quota_exhausted')) return reading;
    return { ...reading, fault: makeFault({ kind: 'quota_exhausted', message }) };
  }
  if (!says('rate_limited')) return reading;
  const known = retry.afterMs === undefined && spoken.failure ? spoken.fault.retry : retry;
  const fault = makeFault({ kind: 'rate_limited', message, retry: { ...known, when: 'after_wait' } });
  return { ...reading, fault };
}

/** That nothing was changed is no failure of whoever answers so: where a client throws it, its words tell why. */
export function ofUnchanged(reading: Reading, { message }: Described, language: Language): Reading {
  const [first] = reading.failure ? reading.evidence : [];
  if (first?.by !== 'status' || first.says !== UNCHANGED) return reading;
  const said = language.read({ thrown: new Error(message) });
  return said.failure && said.certainty >= SURE ? said : reading;
}

const UNCHANGED = 'HTTP status 304';
