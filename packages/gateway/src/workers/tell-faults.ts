/** A worker tells the process that holds the port what has failed: whoever is killed cannot be asked any more. */
import type { FaultLog } from '../faults/fault-log.ts';
import type { Crew } from './crew.ts';

const TELL_EVERY_MS = 100;
/** What is told is redacted first: in a flood of failures calls must go on beside it. */
const AT_ONCE = 25;

/** Tells from now on; what is left, at the end. */
export function tellFaults(
  log: Pick<FaultLog, 'total' | 'keep' | 'after'>,
  crew: Pick<Crew, 'tellFailed'>,
): { close(): void } {
  let counted = 0;
  let place = 0;
  const isBehind = (): boolean => counted < log.total || place < log.total;
  const tell = (): void => {
    if (!isBehind()) return;
    const { entries, place: next } = log.after(place, AT_ONCE);
    crew.tellFailed({ count: log.total - counted, keep: log.keep, entries });
    counted = log.total;
    place = next;
  };
  const timer = setInterval(tell, TELL_EVERY_MS).unref();
  return {
    close() {
      clearInterval(timer);
      while (isBehind()) tell();
    },
  };
}
