/**
 * The reference servers, each in one file of what it is made of: to find, strip and open the two hundred that they come in is
 * a third of what a start costs, and the tests start hundreds. That they run from their sources is shown by the commands, by
 * what is started six ways, and by all that is started with a clock of its own.
 */
import { existsSync, globSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Names the folder they are in; where it is not set, nothing is bundled. */
const FOLDER = 'MAYDAY_REFERENCE_BUNDLES';

/** What the processes that run the tests are told. */
export const REFERENCE_BUNDLES: { readonly [FOLDER]: string } = {
  [FOLDER]: join(ROOT, 'node_modules/.cache/mayday-references'),
};

/** The file that a reference server is started from, if it is in one. */
export function bundleOf(name: string): string | undefined {
  const folder = process.env[FOLDER];
  const file = join(folder ?? '', `${name}.js`);
  return folder !== undefined && existsSync(file) ? file : undefined;
}

/** Before the first test. */
export async function setup(): Promise<void> {
  const folder = REFERENCE_BUNDLES[FOLDER];
  rmSync(folder, { recursive: true, force: true });
  const mains = globSync('reference/*/src/main.ts', { cwd: ROOT });
  await build({
    input: Object.fromEntries(mains.map((main) => [basename(dirname(dirname(main))), join(ROOT, main)])),
    platform: 'node',
    output: { dir: folder, format: 'esm' },
  });
}
