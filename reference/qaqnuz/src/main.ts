/**
 * `npm run reference -- qaqnuz [--stdio | --http PORT] [--data DIR] [--provider URL]` serves; on stdio the
 * caller's key is in QAQNUZ_KEY. `… qaqnuz operator <command>` is the operator's side.
 */
import { parseFlags, serve, stderrLogger } from '@mayday/reference-shared';
import { operate } from './operator.ts';
import { createPlatform } from './platform.ts';
import { createProvider } from './provider.ts';
import { openStore } from './store/index.ts';

const words = process.argv.slice(2);
const firstFlag = words.findIndex((word) => word.startsWith('--'));
const [role, ...command] = words.splice(0, firstFlag < 0 ? words.length : firstFlag);
const flags = parseFlags(
  'qaqnuz',
  {
    provider: 'the URL of the stock provider',
    'per-key': 'calls a minute for one key; 60',
    'per-brand': 'calls a minute for one brand; 300',
  },
  words,
);
const store = openStore(flags.data);

if (role === 'operator') {
  try {
    process.stdout.write(`${operate(store, command)}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 2;
  }
  store.close();
} else {
  const { provider, 'per-key': perKey, 'per-brand': perBrand } = flags.own;
  const logger = stderrLogger('qaqnuz');
  const createServer = createPlatform({
    store,
    logger,
    stockOf: createProvider(provider === undefined ? undefined : new URL(provider)),
    stdioKey: flags.http === undefined ? process.env['QAQNUZ_KEY'] : undefined,
    ...(perKey === undefined ? {} : { perKey: Number(perKey) }),
    ...(perBrand === undefined ? {} : { perBrand: Number(perBrand) }),
  });
  // Bytes that are no message belong to no call: JSON-RPC's own errors answer them.
  await serve({ name: 'qaqnuz', dialect: 'mcp', createServer, logger, close: () => store.close() }, flags);
}
