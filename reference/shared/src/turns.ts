/** So much at a time: what comes beyond waits for its turn, and its time limit begins with it. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Turns for so many at once, first come first served. */
export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
