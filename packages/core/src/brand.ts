/** How thrown faults are recognised, and where their causes are kept: shared by all copies of this package. */
import type { Fault } from './fault.ts';
import { own } from './json.ts';

/** Two copies of this package recognise each other's faults by this, where `instanceof` would fail. */
const BRAND: unique symbol = Symbol.for('dev.mayday/fault') as never;

const CAUSES: unique symbol = Symbol.for('dev.mayday/causes') as never;

/** One map for all copies, so that a logger finds the cause whichever copy threw. */
function causes(): WeakMap<object, unknown> {
  const host = globalThis as { [CAUSES]?: WeakMap<object, unknown> };
  host[CAUSES] ??= new WeakMap();
  return host[CAUSES];
}

const DECLARED: unique symbol = Symbol.for('dev.mayday/declares-executed') as never;

/** Carriers whose author said whether the operation happened, also one set for all copies. */
function declared(): WeakSet<object> {
  const host = globalThis as { [DECLARED]?: WeakSet<object> };
  host[DECLARED] ??= new WeakSet();
  return host[DECLARED];
}

/** Notes that `executed` is the author's own word, and not what the kind implies. */
export function declareExecuted(carrier: object): void {
  declared().add(carrier);
}

/** Did the author of a thrown fault say whether the operation happened? */
export function declaresExecuted(value: unknown): boolean {
  return typeof value === 'object' && value !== null && declared().has(value);
}

/** Marks an object as the carrier of a fault, and keeps its cause outside of it. */
export function carry(carrier: object, fault: Fault, cause: unknown): void {
  // Not enumerable: a spread or a logger that lists members does not come across it.
  Object.defineProperty(carrier, BRAND, { value: fault });
  if (cause !== undefined) causes().set(carrier, cause);
}

/** The fault that a thrown value carries, from whichever copy of this package it came. */
export function faultOf(value: unknown): Fault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const fault = (value as { [BRAND]?: Fault })[BRAND];
    return fault === undefined || own(fault, 'kind') === undefined ? undefined : fault;
  } catch {
    return undefined; // a hostile getter is no fault
  }
}

/** The private cause of a thrown fault: for logs. */
export function causeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? causes().get(value) : undefined;
}
