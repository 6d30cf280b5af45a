/** What the operator does with tokens. */
import type { DatabaseSync } from 'node:sqlite';
import { disableOwner, listTokens, mintToken, revokeToken } from './tokens.ts';

/** Does what the flags say: mints, revokes, disables or lists. Throws a sentence for the operator when it cannot. */
export function operate(
  store: DatabaseSync,
  { mint = '', owner = 'demo', revoke, disable }: { readonly [name: string]: string | undefined },
  lists: boolean,
): string {
  if (lists)
    return listTokens(store)
      .map((token) => JSON.stringify(token))
      .join('\n');
  if (disable !== undefined) return `${disableOwner(store, disable)} revoked`;
  if (revoke !== undefined) {
    if (revokeToken(store, revoke)) return 'Revoked';
    throw new TypeError('There is no such token; the word tokens lists them');
  }
  const scopes = mint.split(',').map((scope) => scope.trim());
  if (owner.trim() === '' || scopes.includes(''))
    throw new TypeError('Expected --mint SCOPE,SCOPE and an --owner with a name');
  return mintToken(store, owner, scopes);
}
