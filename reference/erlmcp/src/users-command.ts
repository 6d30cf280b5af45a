import { randomBytes } from 'node:crypto';
import { lines } from '@mayday/reference-shared';
import type { Role, Users } from './store/users.ts';

const ROLES: readonly string[] = ['member', 'admin'];

/**
 * `add-user NAME ROLE` makes up a password and shows it once, `reset-password NAME` does so again; that, `end-tokens NAME`
 * and `suspend-user NAME`, until `readmit-user NAME`, shut open sessions too. Throws a sentence for the operator when it cannot.
 */
export function manageUsers(
  users: Users,
  [command, name = '', role = 'member']: readonly string[],
  now: number,
): string {
  const known = (isThere: boolean, said: string): string => {
    if (!isThere) throw new TypeError(`There is no user ${name.slice(0, 100)}; list-users lists them`);
    return said;
  };
  const password = randomBytes(12).toString('base64url');
  if (command === 'list-users') return lines(users.list());
  if (command === 'suspend-user') return known(users.suspend(name, true), `Suspended ${name}`);
  if (command === 'readmit-user') return known(users.suspend(name, false), `Readmitted ${name}`);
  if (command === 'end-tokens') return known(users.endTokens(name, now), `Ended the tokens of ${name}`);
  if (command === 'reset-password') return known(users.endTokens(name, now, password), password);
  if (command !== 'add-user' || !/^[\w-]{1,64}$/.test(name) || !ROLES.includes(role))
    throw new TypeError(
      'Expected add-user NAME member|admin, list-users, reset-password NAME, end-tokens NAME, suspend-user NAME, or readmit-user NAME',
    );
  if (!users.add(name, role as Role, password)) throw new TypeError(`There is a user ${name} already`);
  return password;
}
