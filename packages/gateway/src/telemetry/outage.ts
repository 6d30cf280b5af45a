/** A collector that cannot be reached is told once, however many batches it does not take, and so is that it is back. */

/** Whether telemetry gets through. */
export interface Outage {
  /** It does not, and this was lost for it. */
  failed(signal: string, why: string, lost: number): void;
  /** It does. */
  passed(signal: string): void;
  /** Something was lost for another reason: there was too much of it. */
  lost(signal: string, count: number): void;
  /** What is wrong now, and since when. */
  readonly trouble: { readonly message: string; readonly since: number } | undefined;
}

/** Watches all signals together. */
export function createOutage(log: (line: string) => void, now: () => number = Date.now): Outage {
  const failing = new Set<string>();
  let trouble: { readonly message: string; readonly since: number } | undefined;
  let lostMeanwhile = 0;
  return {
    failed(signal, why, lost) {
      failing.add(signal);
      lostMeanwhile += lost;
      if (trouble !== undefined) return;
      trouble = { message: why, since: now() };
      log(`telemetry: ${why}; calls are not held up, and what cannot be kept is lost`);
    },
    passed(signal) {
      failing.delete(signal);
      if (trouble === undefined || failing.size > 0) return;
      trouble = undefined;
      log(`telemetry: the collector takes it again; ${lostMeanwhile} spans or collections were lost`);
      lostMeanwhile = 0;
    },
    lost(signal, count) {
      if (failing.has(signal)) lostMeanwhile += count;
    },
    get trouble() {
      return trouble;
    },
  };
}
