/** How much of the gateway's memory callers hold with requests that are not answered yet. */

/** What one request holds. */
interface Holding {
  /** It turned out to be this large. */
  resize(bytes: number): void;
  release(): void;
}

/** What callers hold, by their id. */
export interface Holdings {
  /** Takes room for a request; `undefined` when its caller holds too much already. */
  take(caller: string, bytes: number, limit: number): Holding | undefined;
}

/** Beside its body, a request that waits costs about this much. */
const OVERHEAD = 16 * 1024;

/** Nobody holds anything yet. */
export function createHoldings(): Holdings {
  const held = new Map<string, number>();
  return {
    take(caller, bytes, limit) {
      const before = held.get(caller) ?? 0;
      // A single request that is allowed at all is let in, whatever the limit.
      if (before > 0 && before + bytes + OVERHEAD > limit) return undefined;
      let own = bytes + OVERHEAD;
      held.set(caller, before + own);
      const add = (more: number): void => {
        held.set(caller, (held.get(caller) ?? 0) + more);
        own += more;
      };
      return { resize: (size) => add(size + OVERHEAD - own), release: () => add(-own) };
    },
  };
}
