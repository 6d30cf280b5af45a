/** The errors that were sent, by day: the log, and the resource `log://{date}`. */
import { errorSeverity } from '@mayday/core/dialects/erlmcp';
import type { Clock } from './clock.ts';

/** One error, as it went out. */
interface Entry {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Writes a line where operators read. */
export type WriteLine = (fields: object) => void;

/** The journal. */
export interface Journal {
  /** Logs an error; call it before the error is sent. */
  add(entry: Entry, method: string, cause: unknown): void;
  /** The errors of a day, one JSON object a line. */
  day(date: string): string;
}

/** Days and errors that are kept in memory. */
const MAX_LINES = 1000;

/** A journal that also writes each entry to the log. The cause goes to the log and nowhere else. */
export function createJournal(clock: Clock, write: WriteLine): Journal {
  const lines: { date: string; line: string }[] = [];
  return {
    add({ code, message, data }, method, cause) {
      const at = new Date(clock.now()).toISOString();
      const entry = { at, severity: errorSeverity(code), code, message, method, data };
      lines.push({ date: at.slice(0, 10), line: JSON.stringify(entry) });
      if (lines.length > MAX_LINES) lines.shift();
      write(cause === undefined ? entry : { ...entry, cause });
    },
    day: (date) =>
      lines
        .filter((entry) => entry.date === date)
        .map((entry) => entry.line)
        .join('\n'),
  };
}
