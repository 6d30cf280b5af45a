/** What an answer says of the work under a key, and the answer that a repeat gets. */
import { FaultError, fault } from '@mayday/core';
import { CAUTION } from '@mayday/core/render';
import type { Settings } from '../options.ts';
import type { Message } from '../shapes.ts';
import type { Failure } from './failure.ts';
import type { Ended, Worked } from './once-outcome.ts';
import type { RequestState } from './request-state.ts';
import { safeResult } from './safe-result.ts';
import { seal } from './seal.ts';
import { partsOf, withTold } from './told-secrets.ts';

/** What an answer on its way out says of the work. A failure is sealed, so that every repeat tells the same. */
export function workedBy(
  failure: Failure | undefined,
  message: Message,
  state: RequestState,
  settings: Settings,
): Worked {
  if (failure === undefined) return { result: message.result, replayed: false };
  // What the call gave away before its end is known to nobody who asks again.
  const result =
    state.told.length === 0 ? message.result : safeResult(message.result, withTold(settings, state));
  if (failure.authored === true) return { result, replayed: false, told: failure.thrown.fault };
  if (failure.kept === true && message.error !== undefined) return { error: message.error };
  const safe = withTold(settings, state, ...partsOf(failure));
  const thrown = new FaultError(seal(failure, state, safe), { saidExecuted: true });
  return { failure: { ...failure, thrown }, unbegun: !failure.began };
}

/** The server was not waited for, so nobody knows what it did. */
export function unawaited(): Worked {
  const thrown = fault.disconnected('The first call with this idempotency key was given up', {
    subject: { type: 'key' },
    retryable: false,
    executed: 'maybe',
    advice: CAUTION,
  });
  return { failure: { thrown, began: true, ours: true, asTool: true } };
}

/** The request was given up before its work began: whoever waits for it under the same key has to begin. */
export function unbegun(): Worked {
  const thrown = fault.cancelled('Nobody waits for it any more', { executed: 'no' });
  return { failure: { thrown, began: false, ours: true }, unbegun: true };
}

/** What became of the call under its key as an answer to this request, in the form of its revision. */
export function replayOf(ended: Exclude<Ended, { readonly failure: Failure }>, state: RequestState): Message {
  const base = { jsonrpc: '2.0', id: state.id } as const;
  if ('error' in ended) return { ...base, error: ended.error };
  const { resultType, ...rest } = ended.result as { readonly [name: string]: unknown };
  return {
    ...base,
    result: state.revision === '2025-11-25' ? rest : { ...rest, resultType: resultType ?? 'complete' },
  };
}

/** What is answered under a key is kept first: a repeat right after the answer must find it. All else leaves at once. */
export function sentWhenKept({ conclude, kept }: RequestState, send: () => Promise<void>): Promise<void> {
  return conclude === undefined || kept === undefined ? send() : kept.then(send);
}
