/** A call in several rounds is one call: what refuses a later round proves nothing about those before it. */
import { cautioned } from '@mayday/core/render';
import { after, canonicalJson, sha256 } from '@mayday/policy';
import type { WireCall, WirePolicy } from '@mayday/relay';

/**
 * Says of no call that it was not executed once a round of it was answered. Whoever counts attempts is told of the round
 * alone: it can send that round again, and knows itself of those before it.
 */
export function laterRound(): WirePolicy {
  return after((outcome, call) => {
    if (outcome.ok || outcome.fault.executed !== 'no' || !isLater(call)) return outcome;
    if (call.above?.attempt !== undefined) return outcome;
    return { ...outcome, fault: cautioned({ ...outcome.fault, executed: 'maybe' }) };
  });
}

/** Does it bring what an answer before it has asked for? */
export function isLater({ revision, params }: WireCall): boolean {
  const { inputResponses, requestState } = (revision === '2026-07-28' && params()) || NOTHING;
  return inputResponses !== undefined || requestState !== undefined;
}

/** What the user has answered, and to which question, as digests. */
export interface Answers {
  readonly state: string | undefined;
  readonly digest: string;
}

/** What the user has answered, in a later round; `undefined` in the first. */
export function answersIn({ params }: WireCall): Answers | undefined {
  const { inputResponses, requestState } = params() ?? NOTHING;
  if (inputResponses === undefined && requestState === undefined) return undefined;
  const state = requestState === undefined ? undefined : sha256(canonicalJson(requestState));
  return { state, digest: sha256(canonicalJson(inputResponses ?? null)) };
}

/** The same round of a call? */
export function isSameRound(one: Answers | undefined, other: Answers | undefined): boolean {
  return one?.state === other?.state && one?.digest === other?.digest;
}

const NOTHING: { readonly [name: string]: unknown } = {};
