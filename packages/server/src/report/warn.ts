/** What goes wrong where no log is asked: told on standard error, which others may read, so without secrets. */
import process from 'node:process';
import { type RedactOptions, redact } from '@mayday/core/redact';
import { clip } from '../words/clip.ts';

/** Longer ones are cut: whoever reads standard error has other things to read there. */
const LONGEST = 8000;

/** Warns of something, whatever it is. `hiding`: what else is not to be told. */
export function warn(what: string, reason: unknown, hiding?: Pick<RedactOptions, 'hide'>): void {
  const safely = <T>(said: T): T => redact(said, { ...hiding, level: 'secrets' }).value;
  try {
    process.emitWarning(`${what}: ${clip(wordsOf(reason, safely), LONGEST, safely)}`, 'MaydayWarning');
  } catch {
    // a listener that throws
  }
}

/** What can be said of it; anything may throw while it is looked at. */
function wordsOf(reason: unknown, safely: (value: unknown) => unknown): string {
  const looks = [
    () => (reason instanceof Error ? reason.stack : undefined),
    () => (reason instanceof Error ? `${reason.name}: ${reason.message}` : undefined),
    () => String(reason),
    () => JSON.stringify(safely(reason)),
  ];
  for (const look of looks) {
    const said = unlessThrown(look);
    if (typeof said === 'string' && !SAYS_NOTHING.test(said)) return said;
  }
  return 'something that cannot be printed';
}

function unlessThrown<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

const SAYS_NOTHING = /^(?:\[object \w{1,40}\]|\{\}|"\[unreadable:1\]"|)$/;
