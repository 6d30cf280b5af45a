/** What the operator is told of mistakes: of ours, and of dialects that somebody else wrote. */
import { redact } from '@mayday/core/redact';
import { DialectThrew } from './call/say.ts';

/** A dialect that throws does so with every answer, and any caller can ask for it. */
const PAUSE_MS = 60_000;

/** Tells what went wrong. What a dialect does again and again is told once a minute. */
export function createOnBug(
  log: (line: string) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  // By dialects and verbs, of which there are a few.
  const toldAt = new Map<string, number>();
  return (error) => {
    if (error instanceof DialectThrew) {
      const what = `${error.dialect} ${error.after}`;
      if (now() - (toldAt.get(what) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
      toldAt.set(what, now());
    }
    log(wrongWith(error));
  };
}

/** A store that is down is nobody's mistake here, and what it says holds no secrets. */
function wrongWith(error: unknown): string {
  if (error instanceof DialectThrew) {
    const { cause } = error;
    const what =
      cause instanceof Error ? `${cause.name}: ${cause.message} at ${frameOf(cause)}` : typeof cause;
    return `dialect=${error.dialect} threw, ${error.after}: ${redact(what).value}`;
  }
  if (!(error instanceof Error)) return `bug: ${typeof error}`;
  return error.name === 'StoreError' ? `store: ${error.message}` : `bug: ${error.name} ${frameOf(error)}`;
}

/** Where in our own code it happened; the message may hold anything. */
function frameOf(error: Error): string {
  return /at .*?([^/\\]+\.[jt]s:\d+)/.exec(error.stack ?? '')?.[1] ?? '';
}
