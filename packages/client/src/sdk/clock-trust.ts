/**
 * Deadlines travel as points in time, which means something only to clocks that agree with ours. A server that says that
 * our deadline has passed while we know that it has not is told no deadline any more.
 */
import type { Fault } from '@mayday/core';
import type { CallMeta } from '@mayday/core/plan';

/** A request that went out with a deadline. */
export interface Told {
  readonly sentAt: number;
  readonly deadline: number | undefined;
}

/** Whoever obeys a deadline leaves some time for the way back; more than this share of it is no way back. */
const WAY_BACK = 0.2;

/** What is known about the clock of one server. */
export class ClockTrust {
  #agrees = true;

  /** What may be told, of what there is to tell. */
  tell({ attempt, deadline }: CallMeta): CallMeta {
    if (this.#agrees && deadline !== undefined)
      return attempt === undefined ? { deadline } : { deadline, attempt };
    return attempt === undefined ? {} : { attempt };
  }

  /** Learns from what became of a request. */
  learn({ kind, message }: Fault, { sentAt, deadline }: Told, now: number): void {
    if (deadline === undefined || kind !== 'timeout' || !/\bdeadline\b/i.test(message)) return;
    if (deadline - now > (deadline - sentAt) * WAY_BACK) this.#agrees = false;
  }
}
