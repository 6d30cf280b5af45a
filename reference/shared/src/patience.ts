/** How long a document's client waits because a server asks it to. */
const DAY_MS = 86_400_000;

/** A timer. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * What to add to the last failure where a wait is longer than a day, and nothing where it is not. Nobody sits in front of
 * a call for that long, and a timer that is given a month ends at once.
 */
export function tooLong(ms: number | undefined): string {
  if (ms === undefined || ms <= DAY_MS) return '';
  return `\nThe server asks to wait ${Math.ceil(ms / DAY_MS).toLocaleString('en-US')} days: call again then.`;
}
