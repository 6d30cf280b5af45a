/** What a server said while a call waited, without saying to what: perhaps its answer, perhaps not. */
import type { Link } from '../links/link.ts';
import type { WireCall } from './call.ts';

/** Said while a call waited. */
interface Overheard {
  /** Absent where the words may be about somebody else's call. */
  readonly words: string | undefined;
  /** It has never answered anything: what is known of why. */
  readonly silence?: Link['silence'];
}

/** By the progress of a call: that is the same in all of its copies. */
const heard = new WeakMap<WireCall['progress'], Overheard>();

/** Keeps it beside the call. */
export function overhear({ progress }: Pick<WireCall, 'progress'>, words: string | undefined): void {
  heard.set(progress, { words });
}

/** Keeps beside the call that its server has never answered anything; what it did say counts for more. */
export function noteSilence({ progress }: Pick<WireCall, 'progress'>, silence: Link['silence']): void {
  if (silence !== undefined && !heard.has(progress)) heard.set(progress, { words: undefined, silence });
}

/** What was said last while this call waited. */
export function overheardBy({ progress }: Pick<WireCall, 'progress'>): Overheard | undefined {
  return heard.get(progress);
}
