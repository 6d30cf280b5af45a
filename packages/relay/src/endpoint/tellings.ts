/** Who hears it when a server tells of its work elsewhere than in its answer: the calls of the same session. */
import { peek } from '../framing/peek.ts';
import { tellsOfWork } from '../protocol/tells-of-work.ts';

/** Calls that are under way, by the session that they are in. */
export class Tellings {
  readonly #open: Map<string, Set<() => void>> = new Map();

  /** Calls `onTold` when work is told of in this session; what it gives ends that. */
  during(session: string | undefined, onTold: () => void): () => void {
    if (session === undefined) return () => undefined;
    const calls = this.#open.get(session) ?? new Set();
    this.#open.set(session, calls.add(onTold));
    return () => {
      if (calls.delete(onTold) && calls.size === 0) this.#open.delete(session);
    };
  }

  /** A message of the server that came in this session. Whose work it tells of is not said, so it concerns all of them. */
  hear(session: string | undefined, message: Buffer): void {
    const calls = session === undefined ? undefined : this.#open.get(session);
    if (calls === undefined || !tellsOfWork(peek(message).method)) return;
    for (const onTold of calls) onTold();
  }
}
