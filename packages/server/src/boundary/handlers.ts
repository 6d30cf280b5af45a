/** Handlers, wrapped: whatever they throw or return is noted before the SDK makes something of it. */
import type { AnyFunction, Handle, RequestId } from '../shapes.ts';
import type { Boundary } from './boundary.ts';
import { isSound } from './results.ts';
import { invalidOutput } from './sdk-failures.ts';
import { failureFromThrown, spokenError, URL_ELICITATION } from './thrown.ts';

/** What a handler answers to. */
export type HandlerKind = 'tool' | 'resource' | 'prompt' | 'method';

const WRAPPED: unique symbol = Symbol('dev.mayday/wrapped');

/** A handler that never throws anything but a placeholder. */
export function wrapHandler(boundary: Boundary, kind: HandlerKind, handler: AnyFunction): AnyFunction {
  if ((handler as { [WRAPPED]?: boolean })[WRAPPED] === true) return handler;
  const wrapped = async (...args: unknown[]): Promise<unknown> => {
    const state = boundary.stateOf(requestIdOf(args[args.length - 1]));
    if (state !== undefined) state.entered = true;
    try {
      const result = await handler(...args);
      if (state === undefined) return result;
      if (isSound(kind, result)) {
        state.returned = (result as { isError?: unknown }).isError === true ? 'error' : 'success';
        return result;
      }
      state.failure = { thrown: invalidOutput(state, `A ${kind} handler returned ${describe(result)}`) };
    } catch (reason) {
      // The client has to act on this one; the SDK knows what to do with it in either era.
      if (spokenError(reason)?.code === URL_ELICITATION) throw reason;
      if (state !== undefined) state.failure = failureFromThrown(reason);
    }
    return placeholder(kind);
  };
  Object.defineProperty(wrapped, WRAPPED, { value: true });
  return wrapped;
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
  return value === null ? 'null' : typeof value === 'object' ? 'an object of the wrong shape' : typeof value;
}

/** Wraps what a handle already has, and whatever it is updated with later. */
export function adopt(boundary: Boundary, kind: HandlerKind, handle: Handle, wrapNow: boolean): void {
  const update = handle.update.bind(handle);
  handle.update = (updates) => {
    const { callback } = updates;
    update(
      typeof callback === 'function'
        ? { ...updates, callback: wrapHandler(boundary, kind, callback as AnyFunction) }
        : updates,
    );
  };
  const current = handle.handler ?? handle.callback;
  if (wrapNow && typeof current === 'function') handle.update({ callback: current });
}
