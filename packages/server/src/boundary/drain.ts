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
  const open = new Set<RequestId>();
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
      if (open.size === 0) finish();
    },
    whenEmpty(run) {
      done = run;
      if (open.size === 0) finish();
      else timer = setTimeout(finish, drainMs); // keeps the process alive, which an answer may not do
    },
    stop() {
      clearTimeout(timer);
      done = undefined;
    },
  };
}
