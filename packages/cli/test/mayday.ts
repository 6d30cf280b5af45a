/** Runs the real command line, as it is built, in a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../../test/compile-cache.ts';

const main = fileURLToPath(new URL('../bin/mayday.js', import.meta.url));

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

/** Runs the command line with a whole input and waits for its end. */
export function mayday(
  args: readonly string[],
  input: string | Uint8Array = '',
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
