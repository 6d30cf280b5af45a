/** What has opened a conversation, and what it was told since that lasts: said again where the server has forgotten it. */
import { Lasting } from '@mayday/relay';
import { type DoorMessage, messageIn } from './message-request.ts';

/** So much is told a new conversation at once. */
const AT_ONCE = 20;

/** How messages are said once more. */
export interface Saying {
  /** Says one, and gives the answer to it. */
  readonly say: (message: DoorMessage) => Promise<Buffer | undefined>;
  /** Has the server agreed to the new conversation? */
  readonly isOpen: () => boolean;
  readonly maxDepth: number;
}

/** How one caller's conversation is opened. */
export class Opening {
  #opening: DoorMessage | undefined;
  #opened: DoorMessage | undefined;
  readonly #lasting: Lasting = new Lasting();

  /** How much memory it takes. */
  get held(): number {
    return (this.#opening?.body.length ?? 0) + (this.#opened?.body.length ?? 0);
  }

  /** Takes note of a message. Returns how to forget it, for when the server refuses it. */
  see(message: DoorMessage): (() => void) | undefined {
    const { kind, method } = message.peek;
    if (method === 'initialize' && kind === 'request') this.#opening = message;
    if (method === 'notifications/initialized') this.#opened = message;
    return message.isModern ? undefined : this.#lasting.see(message.body, message.peek);
  }

  /** Opens a conversation like the one before. What the server says, where it will not. */
  async sayAgain({ say, isOpen, maxDepth }: Saying): Promise<Buffer | undefined> {
    const answer = this.#opening && (await say(this.#opening));
    if (!isOpen()) return answer;
    if (this.#opened !== undefined) await say(this.#opened);
    const lasting = this.#lasting.again.map((body) => messageIn(body, maxDepth, this.#opening?.headers));
    for (let first = 0; first < lasting.length; first += AT_ONCE)
      await Promise.all(lasting.slice(first, first + AT_ONCE).map(say));
    return undefined;
  }
}
