/** Starts the programs of the bench and stops them again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createConnection } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Usage } from './usage.ts';

const running: ChildProcess[] = [];

/** Starts a TypeScript file of this folder and waits until it says that it is ready. */
export async function startScript(file: string, ...args: string[]): Promise<ChildProcess> {
  const path = fileURLToPath(new URL(`./${file}`, import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', '--conditions=@mayday/source', path, ...args], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  running.push(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return child;
}

/** Starts any program and waits until its port is open. */
export async function startProgram(
  port: number,
  command: string,
  args: readonly string[],
): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  running.push(child);
  await untilOpen(port);
  return child;
}

async function untilOpen(port: number): Promise<void> {
  const until = Date.now() + 20_000;
  while (Date.now() < until) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** Stops everything that was started here. */
export function stopAll(): void {
  for (const child of running) {
    if (child.exitCode !== null || child.pid === undefined) continue;
    try {
      process.kill(child.spawnargs.length > 0 && !child.connected ? -child.pid : child.pid, 'SIGTERM');
    } catch {
      child.kill('SIGKILL'); // it has no group of its own
    }
  }
}

/** What a started script has used so far. */
export function usageOf(child: ChildProcess, after: 'now' | 'collection' = 'now'): Promise<Usage> {
  return new Promise((resolve) => {
    child.once('message', (usage: Usage) => resolve(usage));
    child.send(after);
  });
}
