/**
 * `npm run reference -- erlmcp [--stdio | --http PORT] [--data DIR] [--mirror URL] [--max-message-bytes N …]`
 * serves; `… erlmcp add-user NAME ROLE`, `list-users`, `reset-password NAME`, `end-tokens NAME`, `suspend-user NAME` and `readmit-user NAME`
 * manage users, `… erlmcp call URL TOOL JSON` is the document's client.
 */
import {
  listenOn,
  openCounts,
  parseFlags,
  runCommand,
  stderrLogger,
  untilStopped,
  urlFrom,
} from '@mayday/reference-shared';
import { type App, createApp } from './app.ts';
import { onLines, overHttp } from './serving.ts';
import { DEFAULTS, flagOf, settingsFrom } from './settings.ts';
import { openStore } from './store/index.ts';
import { manageUsers } from './users-command.ts';

const logger = stderrLogger('erlmcp');
await main(process.argv.slice(2));

async function main(words: string[]): Promise<void> {
  const firstFlag = words.findIndex((word) => word.startsWith('--'));
  const command = words.splice(0, firstFlag < 0 ? words.length : firstFlag);
  const limits = Object.entries(DEFAULTS).map(([name, usual]) => [
    flagOf(name),
    `a limit; ${usual}, if absent`,
  ]);
  const flags = parseFlags(
    'erlmcp',
    { mirror: 'the URL of the server behind mirror://{path}', ...Object.fromEntries(limits) },
    words,
  );
  const mirror = urlFrom('mirror', flags.own['mirror']);
  const settings = settingsFrom(flags.own);
  if (command.length > 0) {
    runCommand(openStore(flags.data), ({ users }) => manageUsers(users, command, Date.now()));
    return;
  }
  const store = openStore(flags.data);
  const counts = openCounts(flags.data, settings.rateWindowMs);
  const log = (fields: object): void => logger.error(fields, 'Sending an error');
  const app = createApp({ store, counts, settings, log, mirror });
  await untilStopped(
    (over) => (flags.http === undefined ? stdio(app, over) : listen(app, flags.http)),
    () => {
      store.close();
      counts.close();
    },
  );
}

function stdio(app: App, over: () => Promise<void>): () => Promise<void> {
  const lines = onLines(app, process.stdin, process.stdout);
  void lines.ended.then(over);
  return () => lines.stop('server_shutdown');
}

async function listen(app: App, port: number): Promise<() => Promise<void>> {
  const sessions = overHttp(app);
  const { url, close } = await listenOn(sessions.listener, port);
  logger.warn({ url }, `Listening on ${url}`);
  return async () => {
    sessions.close('server_shutdown');
    // What was cancelled has its answer in the socket one turn later.
    await new Promise<void>((resolve) => setImmediate(resolve));
    await close(0);
  };
}
