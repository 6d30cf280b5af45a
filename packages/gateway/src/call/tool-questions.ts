/**
 * Tools may be called by somebody who has never listed them here. Where it matters what such a tool says of itself, its server
 * is asked for the list, in the name of the caller: once, for all who wait.
 */
import type { Kind } from '@mayday/core';
import { type Clock, setLast } from '@mayday/policy';
import { CallEnded, type WireCall, type WireHandler } from '@mayday/relay';
import { listQuestion, resultIn } from './ask-for-list.ts';
import { listenerId, type ToolHints } from './tool-hints.ts';

/** What kept a list from coming. */
export type NoTools = Kind;

/**
 * Asks for the tools that this caller is listed, and waits for them as long as patience and the call last. Gives why they have
 * not come; `undefined` where they have.
 */
export type AskForTools = (
  next: WireHandler,
  call: WireCall,
  patienceMs: number,
) => Promise<NoTools | undefined>;

/** A server that has listed, and does not know the tool, is left alone for this long; one that could not list, for a moment. */
const LISTED_MS = 60_000;
const FAILED_MS = 1000;
const MAX_PAGES = 50;
const MAX_ASKED = 10_000;

/** When somebody's tools were asked for. */
interface Asked {
  /** Of what was known then. */
  age: number;
  asking: Promise<NoTools | undefined> | undefined;
  /** What it came to. */
  failed: NoTools | undefined;
  againAt: number;
}

/** Asks about the tools of one upstream. */
export function toolQuestions(hints: ToolHints, clock: Clock): AskForTools {
  const asked = new Map<string, Asked>();
  const begin = (next: WireHandler, call: WireCall, patienceMs: number): Asked => {
    const ender = new AbortController();
    const late = setTimeout(() => ender.abort(new CallEnded(TOO_LATE)), patienceMs);
    const asks: Asked = { age: hints.age, asking: undefined, failed: undefined, againAt: Infinity };
    const ask = (): Promise<NoTools | undefined> => {
      asks.age = hints.age;
      return askAll(next, call, hints, ender.signal);
    };
    // What was taken back while it came is asked for once more: a conversation may have been opened again for it.
    const retaken = async (failed: NoTools | undefined): Promise<NoTools | undefined> =>
      hints.age === asks.age || ender.signal.aborted ? failed : ask();
    asks.asking = ask()
      .then(retaken)
      .then((failed) => {
        clearTimeout(late);
        asks.asking = undefined;
        asks.failed = failed;
        asks.againAt = clock.now() + (failed === undefined ? LISTED_MS : FAILED_MS);
        return failed;
      });
    setLast(asked, listenerId(call), asks, MAX_ASKED);
    return asks;
  };
  return (next, call, patienceMs) => {
    let last = asked.get(listenerId(call));
    const isOver = last?.asking === undefined && (last?.age !== hints.age || clock.now() >= last.againAt);
    if (last === undefined || isOver) last = begin(next, call, patienceMs);
    const { asking, failed } = last;
    return asking === undefined ? Promise.resolve(failed) : within(asking, call, patienceMs);
  };
}

/** What it comes to while the call waits. */
function within(
  asking: Promise<NoTools | undefined>,
  { signal }: WireCall,
  patienceMs: number,
): Promise<NoTools | undefined> {
  return new Promise((resolve) => {
    const settle = (failed: NoTools | undefined): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', leave);
      resolve(failed);
    };
    const leave = (): void => settle('timeout');
    const late = setTimeout(leave, patienceMs);
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    void asking.then(settle);
  });
}

/** Asks for the whole list, in the name of whoever called, as a question of the gateway's own: no call of anybody's. */
async function askAll(
  next: WireHandler,
  call: WireCall,
  hints: ToolHints,
  signal: AbortSignal,
): Promise<NoTools | undefined> {
  const question = { ...call, above: undefined, once: undefined, idempotencyKey: undefined };
  const seen = new Set<string>();
  const { age } = hints;
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const outcome = await next(listQuestion(question, 'tools', cursor, signal));
      const result = await resultIn(outcome, 'tools');
      if (result === undefined) return outcome.ok ? 'invalid_output' : outcome.fault.kind;
      hints.learn(call, result['tools'], age, page > 0);
      const following = result['nextCursor'];
      if (typeof following !== 'string' || seen.has(following)) return undefined;
      seen.add(following);
      cursor = following;
    }
    return undefined;
  } catch {
    return 'internal'; // whatever is wrong with the server, the call that it was asked for says so
  }
}

const TOO_LATE = {
  kind: 'timeout',
  origin: 'gateway',
  message: 'The server did not list its tools in time',
} as const;
