/**
 * `npm run reference -- onx [--stdio | --http PORT] [--data DIR] [--backend-url URL]` serves; `call URL TOOL JSON` is
 * a client that retries as the document advises.
 */
import {
  countFrom,
  listen,
  openCounts,
  parseFlags,
  portFrom,
  reporter,
  serve,
  stderrLogger,
  urlFrom,
} from '@mayday/reference-shared';
import { createBackend, refused } from './backend.ts';
import { createDesk } from './desk.ts';
import { createHttpAdapter } from './http-adapter.ts';
import { createSqliteAdapter } from './sqlite/adapter.ts';

const logger = stderrLogger('onx');

await main();

async function main(): Promise<void> {
  const flags = parseFlags('onx', {
    'backend-url': 'keep orders in the system at this address, not in a file',
    'serve-backend': 'be such a system, on this port',
    'deadline-ms': 'how long a tool may take, 5000',
    'per-minute': 'calls a minute, 600',
  });
  const { 'deadline-ms': deadline, 'per-minute': most, 'serve-backend': port } = flags.own;
  const url = urlFrom('backend-url', flags.own['backend-url']);
  const deadlineMs = countFrom('deadline-ms', deadline, 5000);
  const perMinute = countFrom('per-minute', most, 600);
  if (port !== undefined) return serveBackend(portFrom('serve-backend', port), flags.data);
  // The adapter gives up first: it knows whether the backend may have done its work.
  const timeoutMs = Math.ceil(deadlineMs * 0.9);
  const adapter =
    url === undefined
      ? createSqliteAdapter(flags.data)
      : createHttpAdapter(url.href.replace(/\/$/, ''), { timeoutMs });
  const counts = openCounts(flags.data, 60_000);
  const createServer = createDesk({ adapter, logger, deadlineMs, perMinute, counts });
  const close = (): void => {
    adapter.close();
    counts.close();
  };
  await serve({ name: 'onx', dialect: 'onx', createServer, logger, close }, flags);
}

async function serveBackend(port: number, data: string): Promise<void> {
  const backend = await listen(createBackend(createSqliteAdapter(data)), port, reporter(logger), { refused });
  logger.warn({ url: backend.url }, `Listening on ${backend.url}`);
}
