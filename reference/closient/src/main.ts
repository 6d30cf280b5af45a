/**
 * `npm run reference -- closient [--stdio | --http PORT] [--data DIR]` serves; `--mint`, `--revoke`, `--disable` and
 * the word `tokens` are the operator's side; `call URL TOOL JSON` is the document's client.
 */
import { countFrom, parseFlags, runCommand, serve } from '@mayday/reference-shared';
import { operate } from './operator.ts';
import { createClosient } from './service.ts';
import { openStore } from './store.ts';

const FLAGS = {
  'per-minute': 'calls a minute for each caller, 300',
  mint: 'print a new token with these scopes, separated by commas, and end',
  owner: 'who the new token belongs to, demo',
  revoke: 'end this token, given whole or by its id, and end',
  disable: 'end all tokens of this owner, and end',
};

await main(process.argv.slice(2));

async function main([first, ...rest]: string[]): Promise<void> {
  const lists = first === 'tokens';
  const flags = parseFlags('closient', FLAGS, lists || first === undefined ? rest : [first, ...rest]);
  const perMinute = countFrom('per-minute', flags.own['per-minute'], 300);
  if (lists || ['mint', 'revoke', 'disable'].some((name) => flags.own[name] !== undefined))
    runCommand(openStore(flags.data), (store) => operate(store, flags.own, lists));
  else {
    // Over HTTP every caller brings a token of its own.
    const token = flags.http === undefined ? process.env['CLOSIENT_TOKEN'] : undefined;
    await serve(createClosient({ data: flags.data, token, perMinute }), flags);
  }
}
