/** The gateway as users run it: a process of its own, a configuration file, HTTP on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../scripts/free-port.ts';

const BIN = fileURLToPath(new URL('../../../cli/bin/mayday.js', import.meta.url));
const START_MS = 15_000;

/** A running gateway. */
export interface Gateway {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The folder of its configuration file. */
  readonly folder: string;
  /** Resolves with the exit code or the signal once the process is gone. */
  readonly gone: Promise<number | string>;
  alive(): boolean;
  /** What it wrote on standard output and standard error so far. */
  log(): string;
  /** Resident memory in MiB. */
  memory(): number;
  /** Writes the configuration file anew. */
  rewrite(settings: object): void;
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

/** What a gateway that would not start left behind. */
export interface Refusal {
  readonly code: number | string;
  readonly log: string;
}

/** How the process is started. */
export interface StartOptions {
  readonly env?: Record<string, string> | undefined;
  readonly folder?: string | undefined;
  /** What else the command line says, such as `--workers 2`. */
  readonly args?: readonly string[] | undefined;
  /** Modules loaded into the process before the program. */
  readonly preload?: readonly string[] | undefined;
  /** Sees the log instead of having it kept: for runs that write more than memory holds. */
  readonly onLog?: ((text: string) => void) | undefined;
}

/** A folder of its own for one test file. */
export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'mayday-acceptance-'));
}

/** Starts a gateway with these settings and waits until it answers. */
export async function startGateway(settings: object, options: StartOptions = {}): Promise<Gateway> {
  const port = await freePort();
  const folder = options.folder ?? scratch();
  const file = join(folder, 'mayday.yaml');
  const write = (next: object): void => writeFileSync(file, configuration(next, port));
  write(settings);
  const child = launch(file, options);
  const log = collect(child, options.onLog);
  const gone = ended(child);
  const url = `http://127.0.0.1:${port}`;
  await started(url, child, log);
  return {
    url,
    port,
    pid: child.pid ?? 0,
    folder,
    gone,
    alive: () => child.exitCode === null && child.signalCode === null,
    log: () => log.join(''),
    memory: () => resident(child.pid ?? 0),
    rewrite: write,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), signal === 'SIGTERM' ? 8000 : 0);
      const code = await gone;
      clearTimeout(late);
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** Runs a gateway that is expected to refuse its configuration; a gateway that starts after all is an error. */
export async function refusedGateway(text: string, within = 10_000): Promise<Refusal> {
  const folder = scratch();
  const file = join(folder, 'mayday.yaml');
  writeFileSync(file, text);
  const child = launch(file, {});
  const log = collect(child);
  const late = setTimeout(() => child.kill('SIGKILL'), within);
  const code = await Promise.race([ended(child), listening(child).then(() => 'started')]);
  clearTimeout(late);
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  return { code, log: log.join('') };
}

function configuration(settings: object, port: number): string {
  const listen = (settings as { listen?: object }).listen ?? {};
  return JSON.stringify({ ...settings, listen: { port, ...listen } }, null, 2);
}

function launch(file: string, options: StartOptions): ChildProcess {
  const imports = (options.preload ?? []).flatMap((module) => ['--import', module]);
  return spawn(process.execPath, [...imports, BIN, 'gateway', '--config', file, ...(options.args ?? [])], {
    env: { ...process.env, NODE_OPTIONS: '', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function collect(child: ChildProcess, onLog?: (text: string) => void): string[] {
  const log: string[] = [];
  const keep = onLog ?? ((text: string) => void log.push(text));
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  return log;
}

function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')));
}

/** Resolves once it says that it listens; never, where it does not. */
function listening(child: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve) => {
    child.stdout?.on('data', function hear(text: string) {
      said += text;
      if (!/listening/i.test(said)) return;
      child.stdout?.off('data', hear);
      resolve();
    });
  });
}

async function started(url: string, child: ChildProcess, log: readonly string[]): Promise<void> {
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const isUp = await Promise.race([listening(child).then(() => true), ended(child).then(() => false)]);
  clearTimeout(late);
  if (!isUp) throw new Error(`the gateway did not start:\n${log.join('')}`);
  await fetch(`${url}/-/health`); // and has begun to watch its file
}

function resident(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}
