/** `npm run reference -- platica [--stdio | --http PORT] [--data DIR] [--api-port PORT | --api-url URL]` */
import { lines, parseFlags, portFrom, runCommand, serve, urlFrom } from '@mayday/reference-shared';
import { disableKey, listKeys, mintKey } from './api/keys.ts';
import { addWorkspace, openStore } from './api/store.ts';
import { createPlatica } from './service.ts';

const flags = parseFlags('platica', {
  'api-port': 'serve the REST interface on this port, any by default',
  'api-url': 'bridge to the REST interface at this address',
  'add-workspace': 'open a workspace, and end',
  'mint-key': 'print a key for these workspaces, separated by commas, and end',
  'list-keys': 'print the keys of a workspace, or of all, without their secrets, and end',
  'disable-key': 'switch a key off, by itself or by its id, and end',
});

/** What an operator can ask for in place of a server. */
const COMMANDS: { readonly [flag: string]: (store: ReturnType<typeof openStore>, value: string) => string } =
  {
    'add-workspace': (store, id) => {
      if (!/^ws_\w{1,60}$/.test(id)) throw new TypeError('Expected a workspace like ws_norte');
      addWorkspace(store, id);
      return `Opened ${id}`;
    },
    'mint-key': (store, workspaces) => mintKey(store, workspaces.split(',')),
    'list-keys': (store, workspace) =>
      lines(listKeys(store).filter((key) => workspace === 'all' || key.workspaces.includes(workspace))),
    'disable-key': (store, key) => {
      if (!disableKey(store, key)) throw new TypeError('There is no such key');
      return 'Disabled';
    },
  };

const [command] = Object.keys(COMMANDS).filter((flag) => flags.own[flag] !== undefined);
if (command === undefined) await start();
else runCommand(openStore(flags.data), (store) => COMMANDS[command]?.(store, flags.own[command] ?? '') ?? '');

async function start(): Promise<void> {
  const { 'api-port': port = '0', 'api-url': url } = flags.own;
  // Over HTTP every caller brings a key of its own.
  const key = flags.http === undefined ? process.env['PLATICA_API_KEY'] : undefined;
  const apiUrl = urlFrom('api-url', url)?.href.replace(/\/$/, '');
  await serve(
    await createPlatica({ data: flags.data, apiPort: portFrom('api-port', port), apiUrl, key }),
    flags,
  );
}
