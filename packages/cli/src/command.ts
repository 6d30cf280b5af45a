/** A command: its help and what it does. */
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io/io.ts';

/** One command of the command line. */
export interface Command {
  readonly help: string;
  run(words: readonly string[], io: Io): Promise<ExitCode>;
}
