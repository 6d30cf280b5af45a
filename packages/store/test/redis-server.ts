/** A Redis of the tests' own, on a free port and in a folder of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/free-port.ts';

/** A package of the system, not of npm. */
export const SERVER = 'redis-server';

/** Is there a server to start? */
export const hasRedis: boolean = spawnSync(SERVER, ['--version']).status === 0;

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Tells it something, past every store. */
  tell(...parts: string[]): Promise<string>;
  /** Stops or continues it, without a word to anybody. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Starts it again after it was killed, on what it had written. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one that writes everything through to its disk. */
export async function startRedis(...more: string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-redis-'));
  const port = await freePort();
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const args = [...fixed, '--appendonly', 'yes', '--appendfsync', 'always', ...more];
  let child = await start(args, port);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    tell: (...parts) => tell(port, parts),
    signal: (signal) => void child.kill(signal),
    async restart() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      child = await start(args, port);
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true });
    },
  };
}

async function start(args: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn(SERVER, args, { stdio: 'ignore' });
  while (!(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  return child;
}

async function tell(port: number, parts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const sized = parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
  socket.write(`*${parts.length}\r\n${sized.join('')}`);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    // Without a password it says PONG, with one that it wants it; while it loads it says so.
    socket.once('data', (data) => {
      socket.destroy();
      resolve(/PONG|NOAUTH/.test(String(data)));
    });
    socket.once('error', () => resolve(false));
  });
}
