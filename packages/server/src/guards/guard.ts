/**
 * Guards: what must be true before a request runs. Each is a small object, usable alone with `protect`, or
 * in a list with `guard(server, { guards })`.
 */
import type { Call } from '../call.ts';

/** Something that may refuse a request before it runs, by throwing a fault. */
export interface Guard {
  readonly name: string;
  /** The methods it looks at; `tools/call`, if absent. */
  readonly methods?: readonly string[];
  /** Throws a fault to refuse. A promise holds the request back until it settles. */
  before(call: Call): void | Promise<void>;
  /** Called once for each request that `before` let through, when its answer has gone out. */
  after?(call: Call): void;
}

const DEFAULT_METHODS: readonly string[] = ['tools/call'];

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
      if (!(guard.methods ?? DEFAULT_METHODS).includes(this.#call.method)) continue;
      const held = guard.before(this.#call);
      if (held instanceof Promise) {
        return held.then(() => {
          this.#passed.push(guard);
          return this.enter(guards.slice(i + 1));
        });
      }
      this.#passed.push(guard);
    }
  }

  /** The request is over; in reverse order, each exactly once. */
  leave(): void {
    for (let guard = this.#passed.pop(); guard !== undefined; guard = this.#passed.pop())
      guard.after?.(this.#call);
  }
}

/** Runs something behind guards, without a server: `await protect([rateLimit({ … })], call, () => work())`. */
export async function protect<T>(
  guards: readonly Guard[],
  call: Call,
  run: () => T | Promise<T>,
): Promise<T> {
  const passage = new Passage(call);
  try {
    await passage.enter(guards);
    return await run();
  } finally {
    passage.leave();
  }
}
