/** The packages as a user has them: packed, installed in an empty folder, run on the Node versions they name. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root: string = join(import.meta.dirname, '../..');

/** What a tarball holds. */
export interface Packed {
  readonly name: string;
  readonly files: readonly string[];
}

/** Packs all packages into a folder. */
export async function pack(folder: string): Promise<readonly Packed[]> {
  const packages = (await readdir(join(root, 'packages'))).map((name) => join('packages', name));
  const args = ['pack', '--json', '--pack-destination', folder, ...packages.flatMap((name) => ['-w', name])];
  const { stdout } = await npm(root, args);
  const packed = JSON.parse(stdout) as readonly {
    readonly name: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  return packed.map(({ name, files }) => ({ name, files: files.map(({ path }) => path) }));
}

/** Installs tarballs and names of packages in an empty folder. */
export async function install(folder: string, what: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npm(folder, ['install', '--prefer-offline', '--no-audit', '--no-fund', ...what]);
}

/** The package of Node itself for this machine. */
export function nodeOf(name: string, version: string): string {
  return `${name}@npm:node-${process.platform}-${process.arch}@${version}`;
}

function npm(cwd: string, args: readonly string[]): Promise<{ readonly stdout: string }> {
  return run('npm', args, { cwd, maxBuffer: 64 << 20 });
}
