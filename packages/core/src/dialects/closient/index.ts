/** Closient: `result.error` with an RFC 9457 problem document in `data`. */
import type { Fault, JsonObject } from '../../fault.ts';
import type { Dialect, FormContext } from '../dialect.ts';
import { isOpenLimit, withoutRepetition } from '../forming.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { asSaid, problemFor, write } from './write.ts';

export { classOf } from './codes.ts';
export { closientProblem, closientWait } from './reference.ts';

/** What the document's sample client waits where the answer names no time. */
const USUAL_WAIT_MS = 5000;

/** REST has the document of the tools, to the member: facts that it has no member for are in neither. */
function restProblem(fault: Fault, now: number): JsonObject {
  const { details: _details, ...bare } = fault;
  return problemFor(fault.native?.dialect === 'closient' ? fault : bare, now);
}

/**
 * The document's clients wait -32003 out and call again, and so would make a change twice: a limit that may have been met
 * after a part of it is a failure behind the tool.
 */
function saidTo(fault: Fault, context: FormContext): Fault {
  // An author who calls it a limit in Closient's own name means -32003.
  const isMeant = fault.native?.dialect === 'closient' && context.handedOn !== true;
  const isOpen = !isMeant && (isOpenLimit(fault, context) || tellsOfLimit(fault, context));
  if (isOpen) return { ...withoutRepetition(fault), kind: 'upstream_failed' };
  return isOthers(fault, context) ? behindTool(fault) : asSaid(fault);
}

/** What the document has its clients try again is an unexpected failure of this server's own. */
function behindTool(fault: Fault): Fault {
  const isUnexpected = fault.kind === 'internal' || fault.kind === 'unknown';
  return { ...withoutRepetition(fault), kind: isUnexpected ? 'upstream_failed' : fault.kind };
}

/** That another call is worth a second try says nothing of this one. */
function isOthers({ retryable, executed }: Fault, { handedOn, mayChange }: FormContext): boolean {
  return retryable && handedOn === true && mayChange === true && executed !== 'no';
}

/** How somebody words a limit under a code that stands for any failure. */
const LIMIT = /\brate[- ]?limit|\btoo many (?:requests|calls)\b|\bthrottl(?:ed|ing)\b/i;

function tellsOfLimit({ kind, executed, message }: Fault, { mayChange, foreign }: FormContext): boolean {
  const isOpen = mayChange === true && executed !== 'no' && foreign !== undefined;
  return isOpen && (kind === 'internal' || kind === 'unknown') && LIMIT.test(message);
}

/** The dialect. */
export const closient: Dialect = {
  id: 'closient',
  title: 'Closient',
  shape: 'result.error with a problem document in data',
  tell: 'data.type under https://closient.com/docs/errors/, or data.error_code beside data.retryable',
  codes,
  recognise,
  read,
  write,
  places: ['tool'],
  unknownId: 'null',
  declaresRepetition: true,
  problem: restProblem,
  asSaid: saidTo,
  usualWaitMs: () => USUAL_WAIT_MS,
};
