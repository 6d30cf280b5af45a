/**
 * How long a call may take, all attempts and waits together. A server that has to start, or that reports progress, is given
 * its time again; the caller's own deadline is never moved. While this process is busy nothing that came is read, and nothing
 * goes out: that is not its server's time.
 */
import { executedSoFar } from '@mayday/policy';
import {
  CallEnded,
  Ender,
  isStarting,
  type Limit,
  limitDetails,
  lost,
  type Related,
  spelt,
  WatchedBack,
  type WireCall,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { dueIn } from './due-in.ts';
import { OwnQuestions, tellsOfCall } from './own-questions.ts';

/** How long a call may take. */
export interface TimeLimits {
  /** Without progress. */
  readonly timeoutMs: number;
  /** The same for what opens a conversation, and for a call that waits for its server to start. */
  readonly openTimeoutMs?: number | undefined;
  /** In all. */
  readonly maxTimeMs: number;
}

/**
 * Ends calls that take too long, whatever the server or anything in between is doing. Their time begins when they come here,
 * unless `since` knows that it began before. In a path it is found by its name, `limitingTime`.
 */
export function timeLimit(
  limits: TimeLimits,
  now: () => number = Date.now,
  since: (call: WireCall) => number = now,
): WirePolicy {
  const named = namedLimits(limits);
  const limitingTime: WirePolicy = (next) => (call) =>
    new Promise<WireOutcome>((resolve) => {
      const startedAt = since(call);
      const { given, theirs, last, isEndless } = timesOf(call, named, startedAt);
      const ender = new Ender();
      let callOff = (): void => {};
      let over = false;
      /** The caller has not read what it was sent: the server may have answered, and waits like everybody else. */
      let isBehind = false;
      const settle = (outcome: WireOutcome): void => {
        if (over) return;
        over = true;
        callOff();
        call.signal.removeEventListener('abort', onAbort);
        resolve(outcome);
      };
      const end = (ended: CallEnded): void => {
        settle({ ...lost(call, faultOf(call, ended, ender)), ended: ended.ended });
      };
      const onAbort = (): void => end(reasonOf(call));
      /** Whichever limit is over first is the one that is told. */
      const endAt = (until: number, own: Limit, by: Late): void =>
        end(tooLate(call, until === theirs ? 'deadline' : by, until === last ? named.whole : own));
      const own = new OwnQuestions(call.back);
      const untilFrom = (from: number): number => Math.min(own.waitingSince(from) + given.ms, last);
      const arm = (from = now()): void => {
        callOff();
        const until = untilFrom(from);
        const left = Math.max(0, until - now());
        const due = (lateMs: number): void => {
          const since = own.answeredSince(from);
          if (untilFrom(since) > until) arm(since);
          else if (lateMs > LATE_MS && until < last) arm(from + Math.min(lateMs, given.ms));
          else if (until < last && named.opening.ms > given.ms && isStarting(call)) awaitStart();
          else endAt(until, given, lateOf(call, startedAt, isBehind));
        };
        callOff = dueIn(Math.min(left, LONGEST), now, due);
      };
      /** Until its server has started, a call has the time that a server has for that; from then on its own. */
      const awaitStart = (): void => {
        const until = Math.min(startedAt + named.opening.ms, last);
        const left = until - now();
        if (!isStarting(call)) arm();
        else if (left <= 0) endAt(until, named.opening, 'server');
        else callOff = dueIn(Math.min(left, LOOK_MS), now, awaitStart);
      };
      const goOn = (): void => {
        if (isEndless) callOff();
        else if (!over) arm();
      };
      if (call.signal.aborted) return onAbort();
      call.signal.addEventListener('abort', onAbort);
      arm(startedAt);
      const related = (message: Related): boolean => {
        isBehind = !own.pass(message);
        if (tellsOfCall(call, message.data)) goOn();
        return !isBehind;
      };
      const back = new WatchedBack(call.back, related, () => {
        isBehind = false;
        goOn();
      });
      const deadline = Math.min(startedAt + given.ms, last);
      next({ ...call, deadline, signal: ender.signal, back }).then(settle, (error: unknown) => {
        ender.abort();
        throw error;
      });
    });
  return limitingTime;
}

/** The same limits, with their names. */
interface NamedLimits {
  readonly usual: Limit;
  readonly opening: Limit;
  readonly whole: Limit;
}

function namedLimits({ timeoutMs, openTimeoutMs, maxTimeMs }: TimeLimits): NamedLimits {
  const usual: Limit = { setting: 'timeout_ms', ms: timeoutMs };
  const opening = openTimeoutMs === undefined ? usual : { setting: 'open_timeout_ms', ms: openTimeoutMs };
  return { usual, opening, whole: { setting: 'max_time_ms', ms: maxTimeMs } };
}

/** Of one call. */
interface Times {
  /** How long it may be without progress. */
  readonly given: Limit;
  /** The deadline that its caller has set. */
  readonly theirs: number;
  /** It ends then, whatever happens. */
  readonly last: number;
  /** A subscription that was acknowledged waits for something to happen, however long that takes. */
  readonly isEndless: boolean;
}

function timesOf(call: WireCall, { usual, opening, whole }: NamedLimits, startedAt: number): Times {
  const theirs = call.above?.deadline ?? Number.POSITIVE_INFINITY;
  return {
    given: opens(call) ? opening : waits(call) ? whole : usual,
    theirs,
    last: Math.min(startedAt + whole.ms, theirs),
    isEndless: call.method === 'subscriptions/listen' && theirs === Number.POSITIVE_INFINITY,
  };
}

/**
 * Ends what is under way. Whoever has not sent the call yet never will, and says so. Whoever has waited long enough for a task has
 * changed nothing by that; where the gateway ends, the task may end with it, and what it has done is not undone.
 */
function faultOf(call: WireCall, ended: CallEnded, ender: Ender): CallEnded['fault'] {
  const hadBegun = call.progress.began;
  ender.abort(ended);
  const isUnsent = hadBegun && executedSoFar(call.progress) === 'no';
  if (waits(call) && ended.fault.kind === 'disconnected') return ended.fault;
  return opens(call) || waits(call) || isList(call) || isUnsent
    ? { ...ended.fault, executed: 'no' }
    : ended.fault;
}

/** The first that is asked of a server, which may still have to start. It changes nothing. */
function opens({ method }: WireCall): boolean {
  return method === 'initialize' || method === 'server/discover';
}

/** Is it answered when a task has ended, however long that takes? Until then a server that works says nothing. */
function waits({ method }: WireCall): boolean {
  return method === 'tasks/result';
}

/** Whoever lists what there is changes nothing either. */
function isList({ method }: WireCall): boolean {
  return method.endsWith('/list');
}

type Late = 'reader' | 'client' | 'server';

/** Who has kept the call waiting. */
function lateOf(call: WireCall, startedAt: number, isBehind: boolean): Late {
  if (isBehind) return 'reader';
  return call.back.asks?.isOpenSince(startedAt) === true ? 'client' : 'server';
}

/** So often it is looked whether a server has started. */
const LOOK_MS = 50;

/** A timer that is late by more was late for so long that the server had less time than it was to have. */
const LATE_MS = 50;

/** The longest that a timer can be set for. */
const LONGEST = 2 ** 31 - 1;

function reasonOf(call: WireCall): CallEnded {
  const reason: unknown = call.signal.reason;
  return reason instanceof CallEnded
    ? reason
    : new CallEnded({ kind: 'cancelled', origin: 'caller', message: 'The caller gave up' });
}

/** Who has kept a call waiting for too long: only the server's own silence says anything about it. */
function tooLate(call: WireCall, by: 'deadline' | Late, limit: Limit): CallEnded {
  const told = { kind: 'timeout', executed: executedSoFar(call.progress) } as const;
  if (by === 'deadline') {
    const message = 'The deadline that the caller set has passed';
    return new CallEnded({ ...told, origin: 'gateway', message }, { ended: 'deadline' });
  }
  const details = limitDetails(limit);
  if (by === 'server' && waits(call)) {
    // That a task takes long says nothing about its server.
    return new CallEnded({
      ...told,
      origin: 'gateway',
      message: `The task did not end within ${spelt(limit)}`,
      details,
    });
  }
  if (by === 'server') {
    const message = `The server did not answer within ${spelt(limit)}`;
    return new CallEnded({ ...told, origin: 'gateway', message, details }, { ended: 'attempt_timeout' });
  }
  const message =
    by === 'client'
      ? `The client did not answer within ${spelt(limit)} what the server has asked it`
      : `The caller did not read for ${spelt(limit)} what the server had sent`;
  return new CallEnded({ ...told, origin: 'caller', message, details });
}
