/** Requests that a server has refused under a status of HTTP: what it says of them on another way takes that back. */
import { withId } from '../framing/ids.ts';
import type { Peek } from '../framing/peek.ts';
import type { Late } from './link.ts';
import { Recent } from './recent.ts';

/** What is left of a request. */
interface Refused {
  /** Who hears of it. */
  readonly late: Late;
  /** The caller's id, as the bytes that came. */
  readonly callersId: Buffer;
  /** Where ids mean something in a session only. */
  readonly session?: string | undefined;
  /** Under which the server tells how it goes on. */
  readonly token?: string | undefined;
}

/** The same, with when that was. */
interface Kept extends Refused {
  readonly at: number;
}

/** Whom it may be about. */
interface Told {
  readonly id?: string | number | undefined;
  readonly session?: string | undefined;
  readonly withinMs?: number;
}

/** Those of one server, the newest of them. */
export class RefusedRequests {
  readonly #recent: Recent<Kept> = new Recent();

  /** `id`: what the server knew it by. Nothing of the request's own bytes is held. */
  keep(id: string | number, { late, callersId, session, token }: Refused): void {
    this.#recent.keep(keyOf(id, session), {
      late,
      callersId: Buffer.from(callersId),
      session,
      token,
      at: Date.now(),
    });
  }

  /** A response where no answer belongs, under the id that `answeredId` gives. */
  answered(id: string | undefined, bytes: Buffer, seen: Peek, session?: string): void {
    const refused = id === undefined ? undefined : this.#recent.get(keyOf(id, session));
    if (id === undefined) this.told({ session });
    else refused?.late.answered(withId(bytes, seen, refused.callersId));
  }

  /** The server has told of work, and where no `id` is given, not for whom: those may be meant that were refused `withinMs`. */
  told({ id, session, withinMs = Number.POSITIVE_INFINITY }: Told = {}): void {
    const since = Date.now() - withinMs;
    if (id !== undefined) this.#recent.get(keyOf(id, session))?.late.told();
    else
      for (const one of this.#recent.values())
        if (one.session === session && one.at >= since) one.late.told();
  }

  /** It has told of work under this token, where nobody else is named. */
  toldUnder(token: string): void {
    for (const one of this.#recent.values()) if (one.token === token) one.late.told();
  }
}

function keyOf(id: string | number, session = ''): string {
  return `${session} ${id}`;
}
