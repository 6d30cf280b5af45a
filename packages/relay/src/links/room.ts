/** Room for answers that are on their way: what has come of one counts for whoever asked, until it is complete. */
import type { Flow } from './http-client.ts';

/** The room of one request. */
export interface Room {
  /** More of an answer comes than one piece: `flow` is held back where there is no room for it. */
  receive(flow: Pick<Flow, 'pause' | 'resume'>): Receiving;
}

/** One answer on its way. */
export interface Receiving {
  /** So much of it is here. */
  size(bytes: number): void;
  /** It is complete, or nobody waits for it any more. */
  end(): void;
}
