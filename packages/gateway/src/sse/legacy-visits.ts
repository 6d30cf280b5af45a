/** Requests of callers who only speak the transport of 2024-11-05, once it is clear that they may come in. */
import { type Reply, type RequestHead, type Visit, wrongMedia } from '@mayday/relay';
import type { Door } from '../http/door.ts';
import type { Holding } from '../http/holdings.ts';
import { type DoorFault, NO_CONVERSATION } from '../http/refusals.ts';
import { type Match, pathUnder } from '../http/routes.ts';
import type { KnownCaller } from '../identity/keys.ts';
import { lineOf } from '../messages/line-of.ts';
import { mayRepeat } from '../messages/may-repeat.ts';
import type { DoorMessage } from '../messages/message-request.ts';
import type { Setup } from '../setup.ts';
import type { SseConversations } from './conversations.ts';

/** Who answers what their messages ask. */
interface LegacyOptions {
  readonly setup: () => Setup;
  readonly root?: string | undefined;
  readonly conversations: SseConversations;
  /** A request over streamable HTTP that was made of a message. */
  readonly admit: Door['admitKnown'];
  readonly turnAway: Door['turnAway'];
  readonly onBug: (error: unknown) => void;
}

/** Answers them. */
export interface LegacyVisits {
  /** A stream that stands for a conversation, or a message for one. */
  handle(
    visit: Visit & { readonly caller: KnownCaller; readonly holding: Holding },
    match: Match,
    refused: (fault: DoorFault) => undefined,
  ): void;
}

/** Answers them in these conversations. */
export function createLegacyVisits(options: LegacyOptions): LegacyVisits {
  const { setup, conversations, admit, turnAway, onBug } = options;
  const ask = (asked: RequestHead, message: Buffer, reply: Reply, by: KnownCaller): void =>
    admit(asked, reply, by)?.handle(message);
  return {
    handle({ request, body, reply, caller, holding }, match, refused) {
      const path = pathUnder(match, 'mcp');
      const isMessage = match.route.legacy === 'messages';
      const media = wrongMedia(isMessage ? withoutAccept(request) : request);
      if (media !== undefined) refused(media);
      else if (isMessage) {
        holding.release(); // from here on it is what the conversation holds, or whoever answers it
        if (!conversations.receive({ request, body, reply, caller, path })) refused(NO_CONVERSATION);
      } else {
        const { depth: maxDepth } = setup().settings.limits;
        const messages = pathUnder(match, 'messages');
        const repeats = (message: DoorMessage): boolean => mayRepeat(message, path, options);
        const line = (message: DoorMessage): string | undefined => lineOf(message, path, options);
        const about = { path, messages, maxDepth, lineOf: line, mayRepeat: repeats };
        conversations.open({ reply, caller, holding, ...about, ask, turnAway, onBug });
      }
    },
  };
}

/** The answer of a post is nothing that anybody reads. */
function withoutAccept(request: RequestHead): RequestHead {
  return { ...request, headers: { ...request.headers, accept: undefined } };
}
