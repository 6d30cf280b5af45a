/**
 * Guards: what must be true before a request runs. Each is a small object, usable alone with `protect`, or
 * in a list with `guard(server, { guards })`.
 */
import { type FaultError, fault } from '@mayday/core';
import type { Call } from '../call.ts';
import { type Clock, systemClock } from '../clock.ts';

/** Something that may refuse a request, by throwing a fault. */
export interface Guard {
  readonly name: string;
  /** The methods it looks at; `tools/call`, if absent. */
  readonly methods?: readonly string[] | 'all';
  /** Throws a fault to refuse. A promise holds the request back until it settles. */
  before?(call: Call): void | Promise<void>;
  /** How long the request may take. The shortest of all guards' counts. */
  deadlineMs?(call: Call): number | false;
  /** Looks at a successful result before it goes out; throws a fault to refuse it. */
  result?(call: Call, result: unknown): void;
  /** Called once for each request that `before` let through, when its answer has gone out. */
  after?(call: Call): void;
}

const DEFAULT_METHODS: readonly string[] = ['tools/call'];

/** Does a guard look at this request? */
function concerns(guard: Guard, call: Call): boolean {
  const methods = guard.methods ?? DEFAULT_METHODS;
  return methods === 'all' || methods.includes(call.method);
}

/** Guards that have let one request through, and what they do when it is over. */
export class Passage {
  readonly #call: Call;
  readonly #passed: Guard[] = [];

  constructor(call: Call) {
    this.#call = call;
  }

  /** Asks each guard in order. Synchronous as long as they are: an HTTP status can depend on it. */
  enter(guards: readonly Guard[]): void | Promise<void> {
    for (let i = 0; i < guards.length; i++) {
      const guard = guards[i] as Guard;
      if (!concerns(guard, this.#call)) continue;
      const held = guard.before?.(this.#call);
      if (held instanceof Promise) {
        return held.then(() => {
          this.#passed.push(guard);
          return this.enter(guards.slice(i + 1));
        });
      }
      this.#passed.push(guard);
    }
  }

  /** Shows a successful result to the guards that look at results. */
  show(result: unknown): void {
    for (const guard of this.#passed) guard.result?.(this.#call, result);
  }

  /** The request is over; in reverse order, each exactly once. */
  leave(): void {
    for (let guard = this.#passed.pop(); guard !== undefined; guard = this.#passed.pop())
      guard.after?.(this.#call);
  }
}

/** The shortest deadline that any guard gives a request. */
export function shortestDeadline(guards: readonly Guard[], call: Call): number {
  let least = Number.POSITIVE_INFINITY;
  for (const guard of guards) {
    const ms = guard.deadlineMs !== undefined && concerns(guard, call) ? guard.deadlineMs(call) : false;
    if (ms !== false) least = Math.min(least, ms);
  }
  return least;
}

/** The fault of a request that took too long. */
export function tooLate(ms: number): FaultError {
  const waited = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
  return fault.timeout(`No answer within ${waited}`);
}

/**
 * Runs something behind guards, without a server.
 *
 * @example
 * await protect([limit, oneAtATime], call, () => work());
 */
export async function protect<T>(
  guards: readonly Guard[],
  call: Call,
  run: () => T | Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  const passage = new Passage(call);
  const ms = shortestDeadline(guards, call);
  let timer: unknown;
  try {
    await passage.enter(guards);
    const work = Promise.resolve().then(run);
    const late = new Promise<never>((_, reject) => {
      if (ms < Number.POSITIVE_INFINITY) timer = clock.setTimeout(() => reject(tooLate(ms)), ms);
    });
    const result = await Promise.race([work, late]);
    passage.show(result);
    return result;
  } finally {
    if (timer !== undefined) clock.clearTimeout(timer);
    passage.leave();
  }
}
