import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterFile } from '../../../test/after-file.ts';
import { bundleOf } from '../../../test/reference-bundles.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A folder of the test's own. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-reference-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What starts a reference server on this machine. */
export interface Command {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
}

/** The command that starts a reference server. */
export function command(name: string, flags: readonly string[] = []): Command {
  const main = bundleOf(name) ?? join(ROOT, 'reference', name, 'src', 'main.ts');
  return { command: process.execPath, args: [main, ...flags], cwd: ROOT };
}

/** A server that runs in a process of its own and listens. */
export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything it has logged so far. */
  log(): string;
  /** Ends it, by default as the operating system does when it runs out of memory. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a reference server over HTTP on any free port; it ends with the tests. */
export async function start(
  name: string,
  flags: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<Running> {
  const { command: file, args, cwd } = command(name, ['--http', '0', ...flags]);
  const child = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  afterFile(() => kill());
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${name} ended at once:\n${lines.join('\n')}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      const listening = /Listening on (http:\/\/[\w.:]+)/.exec(line)?.[1];
      if (listening !== undefined) resolve(listening);
    });
  });
  return { url, child, log: () => lines.join('\n'), kill };
}
