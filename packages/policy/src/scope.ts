/** A span of time within which something may go on: until a deadline, for so long, or while somebody waits. */
import type { Clock } from './clock.ts';

/** Why a scope ended before its work did. */
export type Ended = 'deadline' | 'attempt_timeout' | 'cancelled' | 'superseded';

/** A span of time in which work may go on. */
export interface Scope {
  /** Aborts when the time is over or the caller gives up. */
  readonly signal: AbortSignal;
  /** Why it aborted; `undefined` while it has not. */
  readonly ended: Ended | undefined;
  /** Starts the attempt's time again, within the deadline: the peer has shown a sign of life. */
  extend(): void;
  /** Stops the attempt's time; only the deadline counts until `extend`. */
  hold(): void;
  /** Ends it from outside. */
  end(why: Ended): void;
  /** Releases the timer and the listener. */
  close(): void;
}

/** What bounds a scope. */
export interface ScopeOptions {
  readonly clock: Clock;
  /** Unix time in milliseconds. */
  readonly deadline: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The reasons of scopes that ended at their deadline. */
const deadlines = new WeakSet<object>();

/** Was it aborted because a time was over: a scope's, or that of `AbortSignal.timeout`? Then nobody has cancelled anything. */
export function isOverdue(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.reason;
  return reason instanceof Error && (deadlines.has(reason) || /TimeoutError$/.test(reason.name));
}

/** Opens a scope that ends at the deadline, after the timeout or with the signal, whichever comes first. */
export function openScope(options: ScopeOptions): Scope {
  const { clock, deadline, timeoutMs, signal } = options;
  const controller = new AbortController();
  let ended: Ended | undefined;
  let stop: (() => void) | undefined;

  const end = (why: Ended): void => {
    if (ended !== undefined) return;
    ended = why;
    close();
    const reason = new DOMException(`The attempt ended: ${why}`, 'AbortError');
    if (why === 'deadline') deadlines.add(reason);
    controller.abort(reason);
  };
  // Whoever stands around us may abort at a deadline: then that is the reason, even if a timer was a little early.
  const onAbort = (): void => {
    end(clock.now() >= deadline || isOverdue(signal) ? 'deadline' : 'cancelled');
  };
  const close = (): void => {
    stop?.();
    stop = undefined;
    signal?.removeEventListener('abort', onAbort);
  };
  const restart = (allowedMs: number): void => {
    if (ended !== undefined) return;
    stop?.();
    stop = undefined;
    const left = Math.max(0, deadline - clock.now());
    const [ms, why] =
      left <= allowedMs ? ([left, 'deadline'] as const) : ([allowedMs, 'attempt_timeout'] as const);
    if (ms < Number.POSITIVE_INFINITY) stop = clock.timer(ms, () => end(why));
  };
  const extend = (): void => restart(timeoutMs);

  if (signal?.aborted === true) onAbort();
  else {
    signal?.addEventListener('abort', onAbort, { once: true });
    extend();
  }
  return {
    signal: controller.signal,
    get ended() {
      return ended;
    },
    extend,
    hold: () => restart(Number.POSITIVE_INFINITY),
    end,
    close,
  };
}
