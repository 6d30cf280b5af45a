/** How long others wait for one upstream of many. */
import type { Part } from './part.ts';

/** How long somebody waits for an upstream. */
export interface Patience {
  /** This much of it is left. */
  readonly leftMs: number;
  /** This much it was: whoever has exceeded it once is known to be slow. */
  readonly wholeMs: number;
  /** Aborts when nobody waits any more, because the others have answered. */
  readonly enough?: AbortSignal | undefined;
}

/** One that has kept everybody waiting once is given a moment to have come back. */
const KNOWN_SLOW_MS = 50;

/** How long one is waited for that is asked by itself, while others could be asked instead. */
export function patienceWith(part: Part, wholeMs: number): Patience {
  return { leftMs: part.isSlow ? Math.min(KNOWN_SLOW_MS, wholeMs) : wholeMs, wholeMs };
}

/**
 * Asks all of them at once. Those that are known to be slow keep nobody waiting: once the others have answered, they
 * are given a moment. Where nobody answers, there is nobody to keep waiting, and all have their time.
 */
export function askTogether<T>(
  parts: readonly Part[],
  wholeMs: number,
  ask: (part: Part, patience: Patience) => Promise<T>,
  isAnswer: (answer: T) => boolean,
): Promise<readonly T[]> {
  const slow = new Set(parts.filter(({ isSlow }) => isSlow));
  const enough = new AbortController();
  let isAnswered = false;
  let awaited = parts.length - slow.size;
  return Promise.all(
    parts.map(async (part) => {
      const isSlow = slow.has(part);
      const patience = { leftMs: wholeMs, wholeMs, enough: isSlow ? enough.signal : undefined };
      const answer = await ask(part, patience);
      isAnswered ||= isAnswer(answer);
      if (!isSlow) awaited -= 1;
      if (isAnswered && awaited === 0) setTimeout(() => enough.abort(), KNOWN_SLOW_MS).unref();
      return answer;
    }),
  );
}

/** Calls back when patience ends; what it gives back stops that. */
export function whenOver({ leftMs, enough }: Patience, over: () => void): () => void {
  const late = setTimeout(over, leftMs);
  enough?.addEventListener('abort', over);
  return () => {
    clearTimeout(late);
    enough?.removeEventListener('abort', over);
  };
}
