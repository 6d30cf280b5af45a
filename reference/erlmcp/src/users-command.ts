import { randomBytes } from 'node:crypto';
import type { Role, Users } from './store/users.ts';

const ROLES: readonly string[] = ['member', 'admin'];

/**
 * `add-user NAME ROLE` makes up a password and shows it once; `suspend-user NAME` shuts an account, open sessions included. Throws a
 * sentence for the operator when it cannot.
 */
export function manageUsers(users: Users, [command, name = '', role = 'member']: readonly string[]): string {
  if (command === 'list-users')
    return users
      .list()
      .map((user) => JSON.stringify(user))
      .join('\n');
  if (command === 'suspend-user') {
    if (!users.suspend(name)) throw new TypeError(`There is no user ${name}`);
    return `Suspended ${name}`;
  }
  if (command !== 'add-user' || !/^[\w-]{1,64}$/.test(name) || !ROLES.includes(role))
    throw new TypeError('Expected add-user NAME member|admin, list-users, or suspend-user NAME');
  const password = randomBytes(12).toString('base64url');
  if (!users.add(name, role as Role, password)) throw new TypeError(`There is a user ${name} already`);
  return password;
}
