/** Conversations over streamable HTTP: POST for messages, GET for what the server says unasked, DELETE to end one. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FaultError, fault } from '@mayday/core';
import { createCollector } from '../collector.ts';
import { isBadLine, isId, parseBytes, readMessage, tooLarge } from '../messages.ts';
import { foreign, LOCAL } from '../node-handler.ts';
import type { RequestId } from '../shapes.ts';
import type { Conversation, Refused, Send } from './conversation.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { refusing } from './sayable.ts';

/** What is served. */
export interface SessionsOptions {
  readonly maxBodyBytes: number;
  open(id: string, send: Send): SessionConversation;
  /** The answer to a request that is no message. */
  refuse(refused: Refused): object | undefined;
  /** The sessions that any process on the same data serves; absent, a session ends with the process that opened it. */
  readonly kept?: KeptSessions | undefined;
  /** Those other processes. */
  readonly others?: OtherProcesses | undefined;
}

/** Which sessions there are. What each of them has come to is kept by whoever opens its conversation. */
export interface KeptSessions {
  has(id: string): boolean;
  end(id: string): void;
  /** A session of this worth is used: requests are under way in it here, or no more. */
  uses?(id: string, worth: number, isUnderWay: boolean): void;
}

/** The other processes that serve the same sessions. */
export interface OtherProcesses {
  /** Tells all of them. */
  tell(news: object): void;
  /** Hears what any of them tells; what else they tell each other may come along. */
  follow(hear: (news: object) => void): void;
}

/** What one process tells the others of a session: each of them may hold a part of it. */
interface Letter {
  readonly session: string;
  /** Answers of the client's, and what it takes back: what they are about may run elsewhere. */
  readonly messages?: readonly unknown[];
  /** A question to the client, for the stream that it listens on. */
  readonly question?: object;
  /** It is over, or the client listens here now. */
  readonly over?: 'session' | 'stream';
}

/** A conversation that a session holds. */
export interface SessionConversation extends Pick<Conversation, 'receive' | 'close'> {
  /** Has the client introduced itself? Any other starts again with its next message. */
  isOpen(): boolean;
  /** Where there are too many, those of the least worth end first, and of these the one that was not used for longest. */
  worth?(): number;
  /** The client has opened the stream for what the server says unasked, or it is closed. */
  listens?(isListening: boolean): void;
  /** Is the stream that was opened last one of this process? */
  isListenedHere?(): boolean;
}

/** All sessions of a server. */
export interface Sessions {
  /** A listener of `node:http`, for `/mcp`. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Stops what runs in all of them. */
  close(reason: string): void;
}

/** A session: its conversation, and the responses that are open for it. */
interface Session {
  readonly id: string;
  readonly conversation: SessionConversation;
  readonly exchanges: Map<RequestId, Exchange>;
  unasked: Exchange | undefined;
}

const SESSION = 'mcp-session-id';

/** Beyond this many sessions, one in which nothing is under way ends, or is let go where it is kept elsewhere. */
const MAX_SESSIONS = 1000;

/** A refusal before there is a message: what is wrong, and the status that says so. */
class Refusal extends Error {
  readonly status: number;
  readonly thrown: FaultError;
  readonly id: RequestId | null;

  constructor(status: number, thrown: FaultError, id: RequestId | null = null) {
    super('Refused');
    this.status = status;
    this.thrown = thrown;
    this.id = id;
  }
}

