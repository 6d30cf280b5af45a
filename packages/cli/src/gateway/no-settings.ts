/** Why there are no settings to work with: wrong usage for most commands, and a finding for some. */
import { SettingsError } from '@mayday/gateway';
import { UsageError } from '../usage-error.ts';

/** Nothing was named that has settings. */
export class NothingNamed extends UsageError {}

/** The file that was named cannot be read, or says what cannot be. */
export class UnusableFile extends UsageError {
  /** What is wrong, without what it means for a command. */
  readonly problem: string;

  constructor(problem: string, message: string = problem) {
    super(message);
    this.problem = problem;
  }
}

/** What reading a file has thrown, told; what is a mistake of ours stays as it is. */
export function unusable(error: unknown, path: string): unknown {
  if (error instanceof SettingsError)
    return new UnusableFile(error.message, `the configuration cannot be used\n${error.message}`);
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new UnusableFile(`${path} cannot be read (${code}); check the path`);
}
