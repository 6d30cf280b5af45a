/** Handlers, wrapped: whatever they throw or return is noted before the SDK makes something of it. */
import type { FaultError } from '@mayday/core';
import type { AnyFunction, Handle, RequestId } from '../shapes.ts';
import type { Boundary } from './boundary.ts';
import { failureFromThrown } from './failure.ts';
import { isJsonSafe } from './json-safe.ts';
import type { RequestState, Returned } from './request-state.ts';
import { isSound } from './results.ts';
import { invalidOutput } from './sdk-failures.ts';
import { spokenError, URL_ELICITATION } from './spoken.ts';
import { enterCall } from './strays.ts';

/** What a handler answers to. */
export type HandlerKind = 'tool' | 'resource' | 'prompt' | 'method';

/** Marks wrapped handlers. A member, not a weak set: those cost every garbage collection. */
const WRAPPED: unique symbol = Symbol('wrapped');

type Wrapped = AnyFunction & { [WRAPPED]?: boolean };

/**
 * A handler that never throws anything but a placeholder. Promises are chained by hand: an `async` wrapper
 * would cost every successful call as much as the rest of the guard.
 */
export function wrapHandler(boundary: Boundary, kind: HandlerKind, handler: AnyFunction): AnyFunction {
  if ((handler as Wrapped)[WRAPPED] === true) return handler;
  const left = boundary.settings.unhandledRejections === 'leave';
  const wrapped: Wrapped = (...args: unknown[]): unknown => {
    const { length } = args;
    const id = requestIdOf(args[length - 1]);
    const state = boundary.stateOf(id);
    // Timed out or cancelled while the SDK looked at its arguments: it has been answered as not executed.
    if (state === undefined && boundary.isGone(id)) return placeholder(kind);
    if (state !== undefined) {
      state.entered = true;
      state.passage?.began();
      if (!left) enterCall(state);
    }
    let result: unknown;
    try {
      // Spreading costs more than the two forms that almost every handler has.
      result = length === 2 ? handler(args[0], args[1]) : length === 1 ? handler(args[0]) : handler(...args);
    } catch (reason) {
      return failed(boundary, kind, state, reason);
    }
    if (!isThenable(result)) return settled(kind, state, result);
    return result.then(
      (value) => settled(kind, state, value),
      (reason) => failed(boundary, kind, state, reason),
    );
  };
  wrapped[WRAPPED] = true;
  return wrapped;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value instanceof Promise || typeof (value as { then?: unknown } | undefined | null)?.then === 'function'
  );
}

function settled(kind: HandlerKind, state: RequestState | undefined, result: unknown): unknown {
  if (state === undefined) return result;
  state.passage?.ended();
  if (!isSound(kind, result) || !isJsonSafe(result)) {
    const thrown = invalidOutput(state, `A ${kind} handler returned ${describe(result)}`);
    state.failure = { thrown, began: true, ours: true };
    return placeholder(kind);
  }
  state.returned = returnedAs(result as object);
  return result;
}

function failed(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState | undefined,
  reason: unknown,
): unknown {
  state?.passage?.ended();
  // The client has to act on this one; the SDK knows what to do with it in either era.
  if (spokenError(reason)?.code === URL_ELICITATION) throw reason;
  if (state !== undefined) state.failure = failureOf(boundary, kind, state, reason);
  return placeholder(kind);
}

function failureOf(
  boundary: Boundary,
  kind: HandlerKind,
  state: RequestState,
  reason: unknown,
): NonNullable<RequestState['failure']> {
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

function describe(value: unknown): string {
  return value === null
    ? 'null'
    : typeof value === 'object'
      ? 'an object of the wrong shape, or one that cannot be written as JSON'
      : typeof value;
}

/** Keeps a handle's later updates behind the guard: new callbacks are wrapped, new names are known. */
export function adopt(
  boundary: Boundary,
  kind: HandlerKind,
  handle: Handle,
  names?: Map<string, Handle>,
  registeredAs?: string,
): void {
  let name = registeredAs;
  if (names !== undefined && name !== undefined) names.set(name, handle);
  const { update } = handle;
  handle.update = (updates) => {
    const { callback, name: renamed } = updates;
    update.call(
      handle,
      typeof callback === 'function'
        ? { ...updates, callback: wrapHandler(boundary, kind, callback as AnyFunction) }
        : updates,
    );
    if (names === undefined || name === undefined || renamed === undefined || renamed === name) return;
    names.delete(name);
    name = typeof renamed === 'string' ? renamed : undefined;
    if (name !== undefined) names.set(name, handle);
  };
}
