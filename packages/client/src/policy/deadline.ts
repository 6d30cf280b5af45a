/** Deadlines: one for the whole call, a shorter one for each attempt within it. */
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
    controller.abort(new DOMException(`The attempt ended: ${why}`, 'AbortError'));
  };
  const onAbort = (): void => {
    end('cancelled');
  };
  const close = (): void => {
    stop?.();
    stop = undefined;
    signal?.removeEventListener('abort', onAbort);
  };
  const restart = (allowedMs: number): void => {
    if (ended !== undefined) return;
    stop?.();
    const left = Math.max(0, deadline - clock.now());
    const [ms, why] =
      left <= allowedMs ? ([left, 'deadline'] as const) : ([allowedMs, 'attempt_timeout'] as const);
    stop = clock.timer(ms, () => end(why));
  };
  const extend = (): void => restart(timeoutMs);

  if (signal?.aborted === true) end('cancelled');
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
