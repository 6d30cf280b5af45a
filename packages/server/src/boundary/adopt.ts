/** Handles of what is registered: their later updates stay behind the guard. */
import type { AnyFunction, Handle } from '../shapes.ts';
import type { Boundary } from './boundary.ts';
import { declareKeys } from './declare-keys.ts';
import { type HandlerKind, wrapHandler } from './handlers.ts';
import { isTaskHandler, wrapTaskHandler } from './tasks.ts';

/** Where either SDK keeps the function that it calls. */
const FUNCTIONS = ['handler', 'executor', 'callback', 'readCallback'] as const;

/**
 * Keeps a handle's later updates behind the guard, new callbacks wrapped and new names known, and gives it back as its
 * author may have it: what is assigned to it is wrapped too. The SDK asks its own at every call; accessors there would
 * make all of its members slow.
 */
export function adopt(
  boundary: Boundary,
  kind: HandlerKind,
  handle: Handle,
  names?: Map<string, Handle>,
  registeredAs?: string,
): Handle {
  keepUpdates(boundary, kind, handle, names, registeredAs);
  return new Proxy(handle, {
    set: (target, member, given: unknown) =>
      Reflect.set(target, member, isFunction(member) ? behind(boundary, kind, given) : given),
  });
}

/** The same for a handle that its author has already: what is assigned is seen on the handle itself. */
export function adoptInPlace(boundary: Boundary, kind: HandlerKind, handle: Handle): void {
  keepUpdates(boundary, kind, handle);
  const { update } = handle;
  const assigning = watchAssignments(handle, (given) => behind(boundary, kind, given));
  handle.update = (updates) => {
    assigning.bySdk = true;
    try {
      update(updates);
    } finally {
      assigning.bySdk = false;
    }
  };
}

function keepUpdates(
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
      callback === undefined ? updates : { ...updates, callback: behind(boundary, kind, callback) },
    );
    if (kind === 'tool') declareKeys(handle, boundary.settings);
    if (names === undefined || name === undefined || renamed === undefined || renamed === name) return;
    names.delete(name);
    name = typeof renamed === 'string' ? renamed : undefined;
    if (name !== undefined) names.set(name, handle);
  };
}

/** What an author gives to be called, behind the guard. */
function behind(boundary: Boundary, kind: HandlerKind, given: unknown): unknown {
  if (typeof given === 'function') return wrapHandler(boundary, kind, given as AnyFunction);
  return isTaskHandler(given) ? wrapTaskHandler(boundary, given) : given;
}

function isFunction(member: string | symbol): boolean {
  return (FUNCTIONS as readonly (string | symbol)[]).includes(member);
}

/** A handle's functions can also be assigned. The SDK does it too, with what is behind the guard already. */
function watchAssignments(handle: Handle, wrap: (given: unknown) => unknown): { bySdk: boolean } {
  const assigning = { bySdk: false };
  for (const member of FUNCTIONS) {
    let current: unknown = handle[member];
    if (current === undefined) continue;
    Object.defineProperty(handle, member, {
      configurable: true,
      enumerable: true,
      get: () => current,
      set: (given: unknown) => {
        current = assigning.bySdk ? given : wrap(given);
      },
    });
  }
  return assigning;
}
