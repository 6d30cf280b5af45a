/**
 * HTTP requests whose status depends on what a server's guards say. A server can only answer in JSON-RPC; the
 * endpoint around it looks here whether it was refused for want of authentication.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dialect } from '@mayday/core';
import type { Failure } from './failure.ts';
import type { RequestState } from './request-state.ts';

/** A request that a guard refused. */
export interface RefusedRequest {
  readonly failure: Failure;
  readonly state: RequestState;
  /** How the server speaks to this caller. */
  readonly dialect: Dialect;
}

interface Slot {
  refused?: RefusedRequest;
  /** A guarded server has answered with a failure: had its work begun? */
  began?: boolean;
  /** Guards that take their time still hold the request back. */
  held?: Promise<unknown>;
  /** A guarded server has seen it. */
  guarded?: boolean;
}

/** What came of the handling of a request. */
export interface Watched<T> {
  readonly handled: T;
  /** Who refused it for want of authentication, and how. */
  readonly refused: RefusedRequest | undefined;
  /** Had the work of a guarded server begun? Not known, if absent. */
  readonly began: boolean | undefined;
  /** A guarded server has seen it. */
  readonly guarded: boolean;
}

/** The SDK hands copies of a request to its servers, so the request itself cannot be the key. */
const slots = new AsyncLocalStorage<Slot>();
/** Many processes have no endpoint: there, nobody is asked for a slot at each request. */
let hasEndpoints = false;

/** Runs the handling of one request, and says what came of it, with what guarded servers said of it. */
export async function watchingRequest<T>(handle: () => Promise<T>): Promise<Watched<T>> {
  hasEndpoints = true;
  const slot: Slot = {};
  const around = slots.getStore();
  const handled = await slots.run(slot, handle);
  await slot.held?.catch(() => undefined); // who refuses says so by throwing
  if (slot.guarded === true && around !== undefined) around.guarded = true; // endpoints may stand in each other
  return { handled, refused: slot.refused, began: slot.began, guarded: slot.guarded === true };
}

/** A guarded server has got a request. */
export function noteGuarded(): void {
  const slot = hasEndpoints ? slots.getStore() : undefined;
  if (slot !== undefined) slot.guarded = true;
}

/** Guards hold a request back until this settles. */
export function noteHeld(held: Promise<unknown>): void {
  const slot = slots.getStore();
  if (slot !== undefined) slot.held = held;
}

/** A guard has refused a request. */
export function noteRefusal(refused: RefusedRequest): void {
  const slot = slots.getStore();
  if (slot !== undefined && refused.failure.thrown.fault.kind === 'unauthenticated') slot.refused = refused;
}

/** A guarded server answers with a failure. */
export function noteFailure({ began }: Failure): void {
  const slot = slots.getStore();
  if (slot !== undefined) slot.began = began;
}
