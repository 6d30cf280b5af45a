import { type RateStore, rateCheck } from '@mayday/policy';
import type { Call } from '../call.ts';
import {
  expect,
  expectFunction,
  expectKnown,
  expectMethodNames,
  expectPositive,
  expectText,
} from '../options-check.ts';
import { followsOn } from './alone.ts';
import type { Guard } from './guard.ts';
import { countsCallers } from './known-callers.ts';
import { METHODS } from './methods.ts';
import { isHidden } from './opaque.ts';
import { enforce, type RequestCall } from './request-call.ts';

/** How often a caller may call. */
export interface RateLimitOptions {
  /** Calls in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /**
   * What is counted together: each caller and tool (the default), each caller, or whatever a function says. Requests that are not of
   * tools are counted for each caller and method, whatever they name.
   */
  readonly per?: 'caller-and-tool' | 'caller' | ((call: Call) => string) | undefined;
  /** Where counts are kept; in memory, if absent. */
  readonly store?: RateStore | undefined;
  /** When the store fails: `closed` (the default) refuses, `open` lets through. */
  readonly whenStoreFails?: 'open' | 'closed' | undefined;
  /** What the caller is told. */
  readonly message?: string | undefined;
  /** The methods that are counted; every request that is work, if absent: not streams, nor questions about tasks. */
  readonly methods?: readonly string[] | 'all' | undefined;
  readonly now?: (() => number) | undefined;
}

const OPTIONS = ['limit', 'windowMs', 'per', 'store', 'whenStoreFails', 'message', 'methods', 'now'];

/** Refuses calls beyond a rate with `rate_limited` and the wait until the next one fits. */
export function rateLimit(options: RateLimitOptions): Guard {
  expectKnown(options, OPTIONS, 'rateLimit');
  const { limit, windowMs, per = 'caller-and-tool', store, whenStoreFails, message, methods } = options;
  expectPositive(limit, 'limit');
  expectPositive(windowMs, 'windowMs');
  expect(
    typeof per === 'function' || per === 'caller' || per === 'caller-and-tool',
    'per',
    '"caller-and-tool", "caller" or a function',
    per,
  );
  expect(store === undefined || typeof store?.take === 'function', 'store.take', 'a function', store?.take);
  expect(
    [undefined, 'open', 'closed'].includes(whenStoreFails),
    'whenStoreFails',
    '"open" or "closed"',
    whenStoreFails,
  );
  expectFunction(options.now, 'now');
  expectMethodNames(methods, 'methods');
  expectText(message, 'message');
  const known = Array.isArray(methods) ? [...METHODS, ...methods] : METHODS;
  const check = rateCheck<RequestCall>({
    limit,
    windowMs,
    store,
    whenStoreFails,
    message,
    per:
      typeof per === 'function'
        ? ({ request }) => per(request)
        : per === 'caller'
          ? per
          : ({ request }) => countedAs(request, known),
    clock: { now: options.now ?? Date.now },
  });
  const guard: Guard = {
    name: 'rate-limit',
    counts: true,
    methods,
    before: (request) => (methods === undefined && followsOn(request) ? undefined : enforce(check, request)),
  };
  return typeof per === 'function' ? guard : countsCallers(guard);
}

/**
 * By what a caller's request is counted. Names that the caller can make up count for nothing: of what there is no such tool, and of
 * methods that nobody knows, all count together.
 */
function countedAs(request: Call, known: readonly string[]): string {
  const { principal: caller = null, method, name = null } = request;
  if (request.tool !== undefined && !isHidden(request)) return JSON.stringify([caller, method, name]);
  const isKnown = method !== 'tools/call' && known.includes(method);
  return JSON.stringify(isKnown ? [caller, method] : [caller]);
}
