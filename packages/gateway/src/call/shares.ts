/** What callers leave behind at one upstream: each has a share, and nobody loses what is theirs to another. */

/** Of one caller; of more, its oldest is ended. */
const MAX_OF_ONE = 100;
/** Of all callers. Beyond, whoever leaves another behind loses its own oldest, or that one. */
const MAX_OF_ALL = 1000;

/** Who has left what behind. */
export interface Shares {
  /** Takes one in; what it gives takes it out again. `end` is called when there is no room for it, or not any more. */
  add(owner: string, end: () => void): () => void;
}

/** Nobody has left anything behind yet. */
export function createShares(maxOfOne: number = MAX_OF_ONE, maxOfAll: number = MAX_OF_ALL): Shares {
  const held = new Map<string, Set<() => void>>();
  let size = 0;
  const remove = (owner: string, end: () => void): void => {
    const own = held.get(owner);
    if (own?.delete(end) !== true) return;
    size -= 1;
    if (own.size === 0) held.delete(owner);
  };
  return {
    add(owner, end) {
      const own = held.get(owner) ?? new Set();
      held.set(owner, own);
      own.add(end);
      size += 1;
      const [oldest = end] = own;
      if (own.size > maxOfOne || size > maxOfAll) {
        remove(owner, oldest);
        oldest();
      }
      return () => remove(owner, end);
    },
  };
}
