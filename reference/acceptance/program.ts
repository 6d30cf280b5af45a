import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterFile } from '../../test/after-file.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const scripts: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;

/** How long a hook or a test that starts programs may take on a busy machine, in milliseconds. */
export const SLOW = 60_000;

/** Modules to load before a program: one in which waits and time limits pass at once, one in which it is later. */
export const FAST_CLOCK: string = fileURLToPath(new URL('fast-clock.ts', import.meta.url));
export const CLOCK_SHIFT: string = fileURLToPath(new URL('clock-shift.ts', import.meta.url));

/** A program of this repository, as a user starts it, and what it has said. */
export interface Program {
  readonly child: ChildProcess;
  /** Everything it wrote to standard error so far. */
  errors(): string;
  /** The memory that it holds, in bytes. */
  memory(): number;
  /** Ends it, and gives its exit status once it is gone. */
  stop(): Promise<number | null>;
}

/** How a program is started. */
export interface Surroundings {
  readonly env?: Record<string, string> | undefined;
  /** A module that is loaded before the program. */
  readonly preload?: string | undefined;
}

/** The arguments to Node that `npm run <script>` stands for, without the time that npm takes. */
export function scriptArguments(script: string): string[] {
  const [node, ...rest] = (scripts[script] ?? '').split(' ');
  if (node !== 'node') {
    throw new Error(`Expected the script ${script} in package.json to start Node`);
  }
  return rest;
}

/** Starts Node on this repository's root, with pipes to all three streams. */
export function startProgram(args: readonly string[], surroundings: Surroundings = {}): Program {
  const preload = surroundings.preload === undefined ? [] : ['--import', surroundings.preload];
  const child = spawn(process.execPath, [...preload, ...args], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1', ...surroundings.env },
    stdio: 'pipe',
  });
  // A test that fails before it can stop what it started leaves nothing behind.
  afterFile(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  return {
    child,
    errors: () => stripVTControlCharacters(said),
    memory: () => residentBytes(child.pid),
    stop: async () => {
      child.kill();
      const late = setTimeout(() => child.kill('SIGKILL'), 3000);
      const status = await gone;
      clearTimeout(late);
      return status;
    },
  };
}

function residentBytes(pid: number | undefined): number {
  const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
  return Number(pages) * 4096;
}

/** What a program that ends by itself has said. */
export interface Said {
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

/** Runs a program to its end. */
export async function runProgram(
  args: readonly string[],
  options: Surroundings & { readonly input?: string | Buffer | undefined; readonly timeoutMs?: number } = {},
): Promise<Said> {
  const program = startProgram(args, options);
  const { stdin, stdout } = program.child;
  const late = setTimeout(() => program.child.kill('SIGKILL'), options.timeoutMs ?? 15_000);
  const closed = new Promise<number | null>((resolve) => {
    program.child.once('close', (status) => resolve(status));
  });
  stdin?.on('error', () => undefined);
  stdin?.end(options.input ?? '');
  const out: Buffer[] = [];
  for await (const chunk of stdout ?? []) {
    out.push(chunk);
  }
  const status = await closed;
  clearTimeout(late);
  return { status, out: Buffer.concat(out).toString('utf8'), errors: program.errors() };
}

/** A folder that nobody has used, and a way to remove it. */
export function freshFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'acceptance-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Waits until somebody listens on a port, for ten seconds at most. */
export async function listening(port: number, program: Program): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (program.child.exitCode !== null) {
      throw new Error(`It ended before it listened: ${program.errors()}`);
    }
    if (await accepts(port)) {
      return;
    }
    await pause(25);
  }
  throw new Error(`Nobody listens on ${port}: ${program.errors()}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
