/** How long others wait for one upstream of many. */
import type { Part } from './part.ts';

/** How long somebody waits for an upstream. */
export interface Patience {
  /** This much it was: whoever has exceeded it once is known to be slow. */
  readonly wholeMs: number;
  /** Aborts when nobody waits any more. */
  readonly over: AbortSignal;
}

/** From when on patience is counted: for an answer that is due at once, or for one that has nothing to say before somebody has answered. */
type Since = 'the start' | 'the first answer';

/** One that has kept everybody waiting once is given a moment to have come back. */
const KNOWN_SLOW_MS = 50;

/** How long one is waited for that is asked by itself, while others could be asked instead. */
export function patienceWith(part: Part, wholeMs: number): Patience {
  return { wholeMs, over: AbortSignal.timeout(part.isSlow ? Math.min(KNOWN_SLOW_MS, wholeMs) : wholeMs) };
}

/** Whom to ask, and how long. */
export interface Together<T> {
  readonly parts: readonly Part[];
  readonly wholeMs: number;
  readonly since: Since;
  readonly ask: (part: Part, patience: Patience) => Promise<T>;
  /** Has somebody said something that is worth being told? */
  readonly isAnswer: (answer: T) => boolean;
}

/**
 * Asks all of them at once. Those that are known to be slow keep nobody waiting: once the others have answered, they
 * are given a moment. Where nobody answers, there is nobody to keep waiting, and all have the time that each of them may
 * take to start.
 */
export async function askTogether<T>(together: Together<T>): Promise<readonly T[]> {
  const { parts, wholeMs, since, ask, isAnswer } = together;
  const slow = new Set(parts.filter(({ isSlow }) => isSlow));
  const enders = new Map(parts.map((part) => [part, new AbortController()]));
  const timers: NodeJS.Timeout[] = [];
  const end = (those: Iterable<Part>, ms: number): void => {
    const due = (): void => {
      for (const part of those) enders.get(part)?.abort();
    };
    timers.push(setTimeout(due, ms));
  };
  let isAnswered = false;
  let awaited = parts.length - slow.size;
  if (since === 'the start') end(parts, wholeMs);
  const patienceFor = (part: Part, over: AbortSignal): Patience => ({
    get wholeMs() {
      return since === 'the start' || isAnswered ? wholeMs : part.openTimeoutMs;
    },
    over,
  });
  const asked = [...enders].map(async ([part, { signal }]) => {
    if (since === 'the first answer') end([part], part.openTimeoutMs);
    const answer = await ask(part, patienceFor(part, signal));
    const isFirst = !isAnswered && isAnswer(answer);
    isAnswered ||= isFirst;
    if (isFirst && since === 'the first answer') end(parts, wholeMs);
    if (!slow.has(part)) awaited -= 1;
    if (isAnswered && awaited === 0) end(slow, KNOWN_SLOW_MS);
    return answer;
  });
  try {
    return await Promise.all(asked);
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Calls back when patience ends; what it gives back stops that. */
export function whenOver({ over }: Patience, isOver: () => void): () => void {
  if (over.aborted) isOver();
  else over.addEventListener('abort', isOver, { once: true });
  return () => over.removeEventListener('abort', isOver);
}
