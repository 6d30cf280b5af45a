import { randomBytes } from 'node:crypto';
import type { Role, Users } from './store/users.ts';

const ROLES: readonly string[] = ['member', 'admin'];

/** Adds or suspends a user; says what it did. A new user's password is made up and shown once. */
export function manageUsers(
  users: Users,
  [command = '', name = '', role = 'member']: readonly string[],
): string {
  if (command === 'suspend-user') return users.suspend(name) ? `Suspended ${name}` : `No user ${name}`;
  if (!/^[\w-]{1,64}$/.test(name) || !ROLES.includes(role))
    return 'Expected add-user NAME ROLE, with the role member or admin';
  const password = randomBytes(12).toString('base64url');
  users.add(name, role as Role, password);
  return password;
}
