import type { Logger } from '@mayday/server';

/**
 * Logs one JSON object a line to standard error: standard output belongs to the protocol. Where nobody reads it any more,
 * the server goes on.
 */
export function stderrLogger(service: string): Required<Logger> {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => undefined);
  const line = (level: string, fields: object, message: string): void => {
    process.stderr.write(`${JSON.stringify({ level, service, message, ...fields }, withErrors)}\n`);
  };
  return {
    error: (fields, message) => line('error', fields, message),
    warn: (fields, message) => line('warn', fields, message),
  };
}

/** Errors have no members of their own that JSON would show. */
function withErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
}

/** Reports what no caller is told about. */
export function reporter(logger: Required<Logger>): (error: Error) => void {
  return (err) => logger.warn({ err }, 'A request could not be served');
}
