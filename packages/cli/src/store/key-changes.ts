/** Keys are made, exchanged and revoked: each change with its row in the audit log. */
import { scopesOf } from '@mayday/gateway';
import type { IssuedKey, Store, StoredKey } from '@mayday/store';
import { UsageError } from '../usage-error.ts';
import { audit } from './audit.ts';
import { keyDocument } from './key-document.ts';

/** A key that is wanted. */
export interface WantedKey {
  readonly name: string;
  readonly tenant: string | undefined;
  readonly rights: Parameters<typeof scopesOf>[0];
  readonly ttlMs: number | undefined;
}

/** Makes a key. One that cannot be audited is taken back: nobody has seen it. */
export async function createKey(store: Store, wanted: WantedKey): Promise<IssuedKey> {
  const { name, tenant, rights, ttlMs } = wanted;
  const twin = (await store.keys.list()).find(
    (key) => key.principal === name && keyDocument(key).state === 'good',
  );
  if (twin !== undefined)
    throw new UsageError(
      `${JSON.stringify(name)} has a key (${twin.id}); exchange it with \`mayday keys rotate ${twin.id}\`, or choose another name`,
    );
  const issued = await store.keys.create({ principal: name, tenant, scopes: scopesOf(rights), ttlMs });
  const { id, scopes, expiresAt = null } = issued.record;
  const details = { name, tenant, scopes, expires_at: expiresAt };
  await audit(store, { action: 'keys.create', target: id, details }).catch(async (error: unknown) => {
    await store.keys.revoke(id);
    throw error;
  });
  return issued;
}

/** Exchanges the secret of a key. The row comes first: a new secret that nobody is told would end the old one for nothing. */
export async function rotateKey(
  store: Store,
  key: StoredKey,
  overlapMs: number,
): Promise<IssuedKey | undefined> {
  const details = { name: key.principal, overlap_ms: overlapMs };
  await audit(store, { action: 'keys.rotate', target: key.id, details });
  return store.keys.rotate(key.id, { overlapMs });
}

/** Revokes a key, also where that cannot be audited; that is told then. */
export async function revokeKey(store: Store, key: StoredKey): Promise<boolean> {
  const isRevoked = await store.keys.revoke(key.id);
  if (!isRevoked) return false;
  const deed = { action: 'keys.revoke', target: key.id, details: { name: key.principal } };
  await audit(store, deed).catch((error: Error) => {
    throw new UsageError(
      `key ${key.id} is revoked, but the audit log could not be written: ${error.message}`,
    );
  });
  return true;
}
