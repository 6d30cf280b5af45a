/** What a server process sees of this process's environment. */

const INHERITED: readonly string[] = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
];
const INHERITED_WINDOWS: readonly string[] = [
  'APPDATA',
  'COMSPEC',
  'LOCALAPPDATA',
  'PATHEXT',
  'SYSTEMROOT',
  'TEMP',
  'USERPROFILE',
];

/** The environment that a server may see without being given it: no secrets of the relay's own. */
export function childEnvironment(): { [name: string]: string } {
  const names = process.platform === 'win32' ? [...INHERITED, ...INHERITED_WINDOWS] : INHERITED;
  const env: { [name: string]: string } = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
