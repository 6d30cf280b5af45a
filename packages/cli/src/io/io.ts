/** What a command may touch of the world: three streams and whether anybody watches. */
import { EXIT } from '../exit-code.ts';
import { UsageError } from '../usage-error.ts';

/** The world of a command. */
export interface Io {
  readonly input: AsyncIterable<Uint8Array>;
  /** True when a person would have to type the input. */
  readonly inputIsTerminal: boolean;
  /** Resolves when the reader can take more. */
  write(text: string): Promise<void>;
  /** What is done from now on is not what is written: whoever serves ends by itself where nobody reads that. */
  serve(): void;
  /** For notes beside the answer. */
  note(text: string): void;
  readonly colours: boolean;
  /** How wide a line of prose may be. */
  readonly columns: number;
}

/** The streams of a process, as far as they are used. */
interface Process {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  exit(code: number): never;
}

const MIN_COLUMNS = 40;
const MAX_COLUMNS = 100;

/** The world of the running process. A reader that went away (`| head -1`) ends it quietly. */
export function processIo(process: Process): Io {
  const { stdout, env } = process;
  let isNoting = false;
  let isServing = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isServing) return;
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    process.stderr.write(`mayday: the answer cannot be written (${error.code}); check where it goes\n`);
    process.exit(EXIT.usage);
  });
  return {
    // Opening a stream takes milliseconds, so those that a command does not need stay closed.
    get input() {
      return readable(process.stdin);
    },
    get inputIsTerminal() {
      return process.stdin.isTTY === true;
    },
    colours: stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    columns: Math.max(MIN_COLUMNS, Math.min(stdout.columns ?? MAX_COLUMNS, MAX_COLUMNS)),
    serve: () => {
      isServing = true;
    },
    note: (text) => {
      // Nobody reads the notes; the answer still counts. One listener is enough for all of them.
      if (!isNoting) process.stderr.on('error', () => undefined);
      isNoting = true;
      process.stderr.write(`${text}\n`);
    },
    write: (text) =>
      new Promise((resolve) => {
        // Also called where it cannot be written.
        if (stdout.write(text, () => resolve())) resolve();
      }),
  };
}

/** Standard input that cannot be read is no bug of ours. */
async function* readable(stdin: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* stdin;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new UsageError(`standard input cannot be read (${code}); pipe a message into it`);
  }
}
