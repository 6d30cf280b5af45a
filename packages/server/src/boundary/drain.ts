/** The input has ended: what is under way may still be answered, for a while, and the process stays alive for it. */
import type { Message, RequestId } from '../shapes.ts';

/** Counts requests under way on one connection. */
export interface Drain {
  noticeIncoming(message: Message): void;
  noticeOutgoing(message: Message): void;
  /** Runs once nothing is under way any more, or when the time is over. */
  whenEmpty(run: () => void): void;
  stop(): void;
}

/** A drain that waits for so long at most. */
export function createDrain(drainMs: number): Drain {
  const open = new Open();
  let done: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const finish = (): void => {
    clearTimeout(timer);
    const run = done;
    done = undefined;
    run?.();
  };
  return {
    noticeIncoming({ id, method, params }) {
      if (method === undefined) return;
      if (id !== undefined) open.add(id);
      // A request that was taken back gets no answer.
      else if (method === 'notifications/cancelled') open.delete(params?.['requestId'] as RequestId);
    },
    noticeOutgoing({ id, method }) {
      if (method !== undefined || id === undefined) return;
      open.delete(id);
      if (done !== undefined && open.isEmpty) finish();
    },
    whenEmpty(run) {
      done = run;
      if (open.isEmpty) finish();
      else timer = setTimeout(finish, drainMs); // keeps the process alive, which an answer may not do
    },
    stop() {
      clearTimeout(timer);
      done = undefined;
    },
  };
}

/** Ids of which there is mostly one: it has a place of its own, for a set that each call fills and empties makes a new table for each. */
class Open {
  #only: RequestId | undefined;
  readonly #others = new Set<RequestId>();

  add(id: RequestId): void {
    if (this.isEmpty) this.#only = id;
    else if (id !== this.#only) this.#others.add(id);
  }

  delete(id: RequestId): void {
    if (id === this.#only) this.#only = undefined;
    else this.#others.delete(id);
  }

  get isEmpty(): boolean {
    return this.#only === undefined && this.#others.size === 0;
  }
}
