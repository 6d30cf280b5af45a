import { type RedactOptions, redact } from '@mayday/core/redact';
import type { Logger } from '@mayday/server';

/**
 * Logs one JSON object a line to standard error: standard output belongs to the protocol. Where nobody reads it any more,
 * the server goes on.
 */
export function stderrLogger(service: string): Required<Logger> {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => undefined);
  const line = (level: string, fields: object, message: string): void => {
    const whole = JSON.stringify({ level, service, message, ...fields }, bounded);
    const short = { level, service, message, cut: whole.slice(0, LONGEST_TEXT) };
    const said: unknown = whole.length > LONGEST_LINE ? short : JSON.parse(whole);
    process.stderr.write(`${JSON.stringify(redact(said, SHOWN).value, bounded)}\n`);
  };
  return {
    error: (fields, message) => line('error', fields, message),
    warn: (fields, message) => line('warn', fields, message),
  };
}

/** Callers and backends can make a text, a name or a list as long as they like. */
const LONGEST_TEXT = 4000;
const LONGEST_LINE = 32_000;

/** Errors have no members of their own that JSON would show. */
function bounded(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONGEST_TEXT) return `${value.slice(0, LONGEST_TEXT - 1)}…`;
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
}

/** Where in the program it was is what a log is for; keys and people are not. */
const SHOWN: RedactOptions = { disable: ['stack'] };

/** Reports what no caller is told about. */
export function reporter(logger: Required<Logger>): (error: Error) => void {
  return (err) => logger.warn({ err }, 'A request could not be served');
}
