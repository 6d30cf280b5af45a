/** How thrown faults are recognised, and where their causes are kept: shared by all copies of this package. */
import { type Fault, soundFault } from './fault.ts';
import { own } from './json.ts';
import type { Executed, Kind } from './kinds.ts';

/** Two copies of this package recognise each other's faults by this, where `instanceof` would fail. */
const BRAND: unique symbol = Symbol.for('dev.mayday/fault') as never;

const CAUSES: unique symbol = Symbol.for('dev.mayday/causes') as never;

/** Marks a carrier whose thrower said itself whether the work happened. */
const SAID: unique symbol = Symbol.for('dev.mayday/said-executed') as never;

/** Marks a carrier whose thrower said itself whether it is worth another try. */
const SAID_RETRYABLE: unique symbol = Symbol.for('dev.mayday/said-retryable') as never;

/** Marks a carrier whose thrower said itself what has happened. */
const SAID_KIND: unique symbol = Symbol.for('dev.mayday/said-kind') as never;

/** One map for all copies, so that a logger finds the cause whichever copy threw. */
function causes(): WeakMap<object, unknown> {
  const host = globalThis as { [CAUSES]?: WeakMap<object, unknown> };
  host[CAUSES] ??= new WeakMap();
  return host[CAUSES];
}

/** What is known about a thrown fault beside the fault. */
export interface Carried {
  /** The private cause: for logs, never for the wire. */
  readonly cause?: unknown;
  /**
   * The thrower said itself whether the work happened; otherwise `executed` follows from the kind, or was read
   * from the answer to some other call, and neither holds for work that had begun.
   */
  readonly saidExecuted?: boolean | undefined;
  /** The thrower said itself whether it is worth another try; otherwise that only follows from the kind. */
  readonly saidRetryable?: boolean | undefined;
  /** The thrower chose the kind itself; otherwise the fault may be what somebody else said of another call. */
  readonly saidKind?: boolean | undefined;
}

/** Marks an object as the carrier of a fault, and keeps its cause outside of it. */
export function carry(carrier: object, fault: Fault, carried: Carried): void {
  const { cause, saidExecuted, saidRetryable, saidKind } = carried;
  // Not enumerable: a spread or a logger that lists members does not come across it.
  Object.defineProperty(carrier, BRAND, { value: fault });
  if (saidExecuted === true) Object.defineProperty(carrier, SAID, { value: true });
  if (saidRetryable === true) Object.defineProperty(carrier, SAID_RETRYABLE, { value: true });
  if (saidKind === true) Object.defineProperty(carrier, SAID_KIND, { value: true });
  if (cause !== undefined) causes().set(carrier, cause);
}

/**
 * What the thrower of a fault said itself about whether the work happened: `fault.rateLimited('…', { executed: 'no' })`.
 * `undefined` when `executed` only follows from the kind, or comes from a fault that was read elsewhere.
 */
export function saidExecuted(value: unknown): Executed | undefined {
  return isMarked(value, SAID) ? faultOf(value)?.executed : undefined;
}

/**
 * What the thrower of a fault said itself about another try: `fault.upstreamFailed('…', { retryable: true })`.
 * `undefined` when `retryable` only follows from the kind.
 */
export function saidRetryable(value: unknown): boolean | undefined {
  return isMarked(value, SAID_RETRYABLE) ? faultOf(value)?.retryable : undefined;
}

/**
 * The kind that the thrower of a fault chose itself: `fault.rateLimited('…')`. `undefined` for a fault that was read
 * from an answer and thrown on: it was said of another call.
 */
export function saidKind(value: unknown): Kind | undefined {
  return isMarked(value, SAID_KIND) ? faultOf(value)?.kind : undefined;
}

function isMarked(value: unknown, mark: symbol): boolean {
  try {
    return faultOf(value) !== undefined && (value as { [key: symbol]: unknown })[mark] === true;
  } catch {
    return false; // a hostile getter says nothing
  }
}

/** The fault that a thrown value carries, from whichever copy of this package it came. */
export function faultOf(value: unknown): Fault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const fault = (value as { [BRAND]?: Fault })[BRAND];
    // Another copy may be older, and hold what this one would have put right.
    return fault === undefined || own(fault, 'kind') === undefined ? undefined : soundFault(fault);
  } catch {
    return undefined; // a hostile getter is no fault
  }
}

/** The private cause of a thrown fault: for logs. */
export function causeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? causes().get(value) : undefined;
}
