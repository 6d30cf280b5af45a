/** Wrong usage of the command line: ends with exit status 2 and its sentence, never with a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
