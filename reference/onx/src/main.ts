/** `npm run reference -- onx [--stdio | --http PORT] [--data DIR] [--backend-url URL]` */
import { listen, parseFlags, reporter, serve, stderrLogger } from '@mayday/reference-shared';
import { createBackend } from './backend.ts';
import { createDesk } from './desk.ts';
import { createHttpAdapter } from './http-adapter.ts';
import { createSqliteAdapter } from './sqlite/adapter.ts';

const flags = parseFlags('onx', {
  'backend-url': 'keep orders in the system at this address, not in a file',
  'serve-backend': 'be such a system, on this port',
  'deadline-ms': 'how long a tool may take, 5000',
  'per-minute': 'calls a minute, 600',
});
const {
  'backend-url': url,
  'serve-backend': port,
  'deadline-ms': deadline,
  'per-minute': perMinute,
} = flags.own;
const logger = stderrLogger('onx');

if (port !== undefined) {
  const backend = await listen(
    createBackend(createSqliteAdapter(flags.data)),
    Number(port),
    reporter(logger),
  );
  logger.warn({ url: backend.url }, `Listening on ${backend.url}`);
} else {
  const adapter = url === undefined ? createSqliteAdapter(flags.data) : createHttpAdapter(url);
  const createServer = createDesk({
    adapter,
    logger,
    ...(deadline === undefined ? {} : { deadlineMs: Number(deadline) }),
    ...(perMinute === undefined ? {} : { perMinute: Number(perMinute) }),
  });
  await serve({ name: 'onx', dialect: 'onx', createServer, logger, close: () => adapter.close() }, flags);
}
