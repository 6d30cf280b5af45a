/** A message is brought to an endpoint as a request over HTTP, and what is said to it is read as it comes. */
import { Reply, type RequestHead, receive } from '@mayday/relay';
import type { MessageDoorOptions } from './message-door-options.ts';
import { MessageResponse } from './message-response.ts';

/** What is done with what is said to a request. */
export type VisitEvents = Omit<ConstructorParameters<typeof MessageResponse>[0], 'unread'>;

/** The requests of one caller, and the answers that have not ended. */
export class Visits {
  readonly #options: Pick<MessageDoorOptions, 'unread' | 'admit' | 'turnAway' | 'onBug'>;
  readonly #live: Set<MessageResponse> = new Set();

  constructor(options: Pick<MessageDoorOptions, 'unread' | 'admit' | 'turnAway' | 'onBug'>) {
    this.#options = options;
  }

  /** The reader has caught up. */
  drained(): void {
    for (const response of this.#live) response.drained();
  }

  /** Where a request will be answered. */
  respond(events: VisitEvents): MessageResponse {
    const response: MessageResponse = new MessageResponse({
      ...events,
      onEnd: () => {
        this.#live.delete(response);
        events.onEnd();
      },
      unread: this.#options.unread,
    });
    this.#live.add(response);
    return response;
  }

  /** Asks. A mistake of ours is an answer too. */
  knock(request: RequestHead, body: Buffer, response: MessageResponse): void {
    const reply = new Reply(response);
    const { admit, turnAway, onBug } = this.#options;
    try {
      const entry = admit(request, reply);
      if (entry === undefined) return;
      receive(entry, body, () => turnAway('too_large', reply, request));
    } catch (error) {
      onBug(error);
      if (reply.isOpen) turnAway('bug', reply, request);
      else reply.abort();
    }
  }
}
