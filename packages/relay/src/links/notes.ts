/** What a link tells its operator: redacted, printable, and bounded. */
import { redact } from '@mayday/core/redact';
import { printable, withoutEscapes } from '../framing/printable.ts';

/** Writes a note. */
export type Note = (text: string) => void;

/** How much is told. */
export interface NotesOptions {
  readonly now: () => number;
  /** Notes in one window of time; the rest is counted. */
  readonly limit?: number | undefined;
  readonly windowMs?: number | undefined;
}

/**
 * Notes that a server cannot flood: that there are more than so many is told at once, how many there were with the first
 * note that fits again.
 */
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
      if (leftOut++ === 0)
        tell(onNote, `more than ${limit} notes in ${windowMs / 1000} s; the rest of them is left out`);
      return;
    }
    told++;
    const rest = leftOut === 0 ? '' : ` (${leftOut} notes before this one were left out)`;
    leftOut = 0;
    tell(onNote, printable(redact(withoutEscapes(text)).value) + rest);
  };
}

function tell(onNote: Note, text: string): void {
  try {
    onNote(text);
  } catch {
    // A log that cannot be written must not end what it would have told about.
  }
}
