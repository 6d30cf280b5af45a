/** How long a call may take, and each of its attempts: whoever is nearest to the call decides. */
import { DEADLINE_MS, type RunOptions } from '@mayday/policy';
import type { CallExtras } from './call.ts';
import { type ResilientOptions, toolPolicyOf } from './options.ts';
import type { SdkOptions, SdkRequest } from './types.ts';

/** How long. */
export type Times = Pick<RunOptions<unknown>, 'deadlineMs' | 'attemptTimeoutMs'>;

/** The times of a call: its own, then the tool's, then the client's. */
export function timesFor<Transport>(
  request: SdkRequest,
  given: SdkOptions,
  options: ResilientOptions<Transport>,
  extras: CallExtras,
): Times {
  const name = request.method === 'tools/call' ? String(request.params?.['name']) : '';
  const tool = toolPolicyOf(options.tools, name);
  const deadlineMs = extras.deadlineMs ?? given.maxTotalTimeout ?? tool?.deadlineMs ?? options.deadlineMs;
  return {
    // Whoever gives one attempt two minutes does not want the call to end after one.
    deadlineMs:
      deadlineMs ?? (given.timeout === undefined ? undefined : Math.max(DEADLINE_MS, given.timeout)),
    attemptTimeoutMs:
      extras.attemptTimeoutMs ?? given.timeout ?? tool?.attemptTimeoutMs ?? options.attemptTimeoutMs,
  };
}
