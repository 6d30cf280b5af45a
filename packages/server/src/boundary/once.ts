/**
 * Exactly once, for calls that carry `_meta["dev.mayday/idempotency-key"]`: a repeat of a finished call gets
 * the stored answer, of a running one joins it, and with other arguments it is a conflict.
 */
import { type Fault, FaultError, fault, read } from '@mayday/core';
import {
  type Handler,
  type IdempotencyOptions,
  type IdempotencyStore,
  idempotency,
  type Outcome,
  type Call as PolicyCall,
  sha256,
  startCall,
} from '@mayday/policy';
import type { Clock } from '../clock.ts';
import type { Settings } from '../options.ts';
import type { Failure } from './failure.ts';
import type { RequestState } from './request-state.ts';

/** Where a client puts its key, in a request's `_meta`. */
export const IDEMPOTENCY_META_KEY = 'dev.mayday/idempotency-key';

/** How keys are honoured. */
export interface OnceOptions {
  /** Where answers are kept; in memory, if absent. */
  readonly store?: IdempotencyStore | undefined;
  /** How long an answer is kept; 24 hours. */
  readonly ttlMs?: number | undefined;
  /** How long a call may be under way before it is given up for lost; an hour. */
  readonly leaseMs?: number | undefined;
  /** Longer answers are not kept: a repeat is told that the call has been made; a million characters. */
  readonly maxAnswerLength?: number | undefined;
}

/** What became of a call under its key: what a handler would return, or why it failed. */
export type Ended =
  | { readonly result: unknown; readonly replayed: boolean }
  | { readonly failure: Failure }
  /** The handler asks the client for something; nothing was done, and nothing is kept. */
  | { readonly thrown: unknown };

/** What the work itself ends with. */
export type Worked = Ended & { readonly asks?: boolean };

type Once = (call: PolicyCall, next: Handler<unknown>) => Promise<Outcome<unknown>>;

const made = new WeakMap<object, Once>();

/** One desk for all servers that share their settings: stateless servers are guarded anew for each request. */
function onceFor(settings: Settings): Once {
  let once = made.get(settings);
  if (once === undefined) {
    const given: OnceOptions = settings.idempotency === false ? {} : (settings.idempotency ?? {});
    const options: IdempotencyOptions<unknown> = { ...given, clock: policyClock(settings.clock) };
    const policy = idempotency<unknown, PolicyCall>(options);
    once = (call, next) => policy(next)(call);
    made.set(settings, once);
  }
  return once;
}

function policyClock(clock: Clock): NonNullable<IdempotencyOptions<unknown>['clock']> {
  return {
    now: () => clock.now(),
    timer(ms, callback) {
      const timer = clock.setTimeout(callback, ms);
      return () => clock.clearTimeout(timer);
    },
  };
}

/** The key of a call, if it carries one and the server honours it. */
export function keyOf(state: RequestState, settings: Settings): unknown {
  return settings.idempotency === false ? undefined : state.meta(IDEMPOTENCY_META_KEY);
}

/** Runs the work of a call under its key, or finds out what became of it. */
export async function once(
  state: RequestState,
  settings: Settings,
  connection: string,
  key: unknown,
  signal: AbortSignal | undefined,
  work: () => Promise<Worked>,
): Promise<Ended> {
  if (typeof key !== 'string') return { failure: { thrown: noKey(), began: false, ours: true } };
  let own: Worked | undefined;
  const call = startCall<PolicyCall>({
    upstream: isHttp(state) ? 'this server' : connection,
    method: state.method,
    target: state.name,
    caller: callerOf(state, settings),
    arguments: state.arguments,
    idempotencyKey: key,
    deadline: state.dueAt,
    signal,
  });
  const outcome = await onceFor(settings)(call, async () => {
    own = await work();
    return outcomeOf(own);
  });
  return own ?? found(outcome);
}

/** What is kept of the work: a failure that did nothing, and a question, are as if never made. */
function outcomeOf(worked: Worked): Outcome<unknown> {
  if ('failure' in worked) return { ok: false, fault: worked.failure.thrown.fault };
  if ('thrown' in worked || worked.asks === true)
    return { ok: false, fault: fault.inputRequired(undefined, { executed: 'no' }).fault };
  const declared = notDone(worked.result);
  return declared === undefined ? { ok: true, value: worked.result } : { ok: false, fault: declared };
}

/** The author's own declaration, in a failing result, that nothing was done. */
function notDone(result: unknown): Fault | undefined {
  if ((result as { readonly isError?: unknown } | null)?.isError !== true) return undefined;
  const heard = read({ result });
  return heard.failure && heard.fault.executed === 'no' ? heard.fault : undefined;
}

/** What another call under the same key came to, or why this one is refused. */
function found(outcome: Outcome<unknown>): Ended {
  if (outcome.ok) return { result: outcome.value, replayed: true };
  const began = outcome.refused === undefined;
  const carried = { cause: outcome.thrown, saidExecuted: true };
  return { failure: { thrown: new FaultError(outcome.fault, carried), began, ours: !began, asTool: true } };
}

function noKey(): FaultError {
  return fault.invalidArguments('An idempotency key is a string of 1 to 255 characters', {
    subject: { type: 'key' },
    executed: 'no',
  });
}

/** Every connection has keys of its own, except over HTTP, where a caller may come back on any. */
function isHttp({ extra }: RequestState): boolean {
  return extra?.request !== undefined || extra?.requestInfo !== undefined;
}

/** Whose key it is. A bearer that nobody has checked still tells two callers apart. */
function callerOf(state: RequestState, { identify }: Settings): string | undefined {
  if (state.principal !== undefined) return state.principal;
  const header = (name: string): string | undefined => state.header(name);
  const sender = identify === undefined ? header('authorization') : identify(header);
  return sender === undefined ? undefined : sha256(sender);
}
