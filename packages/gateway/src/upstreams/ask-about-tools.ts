/**
 * A tool may be called by somebody who has never listed it here. When such a call fails, and it depends on the tool's
 * own word whether it may be made again, here or by whoever is told, its server is asked for that word: once, and not before
 * it matters.
 */
import type { Language } from '@mayday/core';
import { type After, after, type Clock, type Failed, setLast } from '@mayday/policy';
import { CallEnded, type Wire, type WireCall, type WireHandler, type WirePolicy } from '@mayday/relay';
import { dependsOnTool } from '../call/annotate.ts';
import { listQuestion, resultIn } from '../call/ask-for-list.ts';
import { listenerId, type ToolHints } from '../call/tool-hints.ts';
import type { CommonSettings } from '../settings/settings.ts';

/** How long a failing call waits for the list. */
const PATIENCE_MS = 2000;
/** A server that has listed, and does not know the tool, is left alone for this long; one that could not list, for a moment. */
const LISTED_MS = 60_000;
const FAILED_MS = 1000;
const MAX_PAGES = 50;

/** The last before the server: its questions are no calls of anybody's, and speak for and against nobody. */
export function askAboutTools(
  hints: ToolHints,
  settings: CommonSettings,
  clock: Clock,
  readIn?: Language | undefined,
): WirePolicy {
  const asked = new Map<string, Asked>();
  const asking: After<Wire, WireCall> = async (outcome, call, next) => {
    const { age } = hints;
    const who = listenerId(call);
    let last = asked.get(who);
    if (
      last === undefined ||
      last.age !== age ||
      (last.asking === undefined && clock.now() >= last.againAt)
    ) {
      const asks: Asked = { age, asking: undefined, againAt: Number.POSITIVE_INFINITY };
      asks.asking = askAll(next, call, hints).then((hasListed) => {
        asks.asking = undefined;
        asks.againAt = clock.now() + (hasListed ? LISTED_MS : FAILED_MS);
      });
      setLast(asked, who, asks, MAX_ASKED);
      last = asks;
    }
    if (last.asking !== undefined) await Promise.race([last.asking, ended(call.signal)]);
    return outcome;
  };
  return after((outcome, call, next) =>
    outcome.ok || !isWorthAsking(call, outcome, hints, settings, readIn)
      ? outcome
      : asking(outcome, call, next),
  );
}

/** When somebody's tools were asked for. */
interface Asked {
  /** Of what was known then. */
  readonly age: number;
  asking: Promise<void> | undefined;
  againAt: number;
}

const MAX_ASKED = 10_000;

/** Would another attempt follow if the tool only reads, or would its caller be told something else? */
function isWorthAsking(
  call: WireCall,
  { fault, committed }: Failed<Wire>,
  hints: ToolHints,
  { retry: { attempts, trustAnnotations } }: CommonSettings,
  readIn: Language | undefined,
): boolean {
  if (call.method !== 'tools/call' || call.target === undefined || hints.of(call, call.target) !== undefined)
    return false;
  // Without attempts of its own the gateway leaves the question to whoever makes them.
  const counts = trustAnnotations && attempts > 1 && call.repeatable === undefined && !call.signal.aborted;
  if (!counts || fault.executed === 'no') return false;
  const isDecided = call.once === true || call.above?.attempt !== undefined;
  const isLast = call.attempt >= attempts || committed === true;
  return (fault.retryable && !isDecided && !isLast) || dependsOnTool(fault, readIn);
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Asks for the whole list, in the name of whoever called; false: it did not come. The call that failed is told. */
async function askAll(next: WireHandler, call: WireCall, hints: ToolHints): Promise<boolean> {
  const ender = new AbortController();
  const late = setTimeout(() => ender.abort(new CallEnded(TOO_LATE)), PATIENCE_MS);
  const seen = new Set<string>();
  const { age } = hints;
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const result = await resultIn(await next(listQuestion(call, 'tools', cursor, ender.signal)), 'tools');
      if (result === undefined) return false;
      hints.learn(call, result['tools'], age, page > 0);
      const following = result['nextCursor'];
      if (typeof following !== 'string' || seen.has(following)) return true;
      seen.add(following);
      cursor = following;
    }
    return true;
  } catch {
    return false; // whatever is wrong with the server, the call that failed says so
  } finally {
    clearTimeout(late);
  }
}

const TOO_LATE = {
  kind: 'timeout',
  origin: 'gateway',
  message: 'The server did not list its tools in time',
} as const;
