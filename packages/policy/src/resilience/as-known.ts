/** What is known about a call by now. */
import type { Call } from '../call.ts';
import { hush } from '../events.ts';

/** Gives a call with what has been found out since it was made. */
export type AsKnown = <C extends Call>(call: C) => C;

/** The call as it is known by now; `undefined` where whoever should know gives none. */
export function knownNow<C extends Call>(call: C, asKnown: AsKnown | undefined): C | undefined {
  if (asKnown === undefined) return call;
  try {
    const known: Partial<C> | undefined = asKnown(call);
    hush(known);
    return known?.progress === call.progress ? (known as C) : undefined;
  } catch {
    return undefined;
  }
}
