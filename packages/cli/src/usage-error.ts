/** Wrong usage of the command line: ends with exit status 2 and its sentence, never with a stack. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** Somebody who was asked does not answer, for the moment at least: ends with exit status 1. */
export class Unreachable extends UsageError {
  override readonly name = 'Unreachable';
}
