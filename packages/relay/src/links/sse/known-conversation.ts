/** Asks a server over its stream whether it still knows a conversation, with a question that does no harm. */
import { idOf } from '../../framing/ids.ts';
import { peek } from '../../framing/peek.ts';
import { KNOWN_ID, PATIENCE_MS } from '../known-session.ts';
import { type HttpHead, NO_HEAD } from '../link.ts';
import { isSessionLost, maySessionBeLost } from '../lost-session.ts';

/** What is said on the stream stands under no status of its own. */
export const SAID: HttpHead = { ...NO_HEAD, status: 200 };

/** May what a server says on its stream mean that it does not know the conversation of this name? */
export function mayBeDenied(said: Buffer, session: string): boolean {
  return maySessionBeLost(SAID, said, session);
}

/** One question at a time, for everybody who waits for what comes of it. */
export class KnownConversation {
  #asking: Promise<boolean> | undefined;
  #settle: ((isLost: boolean) => void) | undefined;
  #wasAsked = false;

  get isAsking(): boolean {
    return this.#asking !== undefined;
  }

  /** Is it lost? Who does not say so, or nothing in time, may know it. */
  ask(post: () => void): Promise<boolean> {
    if (this.#asking !== undefined) return this.#asking;
    this.#wasAsked = true;
    this.#asking = new Promise((resolve) => {
      const late = setTimeout(() => this.#settle?.(false), PATIENCE_MS).unref();
      this.#settle = (isLost) => {
        clearTimeout(late);
        this.#asking = undefined;
        this.#settle = undefined;
        resolve(isLost);
      };
    });
    post();
    return this.#asking;
  }

  /** Takes what the stream says to the question; `false`: it is something else. An error under no id is about what was asked last. */
  hears(said: Buffer, session: string): boolean {
    if (!this.#wasAsked) return false;
    const seen = peek(said);
    const id = seen.kind === 'response' ? idOf(said, seen) : null;
    const isNameless = id === undefined && this.isAsking && mayBeDenied(said, session);
    if (id !== KNOWN_ID && !isNameless) return false;
    this.#settle?.(mayBeDenied(said, session));
    return true;
  }

  /** What the question was answered with where it was posted. */
  posted(head: HttpHead, said: Buffer, session: string): void {
    if (isSessionLost(head, said, { session, id: KNOWN_ID }) || maySessionBeLost(head, said, session))
      this.#settle?.(true);
  }

  /** Nobody waits any more. */
  end(): void {
    this.#settle?.(false);
  }
}
