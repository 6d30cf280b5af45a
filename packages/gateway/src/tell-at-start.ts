/** What the operator of a gateway is told when it starts: who can come in, and who cannot. */
import type { IssuedKeys } from './identity/issued-keys.ts';
import type { Log } from './log-words.ts';
import { isLoopback } from './settings/checks.ts';
import type { Settings } from './settings/settings.ts';
import type { Setup } from './setup.ts';

/** Tells it, and has issuers asked for their keys. */
export function tellAtStart(
  { oauth, callers }: Setup,
  { store, listen, keys }: Settings,
  issued: IssuedKeys | undefined,
  log: Log,
): void {
  for (const issuer of oauth?.issuers ?? []) issuer.look();
  const hasNoKeys = keys.length === 0 && oauth === undefined && issued?.exist !== true;
  if (callers.areNeeded && hasNoKeys) log(closedToAll(store.url !== undefined));
  if (callers.areNeeded || store.url === undefined) return;
  log(isLoopback(listen.host) ? OPEN_HERE : OPEN_TO_ALL);
}

const OPEN_TO_ALL =
  'warning: whoever reaches this address can call every upstream; make a key with `mayday keys create`, or listen on 127.0.0.1';

/** Without a store there is nowhere to make a key. */
function closedToAll(hasStore: boolean): string {
  const how = hasStore
    ? 'make one with `mayday keys create`, or write one under `keys`'
    : 'write one under `keys`, or add a `store` and make one with `mayday keys create`';
  return `warning: nobody can come in: \`access.without_key\` is \`refuse\`, and there is no key; ${how}`;
}

/** Where a key was made, this is another store. */
const OPEN_HERE = 'store: no key was ever made in it; whoever reaches this address can call every upstream';
