/**
 * Calls in several rounds (2026-07-28): a server answers `input_required`, and the same request goes out again with what
 * the user said. Each round is a request of its own, with attempts of its own; nothing ever starts over from the first.
 */
import { type Fault, faultOf } from '@mayday/core';
import { CAUTION } from '@mayday/core/render';
import { type Outcome, type Settled, worse } from '@mayday/policy';
import { isObject } from '../http/reply.ts';
import { faultInSdkError } from './read-failure.ts';
import type { SdkRequest } from './types.ts';

type Params = SdkRequest['params'];

/** Takes a message that is not to be sent, and gives the result that answers it. */
export type Take = (params: Params) => Promise<unknown>;

/** Where a message says who takes it. A symbol: it is copied along with the parameters, and never written to the wire. */
const TAKE: unique symbol = Symbol('mayday.take');

/** Who takes the message instead of the server; nobody, for nearly all of them. */
export function takerOf(message: unknown): Take | undefined {
  const params = isObject(message) ? message['params'] : undefined;
  return isObject(params) ? (params as { [TAKE]?: Take })[TAKE] : undefined;
}

/** Does the server ask for something before it goes on? */
export function isQuestion(value: unknown): boolean {
  return isObject(value) && value['resultType'] === 'input_required';
}

/** Does the request go on with a call that the server has answered before? Then its failure proves nothing about the whole. */
export function isLaterRound({ params }: SdkRequest): boolean {
  return params?.['inputResponses'] !== undefined || params?.['requestState'] !== undefined;
}

/** What becomes of a whole of which an earlier part may have been done: nobody can say any more that nothing was. */
export function afterEarlier(outcome: Outcome<unknown>): Outcome<unknown> {
  if (outcome.ok) return outcome;
  const { fault, value } = outcome;
  const told = fault.executed === 'no' ? withCaution(value) : value;
  return { ...outcome, value: told, fault: { ...fault, executed: worse('maybe', fault.executed) } };
}

/** A refusal of the last round, as a result that a model may read. */
function withCaution(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value['content'])) return value;
  return { ...value, content: [...value['content'], { type: 'text', text: CAUTION }] };
}

/** Rounds, one after the other. */
export interface Conversation {
  readonly request: SdkRequest;
  /** The end of the first round, in which the server has asked. */
  readonly first: Settled<unknown>;
  /** Hands a request to the SDK, which asks the user as it is set up to, and sends what follows. */
  ask(request: SdkRequest): Promise<unknown>;
  /** Sends one round, as often as that can do no harm. */
  round(request: SdkRequest): Promise<Settled<unknown>>;
}

/**
 * Goes on with a call until a round ends it. The SDK believes to talk to the server: what it sends comes to us, and we
 * send each round in its place.
 */
export async function converse({ request, first, ask, round }: Conversation): Promise<Settled<unknown>> {
  let last = first;
  let { attempts, elapsedMs } = first;
  let hasAsked = false;
  const take: Take = async (params) => {
    if (hasAsked) {
      last = await round(nextRound(request, params));
      // A further round is no further attempt at anything.
      attempts += Math.max(0, last.attempts - 1);
      elapsedMs += last.elapsedMs;
    }
    hasAsked = true;
    if (last.outcome.ok && isQuestion(last.outcome.value)) return last.outcome.value;
    throw new Error('The conversation is over');
  };
  const params = { ...request.params, [TAKE]: take };
  let thrown: unknown;
  try {
    await ask({ ...request, params });
  } catch (error) {
    thrown = error;
  }
  const isOver = !(last.outcome.ok && isQuestion(last.outcome.value));
  const outcome = isOver ? last.outcome : ({ ok: false, fault: unanswered(thrown), thrown } as const);
  return { attempts, elapsedMs, outcome: afterEarlier(outcome) };
}

/** The original request, with what the SDK has added for this round. */
function nextRound(request: SdkRequest, given: Params): SdkRequest {
  const params: { [name: string]: unknown } = { ...request.params };
  for (const name of ['inputResponses', 'requestState']) {
    delete params[name];
    if (given?.[name] !== undefined) params[name] = given[name];
  }
  return { ...request, params };
}

/** Nobody answered the server's question: no handler, one that threw, too many rounds. */
function unanswered(thrown: unknown): Fault {
  return faultOf(thrown) ?? faultInSdkError(thrown, { now: 0, hadSession: false, began: true });
}
