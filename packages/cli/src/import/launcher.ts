/** The words by which a client can start this program: some that work without anything more being installed. */
import { existsSync, realpathSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { VERSION } from '../version.ts';
import type { Machine } from './places.ts';

/** How this process was started. */
export interface Started {
  readonly script: string;
  readonly node: string;
}

/** Folders that `npx`, `pnpm dlx`, `yarn dlx` and `bunx` make for one run, and that may be gone at the next. */
const FOR_ONE_RUN = /[\\/](?:_npx|dlx(?:-[^\\/]*)?|bunx-[^\\/]*)[\\/]/;

/** `mayday` where clients find it; otherwise where it is now, or by `npx` where that does not last. */
export function launcher(
  machine: Pick<Machine, 'env' | 'platform'>,
  { script, node }: Started,
): readonly string[] {
  if (isOnPath(machine)) return ['mayday'];
  const real = realpathSync(script);
  return FOR_ONE_RUN.test(real) || FOR_ONE_RUN.test(script)
    ? ['npx', '-y', `@mayday/cli@${VERSION}`]
    : [node, real];
}

/** Clients look for the command along `PATH`. Folders of packages are there for whoever runs `npx`, not for them. */
function isOnPath({ env, platform }: Pick<Machine, 'env' | 'platform'>): boolean {
  const { delimiter, join } = platform === 'win32' ? win32 : posix;
  const endings = platform === 'win32' ? ['.cmd', '.exe'] : [''];
  const folders = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));
  return folders.some((folder) => endings.some((ending) => existsSync(join(folder, `mayday${ending}`))));
}
