/** Requests and notifications that the server sends to one client. */
import { type Clock, within } from './clock.ts';
import type { RequestId, Response } from './wire/message.ts';

/** Puts a message on the wire, and says whether there is one; `related` is the client's request that it belongs to. */
export type Send = (message: object, related?: RequestId) => boolean;

/** The client answered with an error. Its words are the client's and go no further. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  readonly code: number;

  constructor(code: number) {
    super(`The client answered with error ${code}`);
    this.code = code;
  }
}

/** The client did not answer in time. */
export class PeerTimeout extends Error {
  override readonly name = 'PeerTimeout';
}

/** The client's side of a session. */
export interface Peer {
  /** False when nobody listens. */
  notify(method: string, params: object, related?: RequestId): boolean;
  /** Asks the client; rejects with `PeerError` or `PeerTimeout`. */
  request(method: string, params: object, timeoutMs: number, related?: RequestId): Promise<unknown>;
  /** Takes the client's answer; false when nobody waits for it. */
  settle(response: Response): boolean;
}

/** A peer behind a way to send. */
export function createPeer(send: Send, clock: Clock): Peer {
  const waiting = new Map<RequestId, { resolve(result: unknown): void; reject(reason: Error): void }>();
  let last = 0;
  return {
    notify: (method, params, related) => send({ jsonrpc: '2.0', method, params }, related),
    async request(method, params, timeoutMs, related) {
      const id = `server-${++last}`;
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
      send({ jsonrpc: '2.0', id, method, params }, related);
      try {
        return await within(clock, timeoutMs, answer, () => new PeerTimeout(method));
      } finally {
        waiting.delete(id);
      }
    },
    settle({ id, result, error }) {
      const asked = waiting.get(id);
      if (error === undefined) asked?.resolve(result);
      else asked?.reject(new PeerError(codeOf(error)));
      return asked !== undefined;
    },
  };
}

function codeOf(error: unknown): number {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : 0;
}
