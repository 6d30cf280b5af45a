/** The exit statuses, which scripts branch on. */
export const EXIT = {
  done: 0,
  /** The answer is negative: a check failed, nothing is known. */
  negative: 1,
  usage: 2,
  /** A bug of ours; the number is `EX_SOFTWARE` of sysexits. */
  bug: 70,
} as const;

/** One of the exit statuses. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
