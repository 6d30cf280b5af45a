/** Calls whose server has to start first: who waits for that does not wait for the call yet. */
import type { WireCall } from './call.ts';

/** By the progress of a call: that is the same in all of its copies. */
const starting = new WeakMap<WireCall['progress'], () => boolean>();

/** Keeps beside the call how to see whether its server has still to start. It must not hold the call: such a one outlives every quick collection. */
export function noteStart({ progress }: Pick<WireCall, 'progress'>, isStarting: () => boolean): void {
  starting.set(progress, isStarting);
}

/** Does this call still wait for its server to start? */
export function isStarting({ progress }: Pick<WireCall, 'progress'>): boolean {
  return starting.get(progress)?.() === true;
}
