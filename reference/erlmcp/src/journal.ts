/** The errors that were sent, by day: the log, and the resource `log://{date}`. */
import { errorSeverity } from '@mayday/core/dialects/erlmcp';
import { redact } from '@mayday/core/redact';
import type { Clock } from '@mayday/policy';
import { cut } from './errors.ts';

/** One error, as it went out. */
interface Entry {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What an error answers. */
interface Occasion {
  readonly method: string;
  /** The session that it was asked in, if there was one. */
  readonly session: string | undefined;
}

/** Writes a line where operators read. */
export type WriteLine = (fields: object) => void;

/** The journal. */
export interface Journal {
  /** Logs an error; call it before the error is sent. */
  add(entry: Entry, occasion: Occasion, cause: unknown): void;
  /** The errors of a day, one JSON object a line: those of one session, or of all. */
  day(date: string, session: string | undefined): string;
}

/** Days and errors that are kept in memory. */
const MAX_LINES = 1000;

/** A journal that also writes each entry to the log, without secrets. The cause goes to the log and nowhere else. */
export function createJournal(clock: Clock, write: WriteLine): Journal {
  const lines: { date: string; session: string | undefined; line: string }[] = [];
  return {
    add({ code, message, data }, { method, session }, cause) {
      const at = new Date(clock.now()).toISOString();
      // Whatever a caller wrote is cut before it is looked at, and looked at before it is kept.
      const said = redact({ message: cut(message), method: cut(method), data: data ?? null }).value;
      const entry = { at, severity: errorSeverity(code), code, ...(said as object) };
      lines.push({ date: at.slice(0, 10), session, line: JSON.stringify(entry) });
      if (lines.length > MAX_LINES) lines.shift();
      write(cause === undefined ? entry : { ...entry, cause: withoutSecrets(cause) });
    },
    day: (date, session) =>
      lines
        .filter((entry) => entry.date === date && (session === undefined || entry.session === session))
        .map((entry) => entry.line)
        .join('\n'),
  };
}

const LONGEST_CAUSE = 4000;

function withoutSecrets(cause: unknown): string {
  const told = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return redact(told.slice(0, LONGEST_CAUSE)).value;
}
