/** Runs the command line: as it is built, in a process of its own, or in one that runs several, where it makes no difference. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterFile } from '../../../test/after-file.ts';
import { COMPILE_CACHE } from '../../../test/compile-cache.ts';
import type { Asked, Told } from './host.ts';

const main = fileURLToPath(new URL('../bin/mayday.js', import.meta.url));
const HOST = fileURLToPath(new URL('host.ts', import.meta.url));

/** What Node is given to run it; `npm run build` makes it. */
export const PROGRAM: readonly string[] = [main];

/** What a run left behind. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Where a run happens. */
export interface Surroundings {
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
}

/** Starts the command line; the caller feeds and reads it. */
export function start(
  args: readonly string[],
  { cwd, env = {} }: Surroundings = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...env },
  });
}

/** Commands that do one thing and return: what they do is the same in a process that has run others before. */
const HOSTED: readonly string[] = [
  'read',
  'translate',
  'explain',
  'redact',
  'catalog',
  'import',
  'keys',
  'credentials',
  'approvals',
  'audit',
  'faults',
  'doctor',
];

/** Runs the command line with a whole input and waits for its end. */
export function mayday(
  args: readonly string[],
  input: string | Uint8Array = '',
  surroundings: Surroundings = {},
): Promise<Outcome> {
  const isHosted = HOSTED.includes(args[0] ?? '') && !args.includes('--with');
  return isHosted ? inHost(args, input, surroundings) : inProcess(args, input, surroundings);
}

/** For every test file that this process runs; it ends with it. */
let host: ChildProcess | undefined;
let asked = 0;

function openHost(): ChildProcess {
  const started = fork(HOST, {
    execArgv: ['--conditions=@mayday/source', '--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE },
  });
  started.setMaxListeners(0);
  started.once('exit', () => {
    host = undefined;
  });
  // Nobody waits for it who does not wait for an answer.
  started.unref();
  started.channel?.unref();
  return started;
}

function inHost(
  args: readonly string[],
  input: string | Uint8Array,
  { cwd = process.cwd(), env = {} }: Surroundings,
): Promise<Outcome> {
  host ??= openHost();
  asked += 1;
  const [child, id] = [host, asked];
  const question: Asked = {
    id,
    program: main,
    args,
    input: Buffer.from(input).toString('base64'),
    cwd,
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...env },
  };
  return new Promise((resolve, reject) => {
    let isOver = false;
    const lose = (): void => reject(new Error('Expected the host of commands to be there'));
    const hear = (told: Told): void => {
      if (told.id !== id) return;
      isOver = true;
      child.off('message', hear).off('exit', lose);
      resolve({ code: told.code, out: told.out, err: told.err });
    };
    child.on('message', hear).once('exit', lose);
    // What is not over when its file is would keep those after it waiting.
    afterFile(() => isOver || child.kill('SIGKILL'));
    child.send(question);
  });
}

/** The same in a process of its own, as it is built. */
export function inProcess(
  args: readonly string[],
  input: string | Uint8Array,
  surroundings: Surroundings = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = start(args, surroundings);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {
      // A run that ends before it has read everything is no failure of the test.
    });
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
    });
    child.stdin.end(input);
  });
}

/** The answer of a run, parsed. */
export async function answer(args: readonly string[], input: unknown): Promise<unknown> {
  const { out } = await mayday(args, typeof input === 'string' ? input : JSON.stringify(input));
  return JSON.parse(out) as unknown;
}
