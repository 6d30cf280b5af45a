/** What a door for messages is told: whom it speaks with, and who answers. */
import type { Entry, Reply, RequestHead, TurnedAway } from '@mayday/relay';
import type { DoorMessage } from './message-request.ts';

/** Who is spoken with, and who answers. */
export interface MessageDoorOptions {
  /** The path of the endpoint that answers. */
  readonly path: string;
  readonly maxDepth: number;
  /** Says one message to whoever asks. False: the reader is behind. */
  readonly say: (message: Buffer) => boolean;
  /** How much waits for the reader. */
  readonly unread: () => number;
  /** Holds back whoever asks, or lets it go on; where nobody can, what it asks is bounded elsewhere. */
  readonly pause?: (() => void) | undefined;
  readonly resume?: (() => void) | undefined;
  /** So much is held of messages that are not asked yet, or may have to be said again. */
  readonly holds?: ((bytes: number) => void) | undefined;
  /** The line in which a request waits for its turn; none where it never waits. */
  readonly lineOf: (message: DoorMessage) => string | undefined;
  /** May this be said once more, where the server has forgotten the conversation? */
  readonly mayRepeat: (message: DoorMessage) => boolean;
  /** Looks at a request; answers it, or says who will. */
  readonly admit: (request: RequestHead, reply: Reply) => Entry | undefined;
  /** Answers a request that does not get that far. */
  readonly turnAway: (reason: TurnedAway, reply: Reply, request: RequestHead) => void;
  readonly onBug: (error: unknown) => void;
}
