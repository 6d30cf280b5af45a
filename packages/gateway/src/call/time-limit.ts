/**
 * How long a call may take, all attempts and waits together. A server that reports progress is given its time
 * again; the caller's own deadline is never moved.
 */
import type { FaultInit } from '@mayday/core';
import { executedSoFar } from '@mayday/policy';
import {
  CallEnded,
  lost,
  type Related,
  WatchedBack,
  type WireCall,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';

/** How long a call may take. */
export interface TimeLimits {
  /** Without progress. */
  readonly timeoutMs: number;
  /** In all. */
  readonly maxTimeMs: number;
}

/** Ends calls that take too long, whatever the server or anything in between is doing. */
export function timeLimit(limits: TimeLimits, now: () => number = Date.now): WirePolicy {
  const { timeoutMs, maxTimeMs } = limits;
  return (next) => (call) =>
    new Promise<WireOutcome>((resolve) => {
      const theirs = call.above?.deadline ?? Number.POSITIVE_INFINITY;
      const last = Math.min(now() + maxTimeMs, theirs);
      // A subscription that was acknowledged waits for something to happen, however long that takes.
      const isEndless = call.method === 'subscriptions/listen' && theirs === Number.POSITIVE_INFINITY;
      const deadline = Math.min(now() + timeoutMs, last);
      const ender = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      let over = false;
      const settle = (outcome: WireOutcome): void => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        call.signal.removeEventListener('abort', onAbort);
        resolve(outcome);
      };
      const end = (ended: CallEnded): void => {
        settle({ ...lost(call, ended.fault), ended: ended.ended });
        ender.abort(ended);
      };
      const onAbort = (): void => end(reasonOf(call));
      const arm = (): void => {
        clearTimeout(timer);
        const until = Math.min(now() + timeoutMs, last);
        const left = Math.max(0, until - now());
        const isTheirs = until === theirs;
        const ms = until === last ? maxTimeMs : timeoutMs;
        timer = setTimeout(
          () =>
            end(
              new CallEnded(tooLate(call, isTheirs, ms), {
                ended: isTheirs ? 'deadline' : 'attempt_timeout',
              }),
            ),
          Math.min(left, LONGEST),
        );
      };
      if (call.signal.aborted) {
        onAbort();
        return;
      }
      call.signal.addEventListener('abort', onAbort);
      arm();
      const related = (message: Related): boolean => {
        // A comment that keeps a connection alive is no progress.
        if (!over && message.data.length > 0) {
          if (isEndless) clearTimeout(timer);
          else arm();
        }
        return call.back.related(message);
      };
      const back = new WatchedBack(call.back, related);
      next({ ...call, deadline, signal: ender.signal, back }).then(settle, (error: unknown) => {
        ender.abort();
        throw error;
      });
    });
}

/** The longest that a timer can be set for. */
const LONGEST = 2 ** 31 - 1;

function reasonOf(call: WireCall): CallEnded {
  const reason: unknown = call.signal.reason;
  return reason instanceof CallEnded
    ? reason
    : new CallEnded({ kind: 'cancelled', origin: 'caller', message: 'The caller gave up' });
}

function tooLate(call: WireCall, isTheirs: boolean, ms: number): FaultInit {
  const executed = executedSoFar(call.progress);
  const limit = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
  return {
    kind: 'timeout',
    origin: 'gateway',
    executed,
    message: isTheirs
      ? 'The deadline that the caller set has passed'
      : `The server did not answer within ${limit}`,
    details: isTheirs ? undefined : { timeout_ms: ms },
  };
}
