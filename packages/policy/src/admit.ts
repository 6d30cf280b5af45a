/** Admission: policies that look at a call once, before anything happens, and may refuse it. */
import type { Call } from './call.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { Awaitable, Policy } from './policy.ts';

/** Says what speaks against a call; nothing, if it may go on. Answers at once where it can. */
export type Check<C extends Call = Call> = (call: C) => Awaitable<Refusal | undefined>;

/** The policy that lets a call go on if a check has nothing against it. */
export function admit<T, C extends Call>(check: Check<C>): Policy<T, C> {
  return (next) => async (call) => {
    const refusal = await check(call);
    return refusal === undefined ? next(call) : refuse(refusal);
  };
}
