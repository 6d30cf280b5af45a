/**
 * Keys of calls whose handler the guard may not see: one that was set before it, a fallback. They are honoured where
 * every call passes, between the transport and the server.
 */
import { FaultError, fault } from '@mayday/core';
import { CAUTION } from '@mayday/core/render';
import type { Settings } from '../options.ts';
import type { Message } from '../shapes.ts';
import type { Failure } from './failure.ts';
import { once, type Served } from './once.ts';
import type { Ended, Worked } from './once-outcome.ts';
import type { RequestState } from './request-state.ts';
import { seal } from './seal.ts';

/** Delivers a request under its key, or finds out what became of it. */
export function deliverOnce(
  state: RequestState,
  server: Served,
  key: unknown,
  deliver: () => void,
): Promise<Ended> {
  const work = (): Promise<Worked> =>
    new Promise((resolve) => {
      state.conclude = resolve;
      deliver();
    });
  return once(state, server, key, undefined, work);
}

/** What an answer on its way out says of the work. A failure is sealed, so that every repeat tells the same. */
export function workedBy(
  failure: Failure | undefined,
  message: Message,
  state: RequestState,
  settings: Settings,
): Worked {
  if (failure === undefined || failure.authored === true)
    return {
      result: message.result,
      replayed: false,
      undone: message.result?.['resultType'] === 'input_required',
    };
  if (failure.kept === true) return { thrown: failure.thrown };
  return {
    failure: {
      ...failure,
      thrown: new FaultError(seal(failure, state, settings), { saidExecuted: true }),
    },
  };
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

/** The stored result as an answer to this request, in the form of its revision. */
export function replayOf(result: unknown, state: RequestState): Message {
  const { resultType, ...rest } = result as { readonly [name: string]: unknown };
  const base = { jsonrpc: '2.0', id: state.id } as const;
  return {
    ...base,
    result: state.revision === '2025-11-25' ? rest : { ...rest, resultType: resultType ?? 'complete' },
  };
}
