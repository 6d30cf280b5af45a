/**
 * What a server says unasked, heard for as long as the conversation lasts. A stream that ends is opened again after pauses
 * that double, where the one before has stopped.
 */
import { type CarriedHeaders, type Conversation, listening } from './message-request.ts';
import type { MessageResponse } from './message-response.ts';
import type { Visits } from './visits.ts';

const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 30_000;

/** Who listens, and to what. */
export interface StandingStreamOptions {
  readonly visits: Visits;
  readonly conversation: () => Conversation;
  readonly about: () => { readonly path: string; readonly headers: CarriedHeaders };
  /** Does nobody listen any more? */
  readonly isOver: () => boolean;
  /** Says one message to whoever listens. False: the reader is behind. */
  readonly say: (message: Buffer) => boolean;
}

/** One conversation's stream that stands. */
export class StandingStream {
  readonly #options: StandingStreamOptions;
  #current: MessageResponse | undefined;

  constructor(options: StandingStreamOptions) {
    this.#options = options;
  }

  /** Opens it, where there is a conversation. */
  listen(): void {
    this.#listen(FIRST_PAUSE_MS);
  }

  /** Ends it. */
  close(): void {
    this.#current?.destroy();
  }

  #listen(pauseMs: number, last?: string): void {
    const { visits, isOver, say } = this.#options;
    const conversation = this.#options.conversation();
    const { session, version } = conversation;
    const isOpen = session !== undefined || version !== undefined; // the server has agreed to a conversation
    if (isOver() || !isOpen) return;
    let lastEventId = last;
    let status = 0;
    let heard = false;
    const response = visits.respond({
      onHead: (said) => {
        status = said;
      },
      onMessage: (said, eventId) => {
        if (status !== 200) return true;
        heard = true;
        lastEventId = eventId ?? lastEventId;
        return say(said);
      },
      onEnd: () => {
        if (this.#current === response) this.#current = undefined;
        if (status !== 200 || isOver() || this.#options.conversation().session !== session) return;
        const again = heard ? FIRST_PAUSE_MS : Math.min(LAST_PAUSE_MS, pauseMs * 2);
        setTimeout(() => this.#listen(again, lastEventId), pauseMs).unref();
      },
    });
    this.#current = response;
    visits.knock(listening(conversation, { ...this.#options.about(), lastEventId: last }), EMPTY, response);
  }
}

const EMPTY: Buffer = Buffer.alloc(0);
