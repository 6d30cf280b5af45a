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

/** How to reach the network from here: without them a package runner cannot fetch what it is to run. */
const NETWORK: readonly string[] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];
const CERTIFICATES: readonly string[] = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
];

/** The environment that a server may see without being given it: no secrets of the relay's own. */
export function childEnvironment(): { [name: string]: string } {
  const own = process.platform === 'win32' ? [...INHERITED, ...INHERITED_WINDOWS] : INHERITED;
  const names = [...own, ...CERTIFICATES, ...NETWORK, ...NETWORK.map((name) => name.toLowerCase())];
  const env: { [name: string]: string } = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
