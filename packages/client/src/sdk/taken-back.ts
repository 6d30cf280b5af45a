/** A refusal, judged again right before the call that it refused is made again: its server may have taken it back. */
import type { Fault } from '@mayday/core';
import { worse } from '@mayday/policy';
import { takeRefusal } from '../http/refusals.ts';

/** What another attempt relies on. */
export interface Relied {
  /** What the call has failed with. */
  fault?: Fault;
  /** The name of the refusal that it was, where our own fetch has seen it. */
  refusal?: string | undefined;
  /** The result that came all the same. */
  late?: { readonly result: unknown };
}

/** What becomes of the call instead: what is left of its failure, and the result that came all the same. */
export interface TakenBack {
  readonly fault: Fault;
  readonly late: Relied['late'];
}

/** What another attempt relied on; `undefined` where that still stands. `isTold`: it does not, by what others have heard. */
export function takenBack(relied: Relied, isTold = false): TakenBack | undefined {
  const { fault } = relied;
  const refusal = takeRefusal(relied.refusal);
  if (fault === undefined || !(isTold || refusal?.isTakenBack === true)) return undefined;
  return {
    fault: { ...fault, executed: worse('maybe', fault.executed) },
    late: relied.late ?? refusal?.late,
  };
}
