/**
 * `npm run reference -- erlmcp [--stdio | --http PORT] [--data DIR] [--mirror URL] [--max-message-bytes N …]`
 * serves; `… erlmcp add-user NAME ROLE`, `list-users` and `suspend-user NAME` manage users, `… erlmcp call URL TOOL
 * JSON` is the document's client.
 */
import type { AddressInfo } from 'node:net';
import { callCommand, openCounts, parseFlags, refuse, stderrLogger, urlFrom } from '@mayday/reference-shared';
import { type App, createApp } from './app.ts';
import { callSample } from './client.ts';
import { cancelAll } from './session.ts';
import { DEFAULTS, flagOf, type Settings, settingsFrom } from './settings.ts';
import { openStore } from './store/index.ts';
import { manageUsers } from './users-command.ts';
import { createHttpServer } from './wire/http.ts';
import { serveStdio } from './wire/stdio.ts';

const logger = stderrLogger('erlmcp');
if (!(await callCommand(callSample))) await main(process.argv.slice(2));

async function main(words: string[]): Promise<void> {
  const firstFlag = words.findIndex((word) => word.startsWith('--'));
  const command = words.splice(0, firstFlag < 0 ? words.length : firstFlag);
  const limits = Object.entries(DEFAULTS).map(([name, value]) => [
    flagOf(name),
    `a limit; ${value}, if absent`,
  ]);
  const flags = parseFlags(
    'erlmcp',
    { mirror: 'the URL of the server behind mirror://{path}', ...Object.fromEntries(limits) },
    words,
  );
  const mirror = urlFrom('mirror', flags.own['mirror']);
  const settings = settingsOrEnd(flags.own);
  if (command.length === 0) await serve(flags.data, flags.http, settings, mirror);
  else manage(flags.data, command);
}

function settingsOrEnd(flags: { readonly [flag: string]: unknown }): Settings {
  try {
    return settingsFrom(flags);
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function manage(folder: string, command: readonly string[]): void {
  const store = openStore(folder);
  try {
    process.stdout.write(`${manageUsers(store.users, command)}\n`);
  } catch (error) {
    refuse((error as Error).message);
  } finally {
    store.close();
  }
}

async function serve(
  folder: string,
  port: number | undefined,
  settings: Settings,
  mirror: URL | undefined,
): Promise<void> {
  const store = openStore(folder);
  const counts = openCounts(folder, settings.rateWindowMs);
  const log = (fields: object): void => logger.error(fields, 'Sending an error');
  const app = createApp({ store, counts, settings, log, mirror });
  let stopping = false;
  const shutDown = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await stop('server_shutdown');
    store.close();
    counts.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shutDown());
  let stop: (reason: string) => Promise<void>;
  if (port === undefined) {
    const service = serveStdio(app, process.stdin, process.stdout);
    stop = service.stop;
    void service.ended.then(shutDown);
  } else stop = await listen(app, port);
}

async function listen(app: App, port: number): Promise<(reason: string) => Promise<void>> {
  const server = createHttpServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  }).catch(({ code }: NodeJS.ErrnoException) =>
    refuse(`Cannot listen on port ${port}: ${code === 'EADDRINUSE' ? 'it is taken' : code}`),
  );
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
