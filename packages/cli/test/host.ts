/**
 * A process that runs one command line after the other, each in its own folder, with its own environment and streams:
 * starting a process for each takes far longer than what the commands do. `mayday.ts` says which may be run here.
 */
import process from 'node:process';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { processIo } from '../src/io/io.ts';
import { run } from '../src/run.ts';

/** One command line. */
export interface Asked {
  readonly id: number;
  readonly program: string;
  readonly args: readonly string[];
  /** In Base64, for it may be any bytes. */
  readonly input: string;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
}

/** What it left behind. */
export interface Told {
  readonly id: number;
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function hosted({ id, program, args, input, cwd, env }: Asked): Promise<Told> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const stdin = Readable.from([Buffer.from(input, 'base64')]);
  const exit = (code: number): never => {
    throw new Error(`Expected a command that returns, not one that exits (${code})`);
  };
  process.chdir(cwd);
  // One by one: the home of the user is asked of the environment that the process really has.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv[1] = program;
  const streams = { stdin, stdout, stderr, env: process.env, exit } as unknown;
  const code = await run([...args], processIo(streams as Parameters<typeof processIo>[0]));
  stdout.end();
  stderr.end();
  const [out, err] = await said;
  return { id, code, out, err };
}

let before: Promise<unknown> = Promise.resolve();
process.once('disconnect', () => process.exit());
process.on('message', (asked: Asked) => {
  before = before.then(async () => process.send?.(await hosted(asked)));
});
