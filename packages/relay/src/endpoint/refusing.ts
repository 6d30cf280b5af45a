/** The path of a request that gets no further than the endpoint: what stands around every answer stands around a refusal too. */
import type { FaultInit } from '@mayday/core';
import { compose } from '@mayday/policy';
import { lost, type WireHandler, type WirePolicy } from './call.ts';
import type { ReplyHeaders } from './reply.ts';
import type { Path } from './visit.ts';

/** What is said to it. */
export interface Refusal {
  readonly status: number;
  readonly fault: FaultInit;
  readonly headers: ReplyHeaders;
}

/** Answers every call with a refusal. */
export function refusing({ status, fault, headers }: Refusal, { outer }: Pick<Path, 'outer'>): WireHandler {
  return compose([under(headers), ...outer], async (refused) => lost(refused, fault, { status }));
}

/** The answer, with these headers beside its own. */
function under(headers: ReplyHeaders): WirePolicy {
  return (next) => async (call) => {
    const outcome = await next(call);
    if (!outcome.ok || outcome.value.type !== 'answer') return outcome;
    return { ...outcome, value: { ...outcome.value, headers: { ...outcome.value.headers, ...headers } } };
  };
}
