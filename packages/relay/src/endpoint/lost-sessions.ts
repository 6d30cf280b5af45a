/** Sessions of callers that their server does not know any more, and has not said so in a way that every client understands. */
import { setLast } from '@mayday/policy';
import { isLostWhenAsked, type KnownSessionOptions } from '../links/known-session.ts';
import { SESSION_LOST } from '../links/lost-session.ts';
import { lost, type WireCall, type WireOutcome } from './call.ts';
import type { ReplyHeaders } from './reply.ts';

/** Older ones are found out again. */
const AT_MOST = 1000;

/** What was found out by asking, or said. */
export class LostSessions {
  readonly #lost: Map<string, true> = new Map();
  readonly #asking: Map<string, Promise<boolean>> = new Map();

  has(session: string | undefined): boolean {
    return session !== undefined && this.#lost.has(session);
  }

  /** Some servers give the same name again. */
  opened({ 'mcp-session-id': session }: ReplyHeaders): void {
    if (typeof session === 'string') this.#lost.delete(session);
  }

  /** Settles when it is known whether this one is lost; asked once for everybody who waits. */
  async ask(options: KnownSessionOptions): Promise<void> {
    const { session } = options;
    const asking = this.#asking.get(session) ?? isLostWhenAsked(options);
    this.#asking.set(session, asking);
    const isLost = await asking;
    if (this.#asking.get(session) !== asking) return;
    this.#asking.delete(session);
    if (isLost) this.lose(session);
  }

  /** Where the server has said so itself. */
  lose(session: string): void {
    setLast(this.#lost, session, true, AT_MOST);
  }
}

/** Whatever the server made of it: 404 is what makes clients open a new session. */
export function sessionLost(call: WireCall, original?: Buffer): WireOutcome {
  return { ...lost(call, SESSION_LOST, { status: 404, original }), answered: true };
}
