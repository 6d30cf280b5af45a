/** Handles of what is registered: their later updates stay behind the guard. */
import type { AnyFunction, Handle } from '../shapes.ts';
import type { Boundary } from './boundary.ts';
import { declareKeys } from './declare-keys.ts';
import { type HandlerKind, wrapHandler } from './handlers.ts';

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
  if (kind === 'tool') declareKeys(handle, boundary.settings);
  const { update } = handle;
  handle.update = (updates) => {
    const { callback, name: renamed } = updates;
    update.call(
      handle,
      typeof callback === 'function'
        ? { ...updates, callback: wrapHandler(boundary, kind, callback as AnyFunction) }
        : updates,
    );
    if (kind === 'tool') declareKeys(handle, boundary.settings);
    if (names === undefined || name === undefined || renamed === undefined || renamed === name) return;
    names.delete(name);
    name = typeof renamed === 'string' ? renamed : undefined;
    if (name !== undefined) names.set(name, handle);
  };
}
