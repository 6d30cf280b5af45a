/**
 * What `deploy/compose.yaml` starts, without Docker: two gateways on one Valkey or Redis of this machine, until it is
 * stopped. `npm run two-gateways`, or `npm run two-gateways -- 7350 7360` for other ports.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { headOf } from '../bench/arguments.ts';
import { freePort } from './free-port.ts';

const PORTS = ['7350', '7360'];
const root = fileURLToPath(new URL('..', import.meta.url));

const asked = process.argv.slice(2);
const isPort = (word: string): boolean => /^\d{1,5}$/.test(word) && Number(word) <= 65_535;
if (!asked.every(isPort)) {
  const isHelp = asked.some((word) => word === '--help' || word === '-h');
  process[isHelp ? 'stdout' : 'stderr'].write(`${headOf(import.meta.url)}\n`);
  process.exit(isHelp ? 0 : 2);
}

const server = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);
if (server === undefined) {
  console.error('There is neither valkey-server nor redis-server here; install one of them.');
  process.exit(2);
}

const key = process.env['OPS_KEY'] ?? randomBytes(16).toString('hex');
const folder = mkdtempSync(join(tmpdir(), 'mayday-two-'));
const children: ChildProcess[] = [];
let isStopping = false;

/** Ends all of it, the store last: gateways write down what is left. */
async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const child of children.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

function begin(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  // In a group of its own: Ctrl-C is for this script, which ends them in their order.
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  children.push(child);
  child.once('exit', (code) => {
    if (isStopping) return;
    console.error(`${command} has ended (${code}); everything is stopped.`);
    void stop(1);
  });
  return child;
}

/** Waits until a process has written something like this; where it ends before, everything is stopped. */
function says(child: ChildProcess, what: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let text: string | undefined = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      if (text === undefined) return; // nobody waits for the rest, and nothing is held up by it
      text += chunk;
      const [found] = what.exec(text) ?? [];
      if (found === undefined) return;
      text = undefined;
      resolve(found);
    });
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

const port = await freePort();
const kept = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
const store = begin(server, ['--port', String(port), '--bind', '127.0.0.1', ...kept], process.env);
await says(store, /Ready to accept connections/i);

const env = { ...process.env, OPS_KEY: key, STORE_URL: `redis://127.0.0.1:${port}` };
const gateways = (asked.length === 0 ? PORTS : asked).map((at) => {
  const args = ['gateway', '--config', `${root}deploy/mayday.yaml`, '--port', at];
  return begin(process.execPath, [`${root}packages/cli/bin/mayday.js`, ...args], env);
});
const urls = await Promise.all(
  gateways.map((gateway) => says(gateway, /http:\/\/[\d.:]+(?=\/everything\/mcp)/)),
);
for (const url of urls) console.log(url);
console.log(`The key of the operator is ${key}. Stop it with Ctrl-C.`);
