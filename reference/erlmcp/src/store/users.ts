import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** What a user may do: a guest is anybody who has not signed in. */
export type Role = 'guest' | 'member' | 'admin';

/** A user. */
export interface User {
  readonly name: string;
  readonly role: Role;
  readonly suspended: boolean;
}

/** A token that was issued. Only its digest is kept. */
export interface Token {
  readonly user: User;
  /** The digest. */
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly expiresAt: number;
}

/** Users, their passwords and their tokens. Neither is stored: only what is needed to recognise them. */
export interface Users {
  /** False, and nothing changes, when there is one of this name. */
  add(name: string, role: Role, password: string): boolean;
  suspend(name: string, isSuspended: boolean): boolean;
  /** Ends the tokens of a user, and takes a new password if there is one. False when there is no such user. */
  endTokens(name: string, now: number, password?: string): boolean;
  /** All users, without what they are recognised by. */
  list(): readonly object[];
  /** The user, if the password is right. Takes as long for a user that does not exist. */
  verify(name: string, password: string): User | undefined;
  /** A new token for a user. */
  issue(user: User, now: number, ttlMs: number): { readonly token: string; readonly expiresAt: number };
  find(token: string): Token | undefined;
  /** What became of a token since. */
  look(id: string): Token | undefined;
  /** Who signed in when, newest first. */
  logins(): readonly { readonly user: string; readonly at: number }[];
}

const KEY_BYTES = 32;

/** Users in the database. */
export function createUsers(database: DatabaseSync): Users {
  const add = database.prepare(
    'INSERT OR IGNORE INTO users (name, role, salt, password) VALUES (?, ?, ?, ?)',
  );
  const suspend = database.prepare('UPDATE users SET suspended = ? WHERE name = ?');
  const get = database.prepare('SELECT role, salt, password, suspended FROM users WHERE name = ?');
  const end = database.prepare('UPDATE tokens SET expires_at = ? WHERE user = ? AND expires_at > ?');
  const change = database.prepare('UPDATE users SET salt = ?, password = ? WHERE name = ?');
  const list = database.prepare('SELECT name, role, suspended FROM users ORDER BY name');
  const issue = database.prepare(
    'INSERT INTO tokens (digest, user, issued_at, expires_at) VALUES (?, ?, ?, ?)',
  );
  const find = database.prepare(
    'SELECT name, role, suspended, expires_at FROM tokens JOIN users ON user = name WHERE digest = ?',
  );
  const logins = database.prepare(
    'SELECT user, issued_at AS at FROM tokens ORDER BY issued_at DESC LIMIT 100',
  );
  const look = (id: string): Token | undefined => {
    const row = find.get(id);
    return row === undefined ? undefined : { id, user: userFrom(row), expiresAt: Number(row['expires_at']) };
  };
  return {
    add: (name, role, password) => add.run(name, role, ...salted(password)).changes === 1,
    suspend: (name, isSuspended) => suspend.run(Number(isSuspended), name).changes === 1,
    endTokens(name, now, password) {
      if (get.get(name) === undefined) return false;
      if (password !== undefined) change.run(...salted(password), name);
      end.run(now, name, now);
      return true;
    },
    list: () => list.all().map(userFrom),
    verify(name, password) {
      const row = get.get(name);
      const salt = (row?.['salt'] as Uint8Array | undefined) ?? new Uint8Array(16);
      const expected = (row?.['password'] as Uint8Array | undefined) ?? new Uint8Array(KEY_BYTES);
      const isRight = timingSafeEqual(scryptSync(password, salt, KEY_BYTES), expected);
      return row !== undefined && isRight ? userFrom({ ...row, name }) : undefined;
    },
    issue(user, now, ttlMs) {
      const token = `erl_${randomBytes(24).toString('base64url')}`;
      issue.run(digest(token), user.name, now, now + ttlMs);
      return { token, expiresAt: now + ttlMs };
    },
    find: (token) => look(digest(token)),
    look,
    logins: () => logins.all() as unknown as readonly { user: string; at: number }[],
  };
}

function salted(password: string): [salt: Buffer, hash: Buffer] {
  const salt = randomBytes(16);
  return [salt, scryptSync(password, salt, KEY_BYTES)];
}

function userFrom(row: { readonly [column: string]: unknown }): User {
  return { name: String(row['name']), role: row['role'] as Role, suspended: row['suspended'] === 1 };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
