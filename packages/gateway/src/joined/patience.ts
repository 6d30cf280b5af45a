/** How long others wait for one upstream of many. */
import type { Limit } from '@mayday/relay';
import type { Part } from './part.ts';

/** How long somebody waits for an upstream. */
export interface Patience {
  /** This much it was, and which setting says so: whoever has exceeded it once is known to be slow. */
  readonly limit: Limit;
  /** Aborts when nobody waits any more. */
  readonly over: AbortSignal;
}

/** From when on patience is counted: for an answer that is due at once, or for one that has nothing to say before somebody has answered. */
type Since = 'the start' | 'the first answer';

/** One that has kept everybody waiting once is given a moment to have come back. */
const KNOWN_SLOW_MS = 50;

/** How long one is waited for that is asked by itself, while others could be asked instead. */
export function patienceWith({ isSlow }: Pick<Part, 'isSlow'>, wholeMs: number): Patience {
  const over = AbortSignal.timeout(isSlow ? Math.min(KNOWN_SLOW_MS, wholeMs) : wholeMs);
  return { limit: ofPart(wholeMs), over };
}

/** As long as it takes. */
export function withoutHurry(over: AbortSignal): Patience {
  return { limit: ofPart(Infinity), over };
}

function ofPart(ms: number): Limit {
  return { setting: 'joined.part_timeout_ms', ms };
}

/** Whom to ask, and how long. */
export interface Together<T> {
  readonly parts: readonly Part[];
  /** What they are asked, where that is the same for every client: who was late with it is late for all of them. */
  readonly method?: string | undefined;
  readonly wholeMs: number;
  readonly since: Since;
  /** How long those are waited for that are still starting; as long as for others, if absent. */
  readonly starting?: Starting | undefined;
  readonly ask: (part: Part, patience: Patience) => Promise<T>;
  /** Has somebody said something that is worth being told? */
  readonly isAnswer: (answer: T) => boolean;
}

/** Patience with those that are still starting. */
interface Starting {
  /** Until then, by `performance.now()`. */
  readonly by: number;
  /** But at least so long. */
  readonly leastMs: number;
}

/** Whose patience ends when: each may be told several times, the first of which counts. */
interface Ends {
  of(part: Part): AbortSignal;
  end(those: Iterable<Part>, ms: number): void;
  /** Nobody is asked any more. */
  clear(): void;
}

function endsOf(parts: readonly Part[]): Ends {
  const enders = new Map(parts.map((part) => [part, new AbortController()]));
  const timers: NodeJS.Timeout[] = [];
  let isOver = false;
  return {
    of: (part) => enders.get(part)?.signal ?? AbortSignal.abort(),
    end(those, ms) {
      if (isOver) return;
      const due = (): void => {
        for (const part of those) enders.get(part)?.abort();
      };
      timers.push(setTimeout(due, ms));
    },
    clear() {
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/**
 * Asks all of them at once. Those that are known to be slow keep nobody waiting: once the others have answered, they
 * are given a moment. Where nobody answers, there is nobody to keep waiting, and all have the time that each of them may
 * take to start.
 */
export async function askTogether<T>(together: Together<T>): Promise<readonly T[]> {
  const { parts, wholeMs, since, ask, isAnswer, starting, method } = together;
  const isSlow = (part: Part): boolean => (method === undefined ? part.isSlow : part.isSlowWith(method));
  const slow = new Set(parts.filter(isSlow));
  const ends = endsOf(parts);
  /** How long those have that are starting. */
  const startMs = new Map<Part, number>();
  /** From here on all have this long; those that are starting, until they are due, and as long as others once they are open. */
  const endAll = (): void => {
    const dueMs =
      starting === undefined ? wholeMs : Math.max(starting.by - performance.now(), starting.leastMs);
    const isAwaited = (part: Part): boolean => dueMs !== wholeMs && part.isComing && !slow.has(part);
    const coming = new Set(parts.filter(isAwaited));
    ends.end(
      parts.filter((part) => !coming.has(part)),
      wholeMs,
    );
    if (coming.size > 0) ends.end(coming, dueMs);
    for (const part of coming) {
      startMs.set(part, dueMs);
      void part.untilOpen()?.then(() => {
        startMs.delete(part);
        if (dueMs < wholeMs) coming.delete(part);
        ends.end([part], wholeMs);
      });
    }
  };
  let isAnswered = false;
  let awaited = parts.length - slow.size;
  if (since === 'the start') ends.end(parts, wholeMs);
  const patienceFor = (part: Part): Patience => ({
    get limit() {
      if (since === 'the first answer' && !isAnswered)
        return { setting: 'open_timeout_ms', ms: part.openTimeoutMs };
      const ms = startMs.get(part);
      return ms === undefined ? ofPart(wholeMs) : { setting: 'joined.start_timeout_ms', ms };
    },
    over: ends.of(part),
  });
  const asked = parts.map(async (part) => {
    if (since === 'the first answer') ends.end([part], part.openTimeoutMs);
    const answer = await ask(part, patienceFor(part));
    const isFirst = !isAnswered && isAnswer(answer);
    isAnswered ||= isFirst;
    if (isFirst && since === 'the first answer') endAll();
    if (!slow.has(part)) awaited -= 1;
    if (isAnswered && awaited === 0) ends.end(slow, KNOWN_SLOW_MS);
    return answer;
  });
  try {
    return await Promise.all(asked);
  } finally {
    ends.clear();
  }
}

/** Calls back when patience ends; what it gives back stops that. */
export function whenOver({ over }: Patience, isOver: () => void): () => void {
  if (over.aborted) isOver();
  else over.addEventListener('abort', isOver, { once: true });
  return () => over.removeEventListener('abort', isOver);
}
