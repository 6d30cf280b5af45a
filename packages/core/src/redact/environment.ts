/** Users and machines in the environment of a process: `{ USER: 'jane', COMPUTERNAME: 'LT-JANE-7' }`. */
import { isUser } from './rules/paths.ts';

const USERS = /^(?:(?:SUDO_)?USER|LOGNAME|USERNAME|GIT_(?:AUTHOR|COMMITTER)_NAME)$/;
const MACHINES = /^(?:COMPUTERNAME|HOSTNAME|USERDOMAIN)$/;
const USER = /^[A-Za-z_][\w.-]{1,31}$/;
const MACHINE = /^[A-Za-z][A-Za-z\d]{0,30}(?:-[A-Za-z\d]{1,30}){1,6}$|^[A-Za-z]{2,30}\d{1,10}$/;

/** Does a name of the environment tell who or where somebody is? */
export function isOfSomebody(name: string): boolean {
  return USERS.test(name) || MACHINES.test(name);
}

/** What a value under such a name is. */
export function somebodyIn(name: string, value: string): { rule: string; class: string } | undefined {
  const first = name.charCodeAt(0);
  if (first < 65 || first > 90) {
    return undefined; // all of them are written large
  }
  if (USERS.test(name) && USER.test(value) && isUser(value)) {
    return { rule: 'user-path', class: 'user' };
  }
  return MACHINES.test(name) && MACHINE.test(value) ? { rule: 'private-host', class: 'host' } : undefined;
}
