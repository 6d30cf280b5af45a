/** `npm run reference -- platica [--stdio | --http PORT] [--data DIR] [--api-port PORT | --api-url URL]` */
import { parseFlags, serve } from '@mayday/reference-shared';
import { mintKey } from './api/keys.ts';
import { openStore } from './api/store.ts';
import { createPlatica } from './service.ts';

const flags = parseFlags('platica', {
  'api-port': 'serve the REST interface on this port, any by default',
  'api-url': 'bridge to the REST interface at this address',
  'mint-key': 'print a key for these workspaces, separated by commas, and end',
});
const { 'api-port': apiPort = '0', 'api-url': apiUrl, 'mint-key': workspaces } = flags.own;

if (workspaces !== undefined) {
  const store = openStore(flags.data);
  process.stdout.write(`${mintKey(store, workspaces.split(','))}\n`);
  store.close();
} else {
  // Over HTTP every caller brings a key of its own.
  const key = flags.http === undefined ? process.env['PLATICA_API_KEY'] : undefined;
  const service = await createPlatica({ data: flags.data, apiPort: Number(apiPort), apiUrl, key });
  await serve(service, flags);
}
