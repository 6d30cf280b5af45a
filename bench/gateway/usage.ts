/** Tells the bench, when asked, what this process has used. */

/** What a process has used. */
export interface Usage {
  /** What is still referred to, in megabytes, after a collection where one can be asked for. */
  readonly heapMb: number;
  /** Resident memory in megabytes. */
  readonly rssMb: number;
  /** Processor time in microseconds. */
  readonly cpuUs: number;
}

/** Answers the questions of the process that started this one. */
export function reportUsage(): void {
  process.on('message', (after) => {
    const { user, system } = process.cpuUsage();
    // A collection throws away what the compiler has learned: it would slow down whatever is measured next.
    if (after === 'collection') globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    const usage: Usage = {
      heapMb: (heapUsed + external) / 1024 / 1024,
      rssMb: rss / 1024 / 1024,
      cpuUs: user + system,
    };
    process.send?.(usage);
  });
}
