/** What a link tells its operator: printable, and bounded. */
import { printable } from '../framing/printable.ts';

/** Writes a note. */
export type Note = (text: string) => void;

/** How much is told. */
export interface NotesOptions {
  readonly now: () => number;
  /** Notes in one window of time; the rest is counted. */
  readonly limit?: number | undefined;
  readonly windowMs?: number | undefined;
}

/** Notes that a server cannot flood: what is beyond the limit is counted and told with the first note that fits again. */
export function createNotes(onNote: Note | undefined, options: NotesOptions): Note {
  if (onNote === undefined) return () => {};
  const { now, limit = 100, windowMs = 60_000 } = options;
  let since = now();
  let told = 0;
  let leftOut = 0;
  return (text) => {
    if (now() - since >= windowMs) {
      since = now();
      told = 0;
    }
    if (told >= limit) {
      leftOut++;
      return;
    }
    told++;
    const rest = leftOut === 0 ? '' : ` (${leftOut} notes before this one were left out)`;
    leftOut = 0;
    try {
      onNote(printable(text) + rest);
    } catch {
      // A log that cannot be written must not end what it would have told about.
    }
  };
}
