/** Puts a browser beside the tests where it can, and says plainly where it cannot. */
import { spawnSync } from 'node:child_process';
import { browserPath } from './browser.ts';

const INSTALLER = 'apt-get';
const PACKAGE = 'chromium';

export function setup(): void {
  const isThere = (): boolean => browserPath() !== undefined;
  if (isThere()) return;
  const canInstall = process.getuid?.() === 0 && spawnSync(INSTALLER, ['--version']).status === 0;
  if (canInstall) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync(INSTALLER, ['update'], { env });
    spawnSync(INSTALLER, ['install', '--yes', '--no-install-recommends', PACKAGE], { env });
  }
  if (isThere()) return;
  const why = canInstall ? 'apt-get could not install it' : 'installing it needs root and apt-get';
  console.warn(`The tests of the console in a browser are skipped: there is no chromium, and ${why}.`);
}
