/** A key as it is shown: who has it, what it is for, and whether it is good. Never its secret. */
import type { StoredKey } from '@mayday/store';
import { rightsOf } from '../identity/key-scopes.ts';
import { instant } from './operation.ts';

/** A key in JSON. */
export interface KeyDocument {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly upstreams: readonly string[] | null;
  readonly tenant: string | null;
  readonly scopes: readonly string[];
  readonly dialect: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly state: 'good' | 'expired' | 'revoked';
}

/** Describes a key. */
export function keyDocument(key: StoredKey): KeyDocument {
  const { role, upstreams, dialect, scopes } = rightsOf(key.scopes);
  return {
    id: key.id,
    name: key.principal,
    role,
    upstreams: upstreams ?? null,
    tenant: key.tenant ?? null,
    scopes,
    dialect: dialect ?? null,
    created_at: instant(key.createdAt),
    expires_at: key.expiresAt === undefined ? null : instant(key.expiresAt),
    last_used_at: key.lastUsedAt === undefined ? null : instant(key.lastUsedAt),
    state: stateOf(key),
  };
}

function stateOf({ revoked, expired }: StoredKey): KeyDocument['state'] {
  if (revoked) return 'revoked';
  return expired ? 'expired' : 'good';
}
