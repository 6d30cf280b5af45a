/** What the operator is told of mistakes: of ours, and of dialects that somebody else wrote. */

import { redact } from '@mayday/core/redact';
import { setLast } from '@mayday/policy';

import { DialectThrew } from './call/say.ts';

/** A dialect that throws does so with every answer, and any caller can ask for it; a store that is down is met by every call. */
const PAUSE_MS = 60_000;
/** So many different things are told apart. */
const MAX_TOLD = 1000;

/** Tells what went wrong. What a dialect does, or a store says, again and again is told once a minute. */
export function createOnBug(
  log: (line: string) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  // In the order in which it was told.
  const toldAt = new Map<string, number>();
  return (error) => {
    const what = repeated(error);
    if (what !== undefined) {
      if (now() - (toldAt.get(what) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
      setLast(toldAt, what, now(), MAX_TOLD);
    }
    log(wrongWith(error));
  };
}

/** What tells something that happens again and again from everything else; `undefined` where it is told every time. */
function repeated(error: unknown): string | undefined {
  if (error instanceof DialectThrew) return `dialect ${error.dialect} ${error.after}`;
  return isOfStore(error) ? `store ${error.message}` : undefined;
}

function isOfStore(error: unknown): error is Error {
  return error instanceof Error && error.name === 'StoreError';
}

/** A store that is down is nobody's mistake here, and what it says holds no secrets. */
function wrongWith(error: unknown): string {
  if (error instanceof DialectThrew) {
    const { cause } = error;
    const what =
      cause instanceof Error ? `${cause.name}: ${cause.message} at ${frameOf(cause)}` : typeof cause;
    return `dialect=${error.dialect} threw, ${error.after}: ${redact(what).value}`;
  }
  if (isOfStore(error)) return `store: ${error.message}`;
  return error instanceof Error ? `bug: ${error.name} ${frameOf(error)}` : `bug: ${typeof error}`;
}

/** Where in the code it happened, ours or a dialect's; the message may hold anything. Some loaders have a query behind the name. */
function frameOf(error: Error): string {
  const [, file = '', line = ''] =
    /at .*?([^/\\]+\.[cm]?[jt]s)(?:\?[^:\s]*)?(:\d+)/.exec(error.stack ?? '') ?? [];
  return file + line;
}
