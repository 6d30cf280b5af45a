/**
 * Variables that shells and desktops set for everybody, under names that sound like secrets: `PWD` is a folder, and
 * `SESSIONNAME` the screen that somebody sits at.
 */
import { posix, win32 } from 'node:path';

const FOLDERS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

const OF_DESKTOPS =
  /^(?:DESKTOP_SESSION|GDMSESSION|SESSIONNAME|SESSION_MANAGER|XDG_SESSION_\w+|DBUS_SESSION_\w+|\w*TERM_SESSION_ID|SSH_AUTH_SOCK)$/;

/** Is it one of them? */
export function isOfSystem(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  if (FOLDERS.has(upper)) return posix.isAbsolute(value) || win32.isAbsolute(value);
  return OF_DESKTOPS.test(upper);
}
