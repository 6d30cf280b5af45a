/**
 * `npm run reference -- erlmcp [--stdio | --http PORT] [--data DIR] [--mirror URL] [--max-message-bytes N …]`
 * serves; `… erlmcp add-user NAME ROLE` and `… erlmcp suspend-user NAME` manage users.
 */
import type { AddressInfo } from 'node:net';
import { parseFlags, stderrLogger } from '@mayday/reference-shared';
import { createApp } from './app.ts';
import { cancelAll } from './session.ts';
import { DEFAULTS, flagOf, settingsFrom } from './settings.ts';
import { openStore } from './store/index.ts';
import { manageUsers } from './users-command.ts';
import { createHttpServer } from './wire/http.ts';
import { serveStdio } from './wire/stdio.ts';

const words = process.argv.slice(2);
const isFlag = (word: string): boolean => word.startsWith('--');
const firstFlag = words.findIndex(isFlag);
const command = words.splice(0, firstFlag < 0 ? words.length : firstFlag);

const flags = parseFlags(
  'erlmcp',
  {
    mirror: 'the URL of the server behind mirror://{path}',
    ...Object.fromEntries(
      Object.entries(DEFAULTS).map(([name, value]) => [flagOf(name), `a limit; ${value}, if absent`]),
    ),
  },
  words,
);
const logger = stderrLogger('erlmcp');
const store = openStore(flags.data);

if (command.length === 0) await serve();
else {
  try {
    process.stdout.write(`${manageUsers(store.users, command)}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 2;
  }
  store.close();
}

async function serve(): Promise<void> {
  const { mirror } = flags.own;
  const app = createApp({
    store,
    settings: settingsFrom(flags.own),
    log: (fields) => logger.error(fields, 'Sending an error'),
    mirror: mirror === undefined ? undefined : new URL(mirror),
  });
  const stop =
    flags.http === undefined ? serveStdio(app, process.stdin, process.stdout) : await listen(app, flags.http);
  let stopping = false;
  const shutDown = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await stop('server_shutdown');
    store.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shutDown());
  if (flags.http === undefined) process.stdin.once('end', () => void shutDown());
}

async function listen(
  app: Parameters<typeof createHttpServer>[0],
  port: number,
): Promise<(reason: string) => Promise<void>> {
  const server = createHttpServer(app);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  logger.warn({ url }, `Listening on ${url}`);
  return async (reason) => {
    server.close();
    for (const session of app.sessions) cancelAll(session, reason);
    // What was cancelled has its answer in the socket one turn later.
    await new Promise<void>((resolve) => setImmediate(resolve));
    server.closeAllConnections();
  };
}
