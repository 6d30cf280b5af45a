/** What a server says in the stream of a call, as far as it decides how long that may take. */
import {
  type Back,
  decode,
  isQuestion,
  locate,
  type OpenQuestion,
  peek,
  type Related,
  type WireCall,
} from '@mayday/relay';

/**
 * Does it tell that the call goes on? Its own progress does, a log message, and a question to the client; so does all that comes
 * to a subscription. What is about the connection (a `ping`, a comment), about other calls or about lists does not.
 */
export function tellsOfCall({ method, meta }: Pick<WireCall, 'method' | 'meta'>, data: Buffer): boolean {
  if (data.length === 0) return false;
  if (method === 'subscriptions/listen') return true;
  const seen = peek(data);
  if (seen.method !== 'notifications/progress')
    return seen.method === 'notifications/message' || isQuestion(seen);
  const token = locate(data, seen.paramsStart, 'progressToken');
  return meta?.['progressToken'] === (token && decode(data.subarray(token.start, token.end)));
}

/** The questions that came in the stream of one call. */
export class OwnQuestions {
  readonly #back: Back;
  #asked: OpenQuestion[] = [];

  constructor(back: Back) {
    this.#back = back;
  }

  /** Passes a message on. False: the reader is behind. */
  pass(message: Related): boolean {
    const before = this.#back.asks?.newest;
    const isInTime = this.#back.related(message);
    const newest = this.#back.asks?.newest;
    if (newest !== undefined && newest !== before) this.#asked.push(newest);
    return isInTime;
  }

  /** Since when somebody keeps the call waiting whose server was heard of then: a question that stays open counts, whatever is said beside it. */
  waitingSince(heardAt: number): number {
    this.#asked = this.#asked.filter(({ isOpen }) => isOpen);
    return Math.min(heardAt, this.#asked[0]?.askedAt ?? heardAt);
  }

  /** From when on a server has its time that was heard of then: whoever was answered meanwhile has it from that answer on. */
  answeredSince(heardAt: number): number {
    return Math.max(heardAt, this.#back.asks?.answeredAt ?? heardAt);
  }
}
