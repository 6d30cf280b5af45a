import { fault } from '@mayday/core';
import type { Call } from '../call.ts';
import { expect, expectFunction, expectPositive } from '../options-check.ts';
import type { Guard } from './guard.ts';
import { createMemoryRateStore, type RateStore } from './rate-store.ts';

/** How often a caller may call. */
export interface RateLimitOptions {
  /** Calls in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /** What is counted together: each caller and tool (the default), each caller, or whatever a function says. */
  readonly per?: 'caller-and-tool' | 'caller' | ((call: Call) => string);
  /** Where counts are kept; in memory, if absent. */
  readonly store?: RateStore;
  /** When the store fails: `closed` (the default) refuses, `open` lets through. */
  readonly whenStoreFails?: 'open' | 'closed';
  /** What the caller is told. */
  readonly message?: string;
  readonly methods?: readonly string[] | 'all';
  readonly now?: () => number;
}

/** Refuses calls beyond a rate with `rate_limited` and the wait until the next one fits. */
export function rateLimit(options: RateLimitOptions): Guard {
  const {
    limit,
    windowMs,
    per = 'caller-and-tool',
    whenStoreFails = 'closed',
    methods,
    now = Date.now,
  } = options;
  expectPositive(limit, 'limit');
  expectPositive(windowMs, 'windowMs');
  expect(
    typeof per === 'function' || per === 'caller' || per === 'caller-and-tool',
    'per',
    '"caller-and-tool", "caller" or a function',
    per,
  );
  expectFunction(options.store?.take, 'store.take');
  const store = options.store ?? createMemoryRateStore();
  const message = options.message ?? 'Rate limit exceeded';
  const refuse = (afterMs: number): never => {
    throw fault.rateLimited(message, { retry: { afterMs }, details: { limit, window_ms: windowMs } });
  };
  const settle = (waitMs: number): void => {
    if (waitMs > 0) refuse(waitMs);
  };
  const failed = (cause: unknown): void => {
    if (whenStoreFails === 'closed') throw fault.unavailable('The rate limiter is not available', { cause });
  };
  return {
    name: 'rate-limit',
    ...(methods === undefined ? {} : { methods }),
    before(call) {
      const key = typeof per === 'function' ? per(call) : keyOf(call, per);
      const taken = take(store, { key, limit, windowMs, now: now() }, failed);
      if (taken instanceof Promise) return taken.then(settle);
      settle(taken);
    },
  };
}

type Failed = (cause: unknown) => void;

function take(
  store: RateStore,
  request: Parameters<RateStore['take']>[0],
  failed: Failed,
): number | Promise<number> {
  const recovered = (cause: unknown): number => {
    failed(cause);
    return 0;
  };
  try {
    const taken = store.take(request);
    return taken instanceof Promise ? taken.catch(recovered) : taken;
  } catch (cause) {
    return recovered(cause);
  }
}

/** Callers without an identity share one bucket: they cannot escape it by being anonymous. */
function keyOf(call: Call, per: 'caller-and-tool' | 'caller'): string {
  const caller = call.principal ?? '';
  return per === 'caller' ? caller : `${caller}\n${call.name ?? call.method}`;
}
