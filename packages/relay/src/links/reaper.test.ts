import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

const PROCESS = new URL('./stdio-process.ts', import.meta.url).href;

/** A relay that starts a server which never ends by itself, and tells both process ids. */
const RELAY = `
  const { StdioProcess } = await import(${JSON.stringify(PROCESS)});
  const server = new StdioProcess({
    command: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    maxMessageBytes: 1000,
    onMessage: () => {}, onTooLong: () => {}, onExit: () => {},
  });
  console.log(server.pid);
  setInterval(() => {}, 1000);
`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it.skipIf(process.platform === 'win32')('leaves no server behind when the relay is killed', async () => {
  const relay = spawn(process.execPath, ['--conditions=@mayday/source', '--input-type=module', '-e', RELAY], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise<number>((resolve) => {
    createInterface({ input: relay.stdout }).once('line', (line) => resolve(Number(line)));
  });
  expect(isAlive(pid)).toBe(true);
  relay.kill('SIGKILL');
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
});
