/** Room in the gateway's memory: what has come of an answer, and what stays of a request, count for whoever asked. */
import type { Flow } from './http-client.ts';

/** The room of one request. */
export interface Room {
  /** Somebody works on it: what it holds counts until they say that they have ended, also when its caller has left. */
  hold(): () => void;
  /** More of an answer comes than one piece: `flow` is held back where there is no room for it. */
  receive(flow: Pick<Flow, 'pause' | 'resume'>): Receiving;
  /** Something stays when the request is answered. `letGo` gives up what can be done without, where others need its room. */
  keep(letGo?: () => void): Keeping;
}

/** One answer on its way. */
export interface Receiving {
  /** So much of it is here. */
  size(bytes: number): void;
  /** It is complete, or nobody waits for it any more. */
  end(): void;
}

/** What stays beyond one request. */
export interface Keeping {
  /** So much of it stays from now on. False: there is no room for more, and as much as before is counted. */
  size(bytes: number): boolean;
  /** Nothing of it stays. */
  end(): void;
}
