/** What goes wrong where no log is asked: told on standard error, which others may read, so without secrets. */
import process from 'node:process';
import { redact } from '@mayday/core/redact';

/** Warns of something. What cannot even be printed is not worth an answer. */
export function warn(what: string, reason: unknown): void {
  try {
    const said = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    process.emitWarning(`${what}: ${redact(said, { level: 'secrets' }).value}`, 'MaydayWarning');
  } catch {
    // a hostile `toString`, or a listener that throws
  }
}
