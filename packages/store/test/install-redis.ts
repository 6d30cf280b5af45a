/** Puts a Redis beside the tests where it can, and says plainly where it cannot. */
import { spawnSync } from 'node:child_process';
import { SERVER } from './redis-server.ts';

const INSTALLER = 'apt-get';

export function setup(): void {
  const isThere = (): boolean => spawnSync(SERVER, ['--version']).status === 0;
  if (isThere()) return;
  const canInstall = process.getuid?.() === 0 && spawnSync(INSTALLER, ['--version']).status === 0;
  if (canInstall) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync(INSTALLER, ['update'], { env });
    spawnSync(INSTALLER, ['install', '--yes', '--no-install-recommends', SERVER], { env });
  }
  if (isThere()) return;
  const why = canInstall ? 'apt-get could not install it' : 'installing it needs root and apt-get';
  console.warn(`The tests of the store on Redis are skipped: there is no redis-server, and ${why}.`);
}
