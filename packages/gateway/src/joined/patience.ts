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
  /** Those who are asked the same; absent where nobody else is. */
  readonly together?: Together | undefined;
}

/** Many that are asked at once. */
interface Together {
  /** Has any of them answered? */
  readonly isAnswered: boolean;
  /** Calls back when the first of them has; what it gives back stops that. */
  whenAnswered(act: () => void): () => void;
}

/** One that has kept everybody waiting once is given a moment to have come back. */
const KNOWN_SLOW_MS = 50;

/** How long one is waited for that is asked by itself, while others could be asked instead. */
export function patienceWith(part: Part, wholeMs: number): Patience {
  return { leftMs: part.isSlow ? Math.min(KNOWN_SLOW_MS, wholeMs) : wholeMs, wholeMs };
}

/** How long one that is being started may take where nobody else has answered: less than clients wait for anything. */
const START_MS = 50_000;

class Answers implements Together {
  readonly #waiting: Set<() => void> = new Set<() => void>();
  isAnswered = false;

  came(): void {
    this.isAnswered = true;
    for (const act of this.#waiting) act();
    this.#waiting.clear();
  }

  whenAnswered(act: () => void): () => void {
    this.#waiting.add(act);
    return () => this.#waiting.delete(act);
  }
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
  const together = new Answers();
  let awaited = parts.length - slow.size;
  return Promise.all(
    parts.map(async (part) => {
      const isSlow = slow.has(part);
      const patience = { leftMs: wholeMs, wholeMs, enough: isSlow ? enough.signal : undefined, together };
      const answer = await ask(part, patience);
      if (isAnswer(answer)) together.came();
      if (!isSlow) awaited -= 1;
      if (together.isAnswered && awaited === 0) setTimeout(() => enough.abort(), KNOWN_SLOW_MS).unref();
      return answer;
    }),
  );
}

/**
 * Calls back when patience ends, with how long it was; what it gives back stops that. One that `isStarting` is waited for
 * until another has answered, and then for as long again as everybody is: a list without it says less than one with it.
 */
export function whenOver(
  { leftMs, wholeMs, enough, together }: Patience,
  over: (waitedMs: number) => void,
  isStarting: () => boolean = () => false,
): () => void {
  const end = (): void => over(wholeMs);
  let stop: () => void = () => undefined;
  let late = setTimeout(() => {
    if (together === undefined || together.isAnswered || !isStarting()) return end();
    late = setTimeout(() => over(leftMs + START_MS), START_MS);
    stop = together.whenAnswered(() => {
      clearTimeout(late);
      late = setTimeout(end, wholeMs);
    });
  }, leftMs);
  enough?.addEventListener('abort', end);
  return () => {
    clearTimeout(late);
    stop();
    enough?.removeEventListener('abort', end);
  };
}
