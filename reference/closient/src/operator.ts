/** What the operator does with tokens. */
import { openStore } from './store.ts';
import { disableOwner, listTokens, mintToken, revokeToken } from './tokens.ts';

/** What came of a command, in one line. */
export interface Operated {
  readonly text: string;
  readonly done: boolean;
}

/** Does what the flags say: mints, revokes, disables or lists. */
export function operate(
  data: string,
  flags: { readonly [name: string]: string | undefined },
  lists: boolean,
): Operated {
  const store = openStore(data);
  const { mint, owner = 'demo', revoke, disable } = flags;
  try {
    if (lists)
      return {
        text: listTokens(store)
          .map((token) => JSON.stringify(token))
          .join('\n'),
        done: true,
      };
    if (revoke !== undefined)
      return revokeToken(store, revoke)
        ? { text: 'Revoked', done: true }
        : { text: 'There is no such token; the word tokens lists them', done: false };
    if (disable !== undefined) return { text: `${disableOwner(store, disable)} revoked`, done: true };
    const scopes = (mint ?? '').split(',').map((scope) => scope.trim());
    if (owner.trim() === '' || scopes.includes(''))
      return { text: 'Expected --mint SCOPE,SCOPE and an --owner with a name', done: false };
    return { text: mintToken(store, owner, scopes), done: true };
  } finally {
    store.close();
  }
}
