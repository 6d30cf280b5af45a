/** API keys: `pl_key_<id>_<secret>`, for one workspace or several. Only the secret's digest is kept. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { bearerToken } from '@mayday/reference-shared';
import { digestKey } from '@mayday/server';
import { refusal } from './refusal.ts';
import { hasWorkspace } from './store.ts';

/** What a key opens. */
export interface Key {
  readonly id: string;
  readonly workspaces: readonly string[];
}

/** How the keys of this interface are written. */
const KEY_FORM = /^pl_key_([0-9a-z]{1,32})_([0-9a-zA-Z]{16,64})$/;

/** Makes a key for these workspaces, all of which exist. */
export function mintKey(store: DatabaseSync, workspaces: readonly string[]): string {
  const unknown = workspaces.find((workspace) => !hasWorkspace(store, workspace));
  if (unknown !== undefined)
    throw new TypeError(`Expected workspaces that exist, got ${JSON.stringify(unknown.slice(0, 100))}`);
  const id = randomBytes(6).toString('hex');
  const secret = randomBytes(16).toString('hex');
  store
    .prepare('INSERT INTO keys (id, digest, workspaces) VALUES (?, ?, ?)')
    .run(id, digestKey(secret), JSON.stringify([...new Set(workspaces)]));
  return `pl_key_${id}_${secret}`;
}

/** Switches a key off, by itself or by its id; false when there is none. */
export function disableKey(store: DatabaseSync, key: string): boolean {
  const id = KEY_FORM.exec(key)?.[1] ?? key;
  return store.prepare('UPDATE keys SET disabled = 1 WHERE id = ?').run(id).changes === 1;
}

/** All keys, without their secrets. */
export function listKeys(store: DatabaseSync): readonly (Key & { readonly disabled: boolean })[] {
  const rows = store.prepare('SELECT id, workspaces, disabled FROM keys ORDER BY rowid').all();
  return rows.map((row) => ({ ...keyFrom(row), disabled: row['disabled'] === 1 }));
}

/** The key of a request; 401 for a missing, an unknown and a disabled one alike. */
export function requireKey(store: DatabaseSync, authorization: string | null): Key {
  // What is no key is compared like one that nobody has.
  const [, id = '', secret = 'malformed'] = KEY_FORM.exec(bearerToken(authorization) ?? '') ?? [];
  const row = store.prepare('SELECT digest, workspaces, disabled FROM keys WHERE id = ?').get(id);
  const digest = Buffer.from(digestKey(secret));
  const known = row !== undefined && timingSafeEqual(digest, Buffer.from(row['digest'] as string));
  if (!known || row['disabled'] === 1)
    throw refusal(
      401,
      'Invalid API key',
      'The key is missing, invalid or disabled. Regenerate it in the dashboard.',
    );
  return keyFrom({ ...row, id });
}

function keyFrom({ id, workspaces }: { readonly [column: string]: unknown }): Key {
  return { id: id as string, workspaces: JSON.parse(workspaces as string) as string[] };
}

/** The workspace that a request works in. A key for several must say which. */
export function requireWorkspace(key: Key, given: unknown): string {
  if (given === undefined || given === null || given === '') {
    const [only, ...others] = key.workspaces;
    if (only !== undefined && others.length === 0) return only;
    throw refusal(400, 'Must specify a valid workspace for this key', `One of: ${key.workspaces.join(', ')}`);
  }
  if (typeof given === 'string' && key.workspaces.includes(given)) return given;
  throw refusal(403, 'Access denied', 'The key has no access to this workspace.');
}
