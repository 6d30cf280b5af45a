/** Retrying without the rest: for calls that are not MCP's. */
import { FaultError } from '@mayday/core';
import type { CallInit } from '../call.ts';
import { flag, isFunction, needed, type OptionNames, onlyKnown } from '../check.ts';
import type { Attempt } from './attempt.ts';
import { type RunOptions, run } from './run.ts';
import { checkShared, createUpstream, type Upstream, type UpstreamOptions } from './upstream.ts';

/** How to retry something that is not MCP's. */
export interface WithRetriesOptions<T> extends RunOptions<T>, Pick<UpstreamOptions, 'clock' | 'random'> {
  /** Can it be repeated without harm? Unless said so, only what was certainly not executed is. */
  readonly call?: Omit<CallInit, 'upstream'> | undefined;
  /** Shares a budget, circuits and places with other calls. */
  readonly upstream?: Upstream | undefined;
}

const KNOWN: OptionNames<WithRetriesOptions<unknown>> = {
  attempts: true,
  deadlineMs: true,
  attemptTimeoutMs: true,
  hedgeAfterMs: true,
  baseMs: true,
  throttledBaseMs: true,
  maxBackoffMs: true,
  maxWaitMs: true,
  retryIf: true,
  recover: true,
  asKnown: true,
  faultIn: true,
  faultInThrown: true,
  isAnswer: true,
  onFault: true,
  call: true,
  upstream: true,
  clock: true,
  random: true,
};

const KNOWN_OF_CALL: OptionNames<NonNullable<WithRetriesOptions<unknown>['call']>> = {
  method: true,
  readOnly: true,
  idempotent: true,
  destructive: true,
  repeatable: true,
  idempotencyKey: true,
  target: true,
  caller: true,
  session: true,
  isStart: true,
  scopes: true,
  arguments: true,
  deadline: true,
  signal: true,
  attempt: true,
  above: true,
  once: true,
  patienceMs: true,
};

const SEND = 'the function that makes the call, as in `withRetries(() => send(), { attempts: 3 })`';
const FLAGS = ['readOnly', 'idempotent', 'destructive', 'repeatable', 'once'] as const;

/**
 * Calls until it succeeds or a plan says stop; then throws a `FaultError`.
 *
 * @example
 * const page = await withRetries(({ signal }) => fetchPage(url, signal), { call: { readOnly: true } });
 */
export async function withRetries<T>(
  send: (attempt: Attempt) => Promise<T>,
  options: WithRetriesOptions<T> = {},
): Promise<T> {
  needed('the first argument of `withRetries`', send, SEND, isFunction);
  onlyKnown('`withRetries`', options, KNOWN);
  onlyKnown('the `call` of `withRetries`', options.call, KNOWN_OF_CALL);
  for (const name of FLAGS) flag(`call.${name}`, options.call?.[name]);
  if (options.upstream !== undefined) checkShared(options.upstream);
  const { clock, random, call = {}, ...rest } = options;
  const off = {
    budget: false,
    pace: false,
    breaker: false,
    targetBreaker: false,
    concurrency: false,
  } as const;
  const upstream = options.upstream ?? createUpstream({ clock, random, ...off });
  const { outcome } = await run(upstream, call, send, rest);
  if (outcome.ok) return outcome.value;
  throw new FaultError(outcome.fault, { cause: outcome.thrown });
}
