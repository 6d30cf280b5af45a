/**
 * Callers who only speak the transport of 2024-11-05: one stream that stands for the conversation, and messages that are
 * posted to the address that it names first. Answers come over the stream, whatever became of the post.
 */
import { randomUUID } from 'node:crypto';
import { isSameCaller, type Reply, type RequestHead, toEvent } from '@mayday/relay';
import type { Holding } from '../http/holdings.ts';
import type { KnownCaller } from '../identity/keys.ts';
import { MessageDoor } from '../messages/message-door.ts';
import type { MessageDoorOptions } from '../messages/message-door-options.ts';
import { carried, headOfInvalid } from '../messages/message-request.ts';

/** A request over streamable HTTP that was made of a message; whoever serves its path answers it. */
type Ask = (request: RequestHead, body: Buffer, reply: Reply, caller: KnownCaller) => void;

/** What a conversation is opened with. */
interface Opened
  extends Pick<MessageDoorOptions, 'maxDepth' | 'lineOf' | 'mayRepeat' | 'turnAway' | 'onBug'> {
  readonly reply: Reply;
  readonly caller: KnownCaller;
  /** What the conversation holds for its caller. */
  readonly holding: Pick<Holding, 'resize'>;
  /** The path of the endpoint, as streamable HTTP has it. */
  readonly path: string;
  /** Where its messages are posted, without the query that names the conversation. */
  readonly messages: string;
  readonly ask: Ask;
}

/** A message that was posted. */
interface PostedMessage {
  readonly request: RequestHead;
  readonly body: Buffer;
  readonly reply: Reply;
  readonly caller: KnownCaller;
  readonly path: string;
}

/** Who speaks this way just now. */
export interface SseConversations {
  /** Begins one, for as long as its stream stands. */
  open(opened: Opened): void;
  /** Takes a message for one. False: this caller has none under the name that the request gives. */
  receive(posted: PostedMessage): boolean;
  /** Ends all of them; what was said is sent. */
  close(): void;
}

/** Under this name the query of a post says which conversation it is for. */
const NAMED_BY = 'sessionId';

/** Proxies close what is silent for a minute. */
const HEARTBEAT_MS = 25_000;
const PING: Buffer = Buffer.from(': ping\n\n');

/** Nobody speaks yet. `named`: how others know a conversation by its id. */
export function createSseConversations(named: (id: string) => string = (id) => id): SseConversations {
  const open = new Map<string, Conversation>();
  const heartbeat = setInterval(() => {
    for (const { opened } of open.values()) opened.reply.event(PING);
  }, HEARTBEAT_MS).unref();
  return {
    open(opened) {
      const id = named(randomUUID());
      const conversation = new Conversation(opened);
      open.set(id, conversation);
      opened.reply.onClose(() => {
        open.delete(id);
        conversation.left();
      });
      opened.reply.stream();
      opened.reply.event(Buffer.from(`event: endpoint\ndata: ${opened.messages}?${NAMED_BY}=${id}\n\n`));
    },
    receive(posted) {
      const found = open.get(conversationIn(posted.request));
      if (found?.isFor(posted) !== true) return false;
      found.receive(posted);
      return true;
    },
    close() {
      clearInterval(heartbeat);
      for (const { opened } of open.values()) opened.reply.end();
    },
  };
}

/** The conversation that a post is for; nothing, where it names none. */
export function conversationIn({ url = '' }: Pick<RequestHead, 'url'>): string {
  const query = url.indexOf('?');
  return query < 0 ? '' : (new URLSearchParams(url.slice(query)).get(NAMED_BY) ?? '');
}

/** One conversation. */
class Conversation {
  readonly opened: Opened;
  readonly #door: MessageDoor;
  #caller: KnownCaller;
  #unread = 0;

  constructor(opened: Opened) {
    this.opened = opened;
    this.#caller = opened.caller;
    const { reply, holding, path, maxDepth, lineOf, mayRepeat, turnAway, onBug, ask } = opened;
    this.#door = new MessageDoor({
      path,
      maxDepth,
      lineOf,
      mayRepeat,
      turnAway,
      onBug,
      say: (message) => this.#say(message),
      unread: () => this.#unread,
      holds: holding.resize,
      admit: (request, inner) => ({
        maxBodyBytes: Infinity, // it was measured when it was posted
        handle: (body) => ask(request, body, inner, this.#caller),
      }),
    });
    reply.onDrain(() => {
      this.#unread = 0;
      this.#door.drained();
    });
  }

  /** Was it opened by this caller, at this endpoint? Somebody else's is as good as none. */
  isFor({ caller, path }: PostedMessage): boolean {
    return path === this.opened.path && isSameCaller(this.opened.caller, caller);
  }

  /** That a message is taken says nothing about what becomes of it. What is no message at all is refused at once. */
  receive({ request, body, reply, caller }: PostedMessage): void {
    const headers = carried(request.headers);
    this.#caller = caller; // the same one, as it is now
    const { ask, path, maxDepth } = this.opened;
    const invalid = headOfInvalid(body, { path, maxDepth, headers });
    if (invalid !== undefined) ask(invalid, body, reply, caller);
    else {
      reply.raw(202, {});
      this.#door.receive(body, headers);
    }
  }

  left(): void {
    this.#door.leave();
  }

  #say(message: Buffer): boolean {
    const { reply } = this.opened;
    if (reply.event(toEvent(message))) return true;
    this.#unread += message.length;
    return false;
  }
}
