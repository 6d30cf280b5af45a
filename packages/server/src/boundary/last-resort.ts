/**
 * When our own code fails on the way out. Whoever waits still gets an answer, the key of a call is still kept, and the
 * log learns of the bug; of the failure itself only that much is told that cannot be wrong.
 */
import { randomUUID } from 'node:crypto';
import { type Fault, FaultError, faultOf, makeFault, toDocument } from '@mayday/core';
import { FAULT_KEY } from '@mayday/core/protocol';
import { forModel } from '@mayday/core/render';
import { warn } from '../report/warn.ts';
import type { Message } from '../shapes.ts';
import type { Failure } from './failure.ts';
import type { RequestState } from './request-state.ts';
import { wantsTask } from './task-requests.ts';

/** The failure of which nothing more is known than that it was one; `reason`: what was to be told, if there was anything. */
export function lastFailure(bug: unknown, began: boolean, reason?: unknown): Failure {
  const cause =
    reason === undefined ? bug : new AggregateError([reason, bug], 'A failure, and a bug in telling it');
  const thrown = new FaultError(makeFault({ kind: 'internal', executed: began ? 'maybe' : 'no' }), {
    cause,
    saidExecuted: true,
  });
  return { thrown, began, masked: true, ours: true };
}

/** The fault that leaves in place of one that could not be made ready: its kind, and whether it happened. */
export function lastFault({ thrown, began }: Failure, bug: unknown): Fault {
  warn('a fault could not be told', bug);
  const known = faultOf(thrown);
  const executed = known?.executed ?? 'maybe';
  return makeFault({
    kind: known?.kind ?? 'internal',
    retryable: false,
    executed: began && executed === 'no' ? 'maybe' : executed,
    correlationId: randomUUID(),
  });
}

/** The answer that leaves in place of one that could not be written. */
export function lastMessage(fault: Fault, state: RequestState, bug: unknown): Message {
  warn('a fault could not be told', bug);
  const document = toDocument(fault);
  const base =
    state.id === undefined ? { jsonrpc: '2.0' as const } : { jsonrpc: '2.0' as const, id: state.id };
  if (state.method !== 'tools/call' || wantsTask(state))
    return { ...base, error: { code: -32603, message: fault.message, data: document } };
  const content = [{ type: 'text', text: forModel(fault) }];
  const result = { content, isError: true, _meta: { [FAULT_KEY]: document } };
  return {
    ...base,
    result: state.revision === '2025-11-25' ? result : { ...result, resultType: 'complete' },
  };
}
