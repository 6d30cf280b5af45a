/** Nothing thrown while one message is handled reaches another. */

/** Runs what may throw; a throw is told and ends here. */
export function barrier(run: () => void, onThrow: (what: string) => void): void {
  try {
    run();
  } catch (error) {
    // The name alone: the text may hold whatever was being handled.
    onThrow(error instanceof Error ? error.name : typeof error);
  }
}
