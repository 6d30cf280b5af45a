/** A home for `mayday import`, and the files of clients in it. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach } from 'vitest';
import { type Outcome, mayday as run } from './mayday.ts';

export let home: string;
export let work: string;

/** Every test of a file has a home of its own, and a folder in it to work in. */
export function withHome(): void {
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'mayday-home-')));
    work = join(home, 'work');
    mkdirSync(work);
  });
}

/** Runs the command line in the folder of this test, with a home of its own. */
export function mayday(args: readonly string[]): Promise<Outcome> {
  return run(args, '', { cwd: work, env: { HOME: home } });
}

export function write(path: string, text: string | Uint8Array, mode = 0o644): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

export const SECRET = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
export const CURSOR = JSON.stringify({
  mcpServers: {
    github: { command: 'npx', args: ['server-github', '--pass', 'hunter2'], env: { TOKEN: SECRET } },
  },
});

export function servers(names: readonly string[], arg: string): string {
  return JSON.stringify({
    mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'node', args: [arg, name] }])),
  });
}
