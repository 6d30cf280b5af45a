/** Tells the bench, when asked, what this process has used. */

/** What a process has used. */
export interface Usage {
  /** Resident memory in megabytes. */
  readonly rssMb: number;
  /** Processor time in microseconds. */
  readonly cpuUs: number;
}

/** Answers the questions of the process that started this one. */
export function reportUsage(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const usage: Usage = { rssMb: process.memoryUsage().rss / 1024 / 1024, cpuUs: user + system };
    process.send?.(usage);
  });
}
