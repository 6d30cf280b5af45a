/** What the operator does with tokens. */
import type { DatabaseSync } from 'node:sqlite';
import { lines } from '@mayday/reference-shared';
import { OPERATIONS } from './operations.ts';
import { disableOwner, listTokens, mintToken, revokeToken } from './tokens.ts';

/** The scopes that an operation takes: a token for any other opens nothing. */
const SCOPES: readonly string[] = Object.values(OPERATIONS).flatMap(({ scope }) => scope ?? []);

/** Does what the flags say: mints, revokes, disables or lists. Throws a sentence for the operator when it cannot. */
export function operate(
  store: DatabaseSync,
  { mint = '', owner = 'demo', revoke, disable }: { readonly [name: string]: string | undefined },
  lists: boolean,
): string {
  if (lists) return lines(listTokens(store));
  if (disable !== undefined) {
    if (listTokens(store).some((token) => token.owner === disable))
      return `${disableOwner(store, disable)} revoked`;
    throw new TypeError(`There is no owner ${disable.slice(0, 100)}; the word tokens lists them`);
  }
  if (revoke !== undefined) {
    if (revokeToken(store, revoke)) return 'Revoked';
    throw new TypeError('There is no such token; the word tokens lists them');
  }
  const scopes = mint.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown !== undefined)
    throw new TypeError(
      `Expected --mint with scopes of ${SCOPES.join(', ')}; got ${JSON.stringify(unknown.slice(0, 100))}`,
    );
  if (owner.trim() === '') throw new TypeError('Expected an --owner with a name');
  return mintToken(store, owner, scopes);
}
