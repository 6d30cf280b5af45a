/** What a command may touch of the world: three streams and whether anybody watches. */

/** The world of a command. */
export interface Io {
  readonly input: AsyncIterable<Uint8Array>;
  /** True when a person would have to type the input. */
  readonly inputIsTerminal: boolean;
  /** Resolves when the reader can take more. */
  write(text: string): Promise<void>;
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
  const { stdin, stdout, stderr, env } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  stderr.on('error', () => {
    // Nobody reads the notes; the answer still counts.
  });
  return {
    input: stdin,
    inputIsTerminal: stdin.isTTY === true,
    colours: stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    columns: Math.max(MIN_COLUMNS, Math.min(stdout.columns ?? MAX_COLUMNS, MAX_COLUMNS)),
    note: (text) => {
      stderr.write(`${text}\n`);
    },
    write: (text) =>
      new Promise((resolve) => {
        if (stdout.write(text)) resolve();
        else stdout.once('drain', resolve);
      }),
  };
}
