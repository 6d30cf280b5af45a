/** What the work under a key came to: as it is kept, and as others with the same key are told it. */
import { type Fault, FaultError, fault } from '@mayday/core';
import { CAUTION } from '@mayday/core/render';
import {
  type AnswerCodec,
  type Call,
  canonicalJson,
  finalUnderKey,
  jsonAnswers,
  type Outcome,
  type Rounds,
  sha256,
} from '@mayday/policy';
import type { ErrorObject, Message } from '../shapes.ts';
import type { Failure } from './failure.ts';
import { isLaterRound } from './rounds.ts';

/** What became of a call under its key: what a handler would return, or why it failed. */
export type Ended =
  | { readonly result: unknown; readonly replayed: boolean }
  | { readonly failure: Failure }
  /** The handler asks the client for something, by an error. */
  | { readonly error: ErrorObject };

/** What the work itself ends with. `unbegun`: there was none. `told`: the failure that its result tells of. */
export type Worked = Ended & { readonly unbegun?: boolean; readonly told?: Fault };

/** What is kept as an answer, and beside a fault. */
interface Kept {
  readonly result?: unknown;
  readonly error?: ErrorObject | undefined;
  /** The digests of the question and the user's answers that the call was made with; absent where it carried none. */
  readonly answers?: string | undefined;
  /** Whether the caller wanted a task for an answer; absent in what was kept before anybody noted it. */
  readonly asTask?: boolean | undefined;
  /** The words of the failure were kept back: whoever asks again is referred to the log as well. */
  readonly masked?: true;
}

const JSON_ANSWERS = jsonAnswers<unknown>();

/** What a store gives back, if it is what was kept: a result that is none was lost on the way, or never was one. */
export const KEPT_ANSWERS: AnswerCodec<unknown> = {
  encode: (outcome) => JSON_ANSWERS.encode(outcome),
  decode(text) {
    const outcome = JSON_ANSWERS.decode(text);
    if (outcome?.ok !== true) return outcome;
    const { result, error } = Object(outcome.value) as Kept;
    const kept = error ?? result;
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? outcome : undefined;
  },
};

/** Work of which nothing is kept, for those who wait for it now; `undefined` where it was not begun. */
class Passing {
  readonly worked: Worked | undefined;
  readonly answers: string | undefined;

  constructor(worked?: Worked, answers?: string) {
    this.worked = worked;
    this.answers = answers;
  }
}

const UNDONE: Fault = fault.inputRequired(undefined, { executed: 'no' }).fault;

/** Nobody began the work: whoever waits for it has to. */
const NOT_BEGUN: Outcome<unknown> = { ok: false, fault: UNDONE, value: new Passing() };

/**
 * What is kept of the work: a failure that did nothing and a failing read are as if never made, and so is one that may pass where
 * a second call does no harm.
 */
export function outcomeOf(
  worked: Worked,
  reads: boolean,
  { answers, asTask, isHarmless }: Asked,
): Outcome<unknown> {
  if (worked.unbegun === true) return NOT_BEGUN;
  if (reads && !('result' in worked))
    return { ok: false, fault: UNDONE, value: new Passing(worked, answers) };
  const fault = 'failure' in worked ? worked.failure.thrown.fault : worked.told;
  if (isHarmless && fault?.retryable === true)
    return { ok: false, fault, value: new Passing(worked, answers) };
  if ('result' in worked)
    return { ok: true, value: { result: worked.result, answers, asTask } satisfies Kept };
  if ('error' in worked) return { ok: true, value: { error: worked.error, answers } satisfies Kept };
  const { thrown, masked } = worked.failure;
  const kept: Kept = masked === true ? { answers, masked } : { answers };
  return { ok: false, fault: thrown.fault, value: kept };
}

/** What another call under the same key came to, or why this one is refused; `undefined` where nobody began it. */
export function endOf(
  outcome: Outcome<unknown>,
  { answers, asTask }: Pick<Asked, 'answers' | 'asTask'>,
): Ended | undefined {
  const { value } = outcome;
  const isPassing = value instanceof Passing;
  if (isPassing && value.worked === undefined) return undefined;
  const wasMade = isPassing || outcome.ok || outcome.fault.executed !== 'no';
  const kept = Object(value) as Kept;
  if (wasMade && areOthers(kept.answers, answers)) return OTHER_ANSWERS;
  if (isPassing) return value.worked;
  if (kept.error !== undefined) return { error: kept.error };
  if (outcome.ok)
    return (kept.asTask ?? isTask(kept.result)) === asTask
      ? { result: kept.result, replayed: true }
      : OTHER_FORM;
  const began = outcome.refused === undefined;
  const carried = { cause: outcome.thrown, saidExecuted: true };
  // Who has only stopped waiting may ask again: the call goes on under its key.
  const told = began && outcome.ended === undefined ? finalUnderKey(outcome.fault) : outcome.fault;
  const thrown = new FaultError(told, carried);
  return { failure: { thrown, masked: kept.masked, began, ours: !began, asTool: true } };
}

/** The digests of the question and of what the user has answered, in a later round; `undefined` in the first. */
export function answersIn(message: Message): string | undefined {
  if (!isLaterRound(message)) return undefined;
  const { requestState = null, inputResponses = null } = message.params ?? {};
  return `${sha256(canonicalJson(requestState))} ${sha256(canonicalJson(inputResponses))}`;
}

/** What tells calls under one key apart beside their arguments: which round it is, and in which form its answer is wanted. */
interface Asked {
  readonly answers: string | undefined;
  readonly asTask: boolean;
  /** The tool says that a second call does no harm. */
  readonly isHarmless: boolean;
}

/** A call under a key. */
export interface RoundCall extends Call, Asked {
  /** For all that is known without the store, another process may have made it. */
  readonly mayBeElsewhere: boolean;
  /** The digest of headers of which nobody can say whether they tell its caller; empty if there are none. */
  readonly sentWith: string;
}

/** A question is kept for the round that was asked it. */
export const ROUNDS: Rounds<unknown, RoundCall> = {
  isLater: ({ answers }) => answers !== undefined,
  goesOn(outcome, { answers }) {
    const { result, answers: asked } = Object(outcome.value) as Kept;
    return outcome.ok && isQuestion(result) && asked !== answers;
  },
};

function isQuestion(result: unknown): boolean {
  return (Object(result) as { readonly resultType?: unknown }).resultType === 'input_required';
}

function isTask(result: unknown): boolean {
  return (Object(result) as { readonly task?: unknown }).task !== undefined;
}

/** Other answers to the same question? */
function areOthers(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return false;
  return one.split(' ')[0] === other.split(' ')[0];
}

const OTHER_ANSWERS: Ended = madeOtherwise(
  'The call with this idempotency key was made with other answers of the user',
);

/** A task is no answer to who wants a result, nor the other way round. */
const OTHER_FORM: Ended = madeOtherwise(
  'The first call with this idempotency key wanted its answer in another form (as a task, or not); ask for it in that form',
);

function madeOtherwise(message: string): Ended {
  const thrown = fault.conflict(message, { subject: { type: 'key' }, executed: 'maybe', advice: CAUTION });
  return { failure: { thrown, began: true, ours: true, asTool: true } };
}
