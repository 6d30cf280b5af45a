/** `npm run reference -- closient [--stdio | --http PORT] [--data DIR]` */
import { parseFlags, serve } from '@mayday/reference-shared';
import { createClosient } from './service.ts';
import { openStore } from './store.ts';
import { mintToken } from './tokens.ts';

const flags = parseFlags('closient', {
  'per-minute': 'calls a minute for each caller, 300',
  mint: 'print a new token with these scopes, separated by commas, and end',
  owner: 'who the new token belongs to',
});
const { mint, owner = 'demo', 'per-minute': perMinute } = flags.own;

if (mint !== undefined) {
  const store = openStore(flags.data);
  process.stdout.write(`${mintToken(store, owner, mint.split(','))}\n`);
  store.close();
} else {
  // Over HTTP every caller brings a token of its own.
  const token = flags.http === undefined ? process.env['CLOSIENT_TOKEN'] : undefined;
  const limits = perMinute === undefined ? {} : { perMinute: Number(perMinute) };
  await serve(createClosient({ data: flags.data, token, ...limits }), flags);
}
