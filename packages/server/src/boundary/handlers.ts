/** Handlers, wrapped: whatever they throw or return is noted before the SDK makes something of it. */
import { FaultError } from '@mayday/core';
import { isThenable } from '../report/hooks.ts';
import { privateCause } from '../report/report.ts';
import type { AnyFunction, RequestId } from '../shapes.ts';
import { readUnread } from '../words/unread.ts';
import type { Boundary } from './boundary.ts';
import { listWithKeys } from './declare-keys.ts';
import { type Failure, failureFromThrown } from './failure.ts';
import { isJsonSafe } from './json-safe.ts';
import { lastFailure } from './last-resort.ts';
import { learnArguments } from './listed.ts';
import { safeTask } from './notifications.ts';
import { keyOf, once } from './once.ts';
import type { Ended, Worked } from './once-outcome.ts';
import type { RequestState, Returned } from './request-state.ts';
import { isSound } from './results.ts';
import { invalidOutput } from './sdk-failures.ts';
import { seal } from './seal.ts';
import { spokenError, URL_ELICITATION } from './spoken.ts';
import { enterCall } from './strays.ts';
import { wantsTask } from './task-requests.ts';

/** What a handler answers to. */
export type HandlerKind = 'tool' | 'resource' | 'prompt' | 'method';

/** Marks wrapped handlers. A member, not a weak set: those cost every garbage collection. */
const WRAPPED: unique symbol = Symbol('wrapped');

type Wrapped = AnyFunction & { [WRAPPED]?: boolean };

/** A handler that never throws anything but a placeholder. */
export function wrapHandler(boundary: Boundary, kind: HandlerKind, handler: AnyFunction): AnyFunction {
  if ((handler as Wrapped)[WRAPPED] === true) return handler;
  const { settings } = boundary;
  const strays = settings.unhandledRejections !== 'leave';
  const wrapped: Wrapped = (...args: unknown[]): unknown => {
    const id = requestIdOf(args[args.length - 1]);
    const state = boundary.stateOf(id);
    if (state === undefined) {
      // Timed out or cancelled while the SDK looked at its arguments: it has been answered as not executed.
      return boundary.isGone(id) ? placeholder(kind) : handler(...args);
    }
    if (strays) enterCall(state);
    if (state.keyed) return concluding(boundary, kind, state, handler, args);
    const key = state.hasMeta && kind === 'tool' ? keyOf(state, settings) : undefined;
    if (key === undefined && settings.inner.length === 0) return work(boundary, kind, state, handler, args);
    return carefully(boundary, kind, state, key, handler, args);
  };
  wrapped[WRAPPED] = true;
  return wrapped;
}

/** The way of calls whose key is honoured already: a handler that outlives its request still says what it came to. */
async function concluding(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  handler: AnyFunction,
  args: readonly unknown[],
): Promise<unknown> {
  const run = carefully(boundary, kind, state, undefined, handler, args);
  const how = await worked(boundary, state, run);
  if (state.over) state.conclude?.(how);
  return concluded(boundary, kind, state, how);
}

/** The way of calls with a key, and of those that guards want to see first. Apart, for the sake of all others. */
function carefully(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  key: unknown,
  handler: AnyFunction,
  args: readonly unknown[],
): unknown {
  const run = (): unknown =>
    afterInner(boundary, kind, state, () => work(boundary, kind, state, handler, args));
  if (key === undefined) return run();
  state.entered = true; // from here on, the work may be under way under its key
  const signal = signalOf(args[args.length - 1]);
  const ended = once(state, boundary, key, signal, () => worked(boundary, state, run()));
  return ended.then((how) => concluded(boundary, kind, state, how));
}

/**
 * The handler itself. Promises are chained by hand: an `async` function would cost every successful call as
 * much as the rest of the guard.
 */
function work(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  handler: AnyFunction,
  args: readonly unknown[],
): unknown {
  state.entered = true;
  state.passage?.began();
  let result: unknown;
  try {
    // Spreading costs more than the two forms that almost every handler has.
    const { length } = args;
    result = length === 2 ? handler(args[0], args[1]) : length === 1 ? handler(args[0]) : handler(...args);
  } catch (reason) {
    return failed(boundary, kind, state, reason);
  }
  if (!isThenable(result)) return settled(boundary, kind, state, result);
  return result.then(
    (value) => settled(boundary, kind, state, value),
    (reason) => {
      const read = readUnread(reason, boundary.settings.clock);
      const fail = (): unknown => failed(boundary, kind, state, reason);
      return read === undefined ? fail() : read.then(fail);
    },
  );
}

/** Asks the guards that want to see a call whose arguments are right, then runs it. */
function afterInner(boundary: Boundary, kind: HandlerKind, state: RequestState, run: () => unknown): unknown {
  if (boundary.settings.inner.length === 0 || state.innerAsked) return run();
  const refuse = (reason: unknown): unknown => {
    const { settings } = boundary;
    state.failure = failureFromThrown(reason, { settings, call: state, began: false });
    return placeholder(kind);
  };
  try {
    const held = state.passage?.enter(boundary.settings.inner);
    if (held === undefined) return run();
    return held.then(() => (state.over ? placeholder(kind) : run()), refuse);
  } catch (reason) {
    return refuse(reason);
  }
}

