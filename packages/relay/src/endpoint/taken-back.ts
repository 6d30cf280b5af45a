/** Refusals that their server has taken back before the call was made again: it has answered once more. */
import type { WireCall, WireOutcome } from './call.ts';

/** By the progress of a call: that is the same in all of its attempts. */
const doubted = new WeakMap<WireCall['progress'], WireOutcome>();

/** Keeps beside the call what is left of the refusal. */
export function takeBack({ progress }: Pick<WireCall, 'progress'>, outcome: WireOutcome): void {
  doubted.set(progress, outcome);
}

/** What is left of the refusal that another attempt relies on, told once; `undefined` where it still stands. */
export function takenBack({ progress }: Pick<WireCall, 'progress'>): WireOutcome | undefined {
  const outcome = doubted.get(progress);
  doubted.delete(progress);
  return outcome;
}