/** Serves any number of clients. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: small functions around one map of sessions
export function createSessions({ maxBodyBytes, open, refuse, kept, others }: SessionsOptions): Sessions {
  const sessions = new Map<string, Session>();
  const tell = (letter: Letter): void => others?.tell(letter);
  others?.follow((news) => hear(news as Letter));

  function start(id: string = randomUUID()): Session {
    const exchanges = new Map<RequestId, Exchange>();
    const send: Send = (message, related) => {
      const exchange = (related === undefined ? undefined : exchanges.get(related)) ?? session.unasked;
      exchange?.push(message);
      if (exchange === undefined && 'id' in message) tell({ session: id, question: message });
      return exchange !== undefined;
    };
    const session: Session = { id, exchanges, unasked: undefined, conversation: open(id, send) };
    return session;
  }

  function keep(session: Session): void {
    if (!session.conversation.isOpen()) {
      session.conversation.close('not_initialized');
      return;
    }
    hold(session);
  }

  function hold(session: Session): void {
    touch(session);
    if (sessions.size <= MAX_SESSIONS) return;
    const idle = [...sessions.values()].filter((one) => one !== session && one.exchanges.size === 0);
    // What is kept elsewhere is only let go here: with its next request it is there again.
    if (kept === undefined)
      idle
        .sort((one, other) => worthOf(one) - worthOf(other))
        .slice(0, 1)
        .forEach(end);
    else idle.slice(0, 1).forEach(leave);
  }

  /** The last of the map is the one that was used last. */
  function touch(session: Session): void {
    const { id, exchanges } = session;
    sessions.delete(id);
    sessions.set(id, session);
    kept?.uses?.(id, worthOf(session), exchanges.size > 0);
  }

  function end(session: Session): void {
    kept?.end(session.id);
    leave(session);
    tell({ session: session.id, over: 'session' });
  }

  /** Lets go of a session that is over. */
  function leave(session: Session): void {
    sessions.delete(session.id);
    session.conversation.close('session_closed');
    session.unasked?.end(undefined);
  }

  /** Takes what came to another process, where this one holds the session too. */
  function hear({ session: id, messages, question, over }: Letter): void {
    const session = sessions.get(id);
    if (session === undefined) return;
    if (over === 'session') leave(session);
    // The stream may have come back by the time that one hears of it.
    else if (over === 'stream' && session.conversation.isListenedHere?.() !== true)
      session.unasked?.end(undefined);
    if (question !== undefined) session.unasked?.push(question);
    if (messages !== undefined) void session.conversation.receive(messages);
  }

  /** The session that a request names; none when it names none. */
  function find({ headers }: IncomingMessage, asking: RequestId | null = null): Session | undefined {
    if (headers[SESSION] === undefined) return undefined;
    const id = String(headers[SESSION]);
    const here = sessions.get(id);
    if (kept === undefined ? here !== undefined : kept.has(id)) return here ?? recall(id);
    if (here !== undefined) leave(here);
    const subject = { type: 'session' };
    throw new Refusal(404, fault.expired('The session does not exist any more', { subject }), asking);
  }

  /** A session that another process has opened, or the one before this. */
  function recall(id: string): Session {
    const session = start(id);
    hold(session);
    return session;
  }

  async function post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    checkMedia(request);
    const value = await valueIn(request, maxBodyBytes);
    const known = find(request, requestIn(value));
    const session = known ?? start();
    const { exchanges, conversation } = session;
    const exchange = createExchange(response, () =>
      sessions.has(session.id) ? { [SESSION]: session.id } : {},
    );
    const ids = idsIn(value);
    const own = ids.filter((id) => !exchanges.has(id));
    for (const id of own) exchanges.set(id, exchange);
    if (known !== undefined) touch(session);
    const answer = await conversation.receive(value, request.headers);
    for (const id of own) exchanges.delete(id);
    if (known === undefined) keep(session);
    else {
      if (sessions.has(session.id)) touch(session);
      passOn(session, value);
    }
    const isForNobody = ids.length === 0 || (answer as { id?: unknown } | undefined)?.id === null;
    exchange.end(answer, answer !== undefined && isForNobody ? 400 : undefined);
  }

  /** An answer, or a request that is taken back, may be about something that runs in another process. */
  function passOn({ id }: Session, value: unknown): void {
    if (others === undefined) return;
    const messages = listOf(value).filter(isAboutAnother);
    if (messages.length > 0) tell({ session: id, messages });
  }

  function other(request: IncomingMessage, response: ServerResponse): void {
    const session = find(request);
    if (session === undefined)
      throw new Refusal(400, fault.invalidRequest('A session is required', { subject: { type: 'session' } }));
    if (request.method === 'DELETE') {
      end(session);
      response.writeHead(204).end();
      return;
    }
    checkAccept(request, /text\/event-stream|\*\/\*|text\/\*/i);
    session.unasked?.end(undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream', [SESSION]: session.id });
    response.flushHeaders();
    const unasked = createExchange(response, () => ({}));
    session.unasked = unasked;
    session.conversation.listens?.(true);
    tell({ session: session.id, over: 'stream' });
    response.once('close', () => {
      if (session.unasked !== unasked) return;
      session.unasked = undefined;
      session.conversation.listens?.(false);
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const stranger = foreign(request, LOCAL);
    if (stranger !== undefined) throw new Refusal(stranger.status, stranger.thrown);
    if (new URL(url, 'http://localhost').pathname !== '/mcp') response.writeHead(404).end();
    else if (method === 'POST') await post(request, response);
    else if (method === 'GET' || method === 'DELETE') other(request, response);
    else {
      response.setHeader('allow', 'POST, GET, DELETE');
      throw new Refusal(405, fault.unsupported('Method not allowed'));
    }
  }

  return {
    listener: async (request, response) =>
      serve(request, response).catch((reason: unknown) => {
        const { thrown, id, status } =
          reason instanceof Refusal ? reason : { thrown: reason, id: null, status: 500 };
        const answer = refusing(refuse)({ thrown, id, method: '', takenBack: false });
        createExchange(response, () => ({})).end(answer, status);
      }),
    close(reason) {
      for (const session of sessions.values()) {
        session.conversation.close(reason);
        if (session.unasked !== undefined) session.conversation.listens?.(false);
        session.unasked = undefined;
      }
    },
  };
}

function worthOf({ conversation }: Session): number {
  return conversation.worth?.() ?? 0;
}

/** Bodies are JSON, and so are answers, or a stream of it. */
function checkMedia(request: IncomingMessage): void {
  const { 'content-type': given = '' } = request.headers;
  if (given.split(';')[0]?.trim().toLowerCase() !== 'application/json') throw badMedia(415, given);
  checkAccept(request, /application\/json|text\/event-stream|\*\/\*|application\/\*/i);
}

function checkAccept({ headers: { accept = '*/*' } }: IncomingMessage, offered: RegExp): void {
  if (!offered.test(accept)) throw badMedia(406, accept);
}

function badMedia(status: number, type: string): Refusal {
  const details = { content_type: type.slice(0, 200) };
  return new Refusal(status, fault.unsupportedMedia('The media type is not supported', { details }));
}

async function valueIn(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const collector = createCollector(maxBytes);
  for await (const chunk of request) collector.push(chunk as Buffer);
  const body = collector.take();
  if (!Buffer.isBuffer(body)) {
    const { thrown, id = null } = tooLarge(body.size, maxBytes, body.id);
    // Whoever can be told by the id of the request gets an answer like any other.
    throw new Refusal(id === null ? 413 : 200, thrown, id);
  }
  const parsed = parseBytes(body);
  if (isBadLine(parsed)) throw new Refusal(400, parsed.thrown);
  return parsed.value;
}

/** The id of the one request that a body holds. */
function requestIn(value: unknown): RequestId | null {
  const { id, method } = (value ?? {}) as { readonly id?: unknown; readonly method?: unknown };
  return isId(id) && typeof method === 'string' ? id : null;
}

function idsIn(value: unknown): readonly RequestId[] {
  return listOf(value)
    .map((message) => (message as { id?: unknown } | null)?.id)
    .filter(isId);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Is it about another message? What is none at all was refused where it came. */
function isAboutAnother(value: unknown): boolean {
  const message = readMessage(value);
  if (isBadLine(message)) return false;
  const { id, method } = message;
  return method === undefined || (id === undefined && method === 'notifications/cancelled');
}
