/**
 * Who hears it when a server tells of its work elsewhere than in its answer: the calls of the same session. Where there is
 * none, strangers may speak, and only what names a call concerns it.
 */
import { messagesIn } from '../framing/batch.ts';
import type { Peek } from '../framing/peek.ts';
import { type AskedAs, answeredId, tokenIn } from '../links/asked-as.ts';
import { RefusedRequests } from '../links/refused-requests.ts';
import { tellsOfWork } from '../protocol/tells-of-work.ts';

/** By what the server knows a call. */
type Asked = Pick<AskedAs, 'mayBeAnsweredUnder' | 'token'>;

/** A call that is under way. */
interface Hearing {
  readonly asked: Asked;
  /** The server has told of work that may be the call's. */
  readonly onTold: () => void;
  /** Has something begun in the stream of its answer that may be about others, and whose end has not come? */
  readonly isSayingMore: () => boolean;
}

/** Calls that are under way, by the session that they are in. */
export class Tellings {
  readonly #open: Map<string | undefined, Set<Hearing>> = new Map();
  /** Those that were refused, and may be made again. */
  readonly refused: RefusedRequests = new RefusedRequests();

  /** Tells `call` when work is told of in this session, or of it by name; what it gives ends that. */
  during(session: string | undefined, call: Hearing): () => void {
    const calls = this.#open.get(session) ?? new Set();
    this.#open.set(session, calls.add(call));
    return () => {
      if (calls.delete(call) && calls.size === 0) this.#open.delete(session);
    };
  }

  /**
   * What the server said in this session, whether it goes on or not, but for signs of life. An answer that is out of its place
   * concerns the call that it names; whose work anything else tells of is not said, so it concerns all of them. `within`: it
   * was said in the stream of this call.
   */
  hear(session: string | undefined, bytes: Buffer, seen: Peek, within?: Asked): void {
    for (const message of messagesIn(bytes, seen)) {
      if (session === undefined) this.#hearNamed(message.bytes, message.seen, within);
      else this.#hear(session, message.bytes, message.seen);
    }
  }

  #hear(session: string, message: Buffer, seen: Peek): void {
    if (seen.kind === 'response') this.#answered(session, message, seen);
    else if (seen.kind === 'invalid' || tellsOfWork(seen.method)) this.tell(session);
  }

  /** Strangers may have the same token, but none the same id. */
  #hearNamed(message: Buffer, seen: Peek, within: Asked | undefined): void {
    if (seen.kind === 'response') {
      if (answeredId(message, seen) !== undefined) this.#answered(undefined, message, seen);
      return;
    }
    const token = tellsOfWork(seen.method) ? tokenIn(message, seen) : undefined;
    if (token === undefined || token === within?.token) return;
    for (const { asked, onTold } of this.#open.get(undefined) ?? []) if (asked.token === token) onTold();
    this.refused.toldUnder(token);
  }

  #answered(session: string | undefined, message: Buffer, seen: Peek): void {
    const id = answeredId(message, seen);
    for (const { asked, onTold } of this.#open.get(session) ?? []) if (asked.mayBeAnsweredUnder(id)) onTold();
    this.refused.answered(id, message, seen, session);
  }

  /** It has told of work in this session, or has begun to say something there, and not for whom. */
  tell(session: string | undefined): void {
    if (session === undefined) return;
    for (const { onTold } of this.#open.get(session) ?? []) onTold();
    this.refused.told({ session });
  }

  /** Is it in the middle of saying something in the stream of a call in this session? */
  isSayingMore(session: string | undefined): boolean {
    if (session === undefined) return false;
    return [...(this.#open.get(session) ?? [])].some((call) => call.isSayingMore());
  }
}
