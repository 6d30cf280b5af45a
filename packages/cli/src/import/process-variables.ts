/** Variables that a process lives from: whoever sets one for the gateway changes it for all of its servers. */

const NAMES: ReadonlySet<string> = new Set([
  // where programs, folders and the user are found
  ...['PATH', 'PATHEXT', 'HOME', 'USER', 'LOGNAME', 'USERNAME', 'SHELL', 'PWD', 'TMPDIR', 'TMP', 'TEMP'],
  ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC'],
  // how texts and times are written
  ...['LANG', 'LANGUAGE', 'TERM', 'TZ', 'NO_COLOR', 'FORCE_COLOR', '_'],
  // how the network is reached
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'REQUESTS_CA_BUNDLE'],
]);

const FAMILIES = /^(?:LC|XDG|NODE|NPM|LD|DYLD|SSL|OPENSSL|OTEL|MAYDAY)_/;

/** Is it one of them? Some platforms read names in capitals and small letters alike. */
export function isOfProcess(name: string): boolean {
  const capitals = name.toUpperCase();
  return NAMES.has(capitals) || FAMILIES.test(capitals);
}
