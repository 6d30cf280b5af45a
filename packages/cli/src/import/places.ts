/** Places of the table → paths of this machine, and back. */
import { posix, win32 } from 'node:path';
import { type Base, CLIENTS, type Client, type Place } from './clients.ts';

/** What places depend on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The current folder. */
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
}

/** The file of a client, and what follows from where it is. */
export interface Known {
  readonly client: Client;
  /** The folder of the project that the file is for; none when it is for everything. */
  readonly root: string | undefined;
}

/** All files that a client may have on this machine, in the order of the table. */
export function filesOf(client: Client, machine: Machine): readonly string[] {
  const { join } = machine.platform === 'win32' ? win32 : posix;
  return client.places
    .filter(({ on }) => on === undefined || on.includes(machine.platform))
    .map(({ base, path }) => join(folderOf(base, machine), path));
}

function folderOf(base: Base, machine: Machine): string {
  const { platform, home, cwd, env } = machine;
  if (base === 'home') return home;
  if (base === 'project') return cwd;
  const config = (platform === 'linux' ? env['XDG_CONFIG_HOME'] : undefined) || `${home}/.config`;
  if (base === 'config') return config;
  if (platform === 'win32') return env['APPDATA'] || `${home}\\AppData\\Roaming`;
  return platform === 'darwin' ? `${home}/Library/Application Support` : config;
}

/** The client that a file is of, by its path; `undefined` when no client keeps its servers there. */
export function clientAt(file: string, machine: Machine): Known | undefined {
  const path = slashed(file);
  for (const client of CLIENTS) {
    if (filesOf({ ...client, places: client.places.filter(isOfUser) }, machine).some((own) => own === file))
      return { client, root: undefined };
    const place = client.places.find((item) => path.endsWith(`/${item.path}`));
    if (place === undefined) continue;
    const root = file.slice(0, path.length - place.path.length - 1) || '/';
    return { client, root: client.places.some((item) => isAt(item, place)) ? root : undefined };
  }
  return undefined;
}

function isOfUser({ base }: Place): boolean {
  return base !== 'project';
}

/** Is it that file of a project? Some clients have the same path at home and in a project. */
function isAt(item: Place, place: Place): boolean {
  return item.base === 'project' && item.path === place.path;
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