/** What the work under a key came to. A failure is sealed, so that every repeat tells the same. */
async function worked(boundary: Boundary, state: RequestState, result: unknown): Promise<Worked> {
  try {
    const value = await result;
    const { failure } = state;
    if (failure !== undefined) return { failure: sealed(boundary, state, failure) };
    return { result: value, replayed: false, undone: state.returned === 'question' };
  } catch (thrown) {
    // Only a question may leave as it is, as if nothing had been done; anything else is a bug, after the work.
    if (spokenError(thrown)?.code === URL_ELICITATION) return { thrown };
    return { failure: sealed(boundary, state, lastFailure(thrown, true)) };
  }
}

function sealed(boundary: Boundary, state: RequestState, failure: Failure): Failure {
  const thrown = new FaultError(seal(failure, state, boundary.settings), { saidExecuted: true });
  return { ...failure, thrown, cause: failure.cause ?? privateCause(failure.thrown) };
}

function concluded(boundary: Boundary, kind: HandlerKind, state: RequestState, ended: Ended): unknown {
  if ('thrown' in ended) throw ended.thrown;
  if ('failure' in ended) {
    state.failure = ended.failure;
    return placeholder(kind);
  }
  state.replayed = ended.replayed;
  return ended.replayed ? settled(boundary, kind, state, ended.result) : ended.result;
}

/** Almost every result is a tool's plain success, and takes the short way. */
function settled(boundary: Boundary, kind: HandlerKind, state: RequestState, result: unknown): unknown {
  if (state.passage !== undefined) state.passage.ended();
  if (kind === 'tool' && typeof result === 'object' && result !== null && !Array.isArray(result)) {
    const { isError, resultType, task } = result as { readonly [name: string]: unknown };
    if (isError === undefined && resultType === undefined && isJsonSafe(result)) {
      // A task that was begun for a caller who wants none: what it comes to is still the author's to say.
      state.returned = task !== undefined && !wantsTask(state) ? 'error' : 'success';
      return result;
    }
  }
  return judged(boundary, kind, state, result);
}

function judged(boundary: Boundary, kind: HandlerKind, state: RequestState, result: unknown): unknown {
  if (!isSound(kind, result) || !isJsonSafe(result)) {
    const thrown = invalidOutput(state, `A ${kind} handler returned ${describe(result)}`);
    state.failure = { thrown, began: true, ours: true };
    return placeholder(kind);
  }
  state.returned = returnedAs(result as object);
  if (state.method === 'tools/list') {
    learnArguments(boundary.settings, result as object);
    return listWithKeys(result as object, boundary.settings);
  }
  return kind === 'method' ? safeTask(state.method, result as object) : result;
}

function failed(boundary: Boundary, kind: HandlerKind, state: RequestState, reason: unknown): unknown {
  state.passage?.ended();
  // The client has to act on this one; the SDK knows what to do with it in either era.
  if (spokenError(reason)?.code === URL_ELICITATION) throw reason;
  state.failure = failureOf(boundary, kind, state, reason);
  return placeholder(kind);
}

function failureOf(boundary: Boundary, kind: HandlerKind, state: RequestState, reason: unknown): Failure {
  const { settings } = boundary;
  // A low-level handler is the protocol layer of its server: it checks arguments, and knows which tools exist.
  const unchecked = kind === 'tool' && state.tool === undefined;
  const failure = failureFromThrown(reason, { settings, call: state, began: true, unchecked });
  return { ...failure, asTool: kind === 'tool' && (!unchecked || isOfRequest(failure.thrown)) };
}

/** Kinds of the request itself; thrown by a tool, they speak of the tool's own input. */
function isOfRequest({ fault }: FaultError): boolean {
  return fault.kind === 'parse_error' || fault.kind === 'invalid_request';
}

/** A request for input is an answer that the SDK may still refuse, for want of a capability of the client's. */
function returnedAs(result: { readonly isError?: unknown; readonly resultType?: unknown }): Returned {
  if (result.resultType === 'input_required') return 'question';
  return result.isError === true ? 'error' : 'success';
}

/** What the SDK gets to see of a failure; it is replaced on its way out. */
function placeholder(kind: HandlerKind): unknown {
  if (kind === 'tool') return { content: [], isError: true };
  throw new Error('Internal error');
}

/** The request id in the context that either SDK hands to a handler. */
function requestIdOf(context: unknown): RequestId | undefined {
  const { mcpReq, requestId } = (context ?? {}) as { mcpReq?: { id?: RequestId }; requestId?: RequestId };
  return mcpReq?.id ?? requestId;
}

/** The signal in the same context. */
function signalOf(context: unknown): AbortSignal | undefined {
  const { mcpReq, signal } = (context ?? {}) as { mcpReq?: { signal?: AbortSignal }; signal?: AbortSignal };
  return mcpReq?.signal ?? signal;
}

function describe(value: unknown): string {
  return value === null
    ? 'null'
    : typeof value === 'object'
      ? 'an object of the wrong shape, or one that cannot be written as JSON'
      : typeof value;
}
