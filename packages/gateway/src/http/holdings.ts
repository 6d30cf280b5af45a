/** How much of the gateway's memory callers hold: requests that are not answered yet, and answers that they do not read. */

/** What one request holds. */
interface Holding {
  /** It turned out to be this large. */
  resize(bytes: number): void;
  /** So much of its answer waits for its reader. */
  unread(bytes: number): void;
  release(): void;
}

/** What callers hold, by their id. */
export interface Holdings {
  /**
   * Takes room for a request; `undefined` when its caller holds too much already. Answers that come all the same are
   * given, and the one that has waited longest for its reader is cut in their place.
   */
  take(caller: string, bytes: number, limit: number, cut: () => void): Holding | undefined;
}

/** Beside its body, a request that waits costs about this much. */
const OVERHEAD = 16 * 1024;

/** What one caller holds. */
interface Share {
  bytes: number;
  /** Answers that wait for their reader, the oldest first. */
  readonly behind: Map<object, () => void>;
}

/** Nobody holds anything yet. */
export function createHoldings(): Holdings {
  const shares = new Map<string, Share>();
  return {
    take(caller, bytes, limit, cut) {
      const share = shares.get(caller) ?? { bytes: 0, behind: new Map() };
      // A single request that is allowed at all is let in, whatever the limit.
      if (share.bytes > 0 && share.bytes + bytes + OVERHEAD > limit) return undefined;
      shares.set(caller, share);
      let asked = 0;
      let waiting = 0;
      let isReleased = false;
      const hold = (request: number, answer: number): void => {
        share.bytes += request + answer - asked - waiting;
        asked = request;
        waiting = answer;
      };
      const holding: Holding = {
        resize(size) {
          if (!isReleased) hold(size + OVERHEAD, waiting);
        },
        unread(size) {
          if (isReleased) return;
          const isBehind = size > OVERHEAD;
          hold(asked, isBehind ? size : 0);
          if (!isBehind) share.behind.delete(holding);
          else if (!share.behind.has(holding)) share.behind.set(holding, giveUp);
          // A single answer that is allowed at all is given, whatever the limit.
          while (share.bytes > limit && share.behind.size > 1) share.behind.values().next().value?.();
        },
        release() {
          isReleased = true;
          hold(0, 0);
          share.behind.delete(holding);
          if (share.bytes === 0) shares.delete(caller);
        },
      };
      const giveUp = (): void => {
        holding.release();
        cut();
      };
      hold(bytes + OVERHEAD, 0);
      return holding;
    },
  };
}
