/** Who hears it when a server tells of its work elsewhere than in its answer: the calls of the same session. */
import { messagesIn } from '../framing/batch.ts';
import type { Peek } from '../framing/peek.ts';
import { type AskedAs, answeredId } from '../links/asked-as.ts';
import { RefusedRequests } from '../links/refused-requests.ts';
import { tellsOfWork } from '../protocol/tells-of-work.ts';

/** A call that is under way. */
interface Hearing {
  readonly asked: Pick<AskedAs, 'mayBeAnsweredUnder'>;
  /** The server has told of work that may be the call's. */
  readonly onTold: () => void;
}

/** Calls that are under way, by the session that they are in. */
export class Tellings {
  readonly #open: Map<string, Set<Hearing>> = new Map();
  /** Those that were refused, and may be made again. */
  readonly refused: RefusedRequests = new RefusedRequests();

  /** Tells `call` when work is told of in this session; what it gives ends that. */
  during(session: string | undefined, call: Hearing): () => void {
    if (session === undefined) return () => undefined;
    const calls = this.#open.get(session) ?? new Set();
    this.#open.set(session, calls.add(call));
    return () => {
      if (calls.delete(call) && calls.size === 0) this.#open.delete(session);
    };
  }

  /**
   * What the server said in this session, whether it goes on or not, but for signs of life. An answer that is out of its place
   * concerns the call that it names; whose work anything else tells of is not said, so it concerns all of them.
   */
  hear(session: string | undefined, bytes: Buffer, seen: Peek): void {
    if (session === undefined) return;
    for (const message of messagesIn(bytes, seen)) this.#hear(session, message.bytes, message.seen);
  }

  #hear(session: string, message: Buffer, seen: Peek): void {
    const calls = this.#open.get(session) ?? [];
    if (seen.kind === 'response') {
      const id = answeredId(message, seen);
      for (const { asked, onTold } of calls) if (asked.mayBeAnsweredUnder(id)) onTold();
      this.refused.answered(id, message, seen, session);
    } else if (seen.kind === 'invalid' || tellsOfWork(seen.method)) this.tell(session);
  }

  /** It has told of work in this session, or has begun to say something there, and not for whom. */
  tell(session: string | undefined): void {
    if (session === undefined) return;
    for (const { onTold } of this.#open.get(session) ?? []) onTold();
    this.refused.told({ session });
  }
}
