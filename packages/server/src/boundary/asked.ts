/** What a server has asked the client's model and user on one connection, and what went wrong with that. */
import { causeOf, FaultError, makeFault } from '@mayday/core';
import { dropOldest } from '@mayday/policy';
import type { Message, RequestId } from '../shapes.ts';
import type { Failure } from './failure.ts';
import { spokenError } from './spoken.ts';

/** Whom a question is for, by its method. */
const SUBJECTS: { readonly [method: string]: string } = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
};

/** A question that was not answered, or with an error. */
interface Unanswered {
  readonly subject: string;
  /** What the client said; nothing, if it was not waited for any longer. */
  readonly error?: { readonly code: number; readonly message: string } | undefined;
}

const MOST = 64;
const TIMED_OUT = /\btimed out\b|\btimeout\b/i;

const NOTHING: readonly Unanswered[] = [];

/** The questions of one connection. The SDKs throw what went wrong with one into whoever asked, and name no question. */
export class Asked {
  /** Most servers ask nothing. */
  #open: Map<RequestId, string> | undefined;
  #unanswered: readonly Unanswered[] = NOTHING;

  /** The server sends a question, or does not wait for one any longer. */
  sent({ id, method, params }: Message): void {
    const subject = SUBJECTS[method ?? ''];
    if (method === 'notifications/cancelled') this.#end(params?.['requestId'], undefined);
    if (subject === undefined || id === undefined) return;
    this.#open ??= new Map();
    this.#open.set(id, subject);
    // Of a client that never answers, only the last are of interest.
    dropOldest(this.#open, MOST);
  }

  /** The client answers something. */
  heard({ id, error }: Message): void {
    if (error === undefined) this.#open?.delete(id as RequestId);
    else this.#end(id, error);
  }

  #end(id: unknown, error: Unanswered['error']): void {
    const subject = this.#open?.get(id as RequestId);
    if (subject === undefined) return;
    this.#open?.delete(id as RequestId);
    this.#unanswered = [...this.#unanswered, { subject, error }].slice(-MOST);
  }

  /** A failure with the question that it came from, if what was thrown is what the SDK made of that. */
  about(failure: Failure, reason: unknown): Failure {
    const found = this.#unanswered.findLast((one) => isOf(one, reason));
    if (found === undefined) return failure;
    this.#unanswered = this.#unanswered.filter((one) => one !== found);
    const { thrown, cause } = failure;
    const subject = { type: found.subject };
    const fault =
      found.error === undefined
        ? makeFault({ kind: 'timeout', subject, details: waited(reason) })
        : makeFault({ ...thrown.fault, subject, details: undefined });
    return { ...failure, thrown: new FaultError(fault, { cause: cause ?? causeOf(thrown) }) };
  }
}

function isOf({ error }: Unanswered, reason: unknown): boolean {
  if (error === undefined) return reason instanceof Error && TIMED_OUT.test(reason.message);
  const spoken = spokenError(reason);
  return spoken?.code === error.code && spoken.message === error.message;
}

/** Both SDKs put their time limit beside it. */
function waited(reason: unknown): { readonly timeoutMs: number } | undefined {
  const { timeout } = Object((reason as { readonly data?: unknown }).data) as { readonly timeout?: unknown };
  return typeof timeout === 'number' ? { timeoutMs: timeout } : undefined;
}
