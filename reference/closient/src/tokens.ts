/** Bearer tokens: `csb_<32 characters>_<checksum>`. Only their digests are kept. */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { fault } from '@mayday/core';
import { bearerToken } from '@mayday/reference-shared';
import { digestKey } from '@mayday/server';

/** Who calls, and what they may do. */
export interface Caller {
  /** Whose calls are counted together. */
  readonly owner: string;
  readonly kind: TokenKind | 'anonymous';
  readonly scopes: readonly string[];
}

/** Business, user, and public tokens. */
export type TokenKind = 'csb' | 'csu' | 'cpk';

/** Callers without a token share one identity. */
export const ANONYMOUS: Caller = { owner: 'anonymous', kind: 'anonymous', scopes: [] };

const TOKEN = /^(csb|csu|cpk)_([0-9a-zA-Z]{32})_([0-9a-f]{8})$/;

/** Makes a token with these scopes and keeps its digest. */
export function mintToken(
  store: DatabaseSync,
  owner: string,
  scopes: readonly string[],
  kind: TokenKind = 'csb',
): string {
  const body = randomBytes(16).toString('hex');
  const token = `${kind}_${body}_${checksum(body)}`;
  store
    .prepare('INSERT INTO tokens VALUES (?, ?, ?, ?, 0)')
    .run(digestKey(token), owner, kind, JSON.stringify(scopes));
  return token;
}

/** A token as the operator sees it: never the token itself. */
export interface ListedToken {
  /** Enough of its digest to name it. */
  readonly id: string;
  readonly owner: string;
  readonly kind: string;
  readonly scopes: readonly string[];
  readonly revoked: boolean;
}

const ID_LENGTH = 12;

/** All tokens, the oldest first. */
export function listTokens(store: DatabaseSync): readonly ListedToken[] {
  const rows = store.prepare('SELECT digest, owner, kind, scopes, revoked FROM tokens ORDER BY rowid').all();
  return rows.map((row) => ({
    id: String(row['digest']).slice(0, ID_LENGTH),
    owner: String(row['owner']),
    kind: String(row['kind']),
    scopes: JSON.parse(String(row['scopes'])) as string[],
    revoked: row['revoked'] === 1,
  }));
}

/** Ends a token, given as itself or by its id. Says whether there is one. */
export function revokeToken(store: DatabaseSync, token: string): boolean {
  const sql = TOKEN.test(token)
    ? 'UPDATE tokens SET revoked = 1 WHERE digest = ?'
    : `UPDATE tokens SET revoked = 1 WHERE substr(digest, 1, ${ID_LENGTH}) = ?`;
  return store.prepare(sql).run(TOKEN.test(token) ? digestKey(token) : token).changes > 0;
}

/** Ends all tokens of an owner. Says how many. */
export function disableOwner(store: DatabaseSync, owner: string): number {
  return Number(
    store.prepare('UPDATE tokens SET revoked = 1 WHERE owner = ? AND revoked = 0').run(owner).changes,
  );
}

/** The caller behind an `Authorization` header; nobody in particular, when there is none. */
export function authenticate(store: DatabaseSync, header: string | null | undefined): Caller {
  if (header === null || header === undefined || header === '') return ANONYMOUS;
  const token = bearerToken(header);
  const body = TOKEN.exec(token ?? '')?.[2];
  // A typing error shows in the checksum; nothing needs to be looked up.
  if (token === undefined || body === undefined || !token.endsWith(checksum(body)))
    throw fault.unauthenticated('The token is not valid');
  const row = store
    .prepare('SELECT owner, kind, scopes, revoked FROM tokens WHERE digest = ?')
    .get(digestKey(token));
  if (row === undefined || row['revoked'] === 1) throw fault.unauthenticated('The token is not valid');
  return {
    owner: row['owner'] as string,
    kind: row['kind'] as TokenKind,
    scopes: JSON.parse(row['scopes'] as string) as string[],
  };
}

/** Refuses callers who may not: without a token they must get one, without the scope they may not at all. */
export function requireScope(caller: Caller, scope: string): void {
  if (caller.scopes.includes(scope)) return;
  const details = { required_scopes: [scope] };
  if (caller.kind === 'anonymous')
    throw fault.unauthenticated(`A token with the scope ${scope} is required`, { details });
  throw fault.forbidden(`The token lacks the scope ${scope}`, { details });
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}
