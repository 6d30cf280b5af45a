/**
 * `npm run reference -- qaqnuz [--stdio | --http PORT] [--data DIR] [--provider URL]` serves; on stdio the
 * caller's key is in QAQNUZ_KEY. `… qaqnuz operator <command>` is the operator's side, `… qaqnuz call URL TOOL JSON`
 * the document's client.
 */
import {
  countFrom,
  parseFlags,
  refuse,
  runCommand,
  serve,
  stderrLogger,
  urlFrom,
} from '@mayday/reference-shared';
import { COMMANDS, operate } from './operator.ts';
import { createPlatform } from './platform.ts';
import { createProvider } from './provider.ts';
import { openStore } from './store/index.ts';

await main(process.argv.slice(2));

async function main(words: string[]): Promise<void> {
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
    `or: operator ${Object.keys(COMMANDS).join(' | ')}\n    call URL TOOL JSON\n`,
  );
  const { provider, 'per-key': perKey, 'per-brand': perBrand } = flags.own;
  const limits = {
    perKey: countFrom('per-key', perKey, 60),
    perBrand: countFrom('per-brand', perBrand, 300),
  };
  const stockOf = createProvider(urlFrom('provider', provider));
  if (role !== undefined && role !== 'operator')
    refuse(`Expected operator or call, got ${role.slice(0, 100)}`);
  const store = openStore(flags.data);
  if (role === 'operator') runCommand(store, () => operate(store, command, Date.now()));
  else {
    const logger = stderrLogger('qaqnuz');
    const stdioKey = flags.http === undefined ? process.env['QAQNUZ_KEY'] : undefined;
    const createServer = createPlatform({ store, logger, stockOf, stdioKey, ...limits });
    await serve(
      { name: 'qaqnuz', dialect: 'qaqnuz', createServer, logger, close: () => store.close() },
      flags,
    );
  }
}
