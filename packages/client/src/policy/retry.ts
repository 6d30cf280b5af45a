/** Retrying without the rest: for calls that are not MCP's. */
import { FaultError } from '@mayday/core';
import type { CallInfo } from './outcome.ts';
import { type Attempt, type RunOptions, run } from './run.ts';
import { createUpstream, type Upstream, type UpstreamOptions } from './upstream.ts';

/** How to retry. */
export interface RetryOptions<T> extends RunOptions<T>, Pick<UpstreamOptions, 'clock' | 'random'> {
  /** Can it be repeated without harm? Unless said so, only what was certainly not executed is. */
  readonly call?: CallInfo | undefined;
  /** Shares a budget, circuits and places with other calls. */
  readonly upstream?: Upstream | undefined;
}

/**
 * Calls until it succeeds or a plan says stop; then throws a `FaultError`.
 *
 * @example
 * const page = await retry(({ signal }) => fetchPage(url, signal), { call: { readOnly: true } });
 */
export async function retry<T>(
  send: (attempt: Attempt) => Promise<T>,
  options: RetryOptions<T> = {},
): Promise<T> {
  const { clock, random, call = {}, ...rest } = options;
  const alone = {
    clock,
    random,
    budget: false,
    pace: false,
    breaker: false,
    targetBreaker: false,
    concurrency: false,
  } as const;
  const upstream = options.upstream ?? createUpstream(alone);
  const { outcome } = await run(upstream, call, send, rest);
  if (outcome.ok) return outcome.value;
  throw new FaultError(outcome.fault, { cause: outcome.thrown });
}
