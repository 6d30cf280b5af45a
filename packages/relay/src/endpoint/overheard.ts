/** What a server said while a call waited, without saying to what: perhaps its answer, perhaps not. */
import type { WireCall } from './call.ts';

/** Said while a call waited. */
interface Overheard {
  /** Absent where the words may be about somebody else's call. */
  readonly words: string | undefined;
}

/** By the progress of a call: that is the same in all of its copies. */
const heard = new WeakMap<WireCall['progress'], Overheard>();

/** Keeps it beside the call. */
export function overhear({ progress }: Pick<WireCall, 'progress'>, words: string | undefined): void {
  heard.set(progress, { words });
}

/** What was said last while this call waited. */
export function overheardBy({ progress }: Pick<WireCall, 'progress'>): Overheard | undefined {
  return heard.get(progress);
}
