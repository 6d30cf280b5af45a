/** What is said of the session in which a request was made, and what that means for whoever asks next. */
import type { Peek } from '../framing/peek.ts';
import type { HttpHead } from './link.ts';
import { isSessionLost, isSessionUnopened, maySessionBeLost } from './lost-session.ts';

/** One request, in a session or in none. */
export class SessionDenials {
  /** The session may be lost, with nothing proven of the request. */
  isDoubted = false;
  /** The server says itself that the session was never opened: where it is in doubt, nothing more is asked. */
  isUnopened = false;
  readonly #session: string | undefined;
  readonly #id: string | number | undefined;

  /** `id`: what the server knows the request by. */
  constructor(session: string | undefined, id: string | number | undefined) {
    this.#session = session;
    this.#id = id;
  }

  /** Does an answer prove that the server does not know the session? Of several answers the last counts. */
  deny(head: HttpHead, said: Buffer, seen: Peek): boolean {
    const session = this.#session;
    if (session === undefined) return false;
    this.isDoubted = false;
    this.isUnopened = false;
    // Most answers are this one, and are looked at no further.
    if (head.status < 300 && seen.kind === 'response' && !seen.hasError) return false;
    this.#doubt(head, said, session);
    return isSessionLost(head, said, { session, id: this.#id });
  }

  /** Hears what is no answer. */
  hear(head: HttpHead, said: Buffer): void {
    const session = this.#session;
    if (session !== undefined) this.#doubt(head, said, session);
  }

  #doubt(head: HttpHead, said: Buffer, session: string): void {
    this.isDoubted ||= maySessionBeLost(head, said, session);
    this.isUnopened ||= this.isDoubted && isSessionUnopened(head, said);
  }
}
