/** Conversations over streamable HTTP: POST for messages, GET for what the server says unasked, DELETE to end one. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FaultError, fault } from '@mayday/core';
import { createCollector } from '../collector.ts';
import { isBadLine, isId, parseBytes, tooLarge } from '../messages.ts';
import { foreign, LOCAL } from '../node-handler.ts';
import type { RequestId } from '../shapes.ts';
import type { Conversation, Refused, Send } from './conversation.ts';
import { createExchange, type Exchange } from './exchange.ts';

/** What is served. */
export interface SessionsOptions {
  readonly maxBodyBytes: number;
  open(id: string, send: Send): SessionConversation;
  /** The answer to a request that is no message. */
  refuse(refused: Refused): object | undefined;
}

/** A conversation that a session holds. */
export interface SessionConversation extends Pick<Conversation, 'receive' | 'close'> {
  /** Has the client introduced itself? Any other starts again with its next message. */
  isOpen(): boolean;
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

/** Beyond this many sessions, the oldest ends. */
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
export function createSessions({ maxBodyBytes, open, refuse }: SessionsOptions): Sessions {
  const sessions = new Map<string, Session>();

  function start(): Session {
    const id = randomUUID();
    const exchanges = new Map<RequestId, Exchange>();
    const send: Send = (message, related) => {
      const exchange = (related === undefined ? undefined : exchanges.get(related)) ?? session.unasked;
      exchange?.push(message);
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
    sessions.set(session.id, session);
    const [oldest] = sessions.values();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) end(oldest);
  }

  function end(session: Session): void {
    sessions.delete(session.id);
    session.conversation.close('session_closed');
    session.unasked?.end(undefined);
  }

  /** The session that a request names; none when it names none. */
  function find({ headers }: IncomingMessage, asking: RequestId | null = null): Session | undefined {
    const id = headers[SESSION];
    const session = sessions.get(String(id));
    if (id === undefined || session !== undefined) return session;
    const subject = { type: 'session' };
    throw new Refusal(404, fault.expired('The session does not exist any more', { subject }), asking);
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
    const answer = await conversation.receive(value, request.headers);
    for (const id of own) exchanges.delete(id);
    if (known === undefined) keep(session);
    const isForNobody = ids.length === 0 || (answer as { id?: unknown } | undefined)?.id === null;
    exchange.end(answer, answer !== undefined && isForNobody ? 400 : undefined);
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
    session.unasked?.end(undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream', [SESSION]: session.id });
    response.flushHeaders();
    const unasked = createExchange(response, () => ({}));
    session.unasked = unasked;
    response.once('close', () => {
      if (session.unasked === unasked) session.unasked = undefined;
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
        const answer = refuse({ thrown, id, method: '', takenBack: false });
        createExchange(response, () => ({})).end(answer, status);
      }),
    close(reason) {
      for (const session of sessions.values()) session.conversation.close(reason);
    },
  };
}

/** Bodies are JSON, and so are answers, or a stream of it. */
function checkMedia({ headers: { 'content-type': given = '', accept = '*/*' } }: IncomingMessage): void {
  const refused = (status: number, type: string): Refusal => {
    const details = { content_type: type.slice(0, 200) };
    return new Refusal(status, fault.unsupportedMedia('The media type is not supported', { details }));
  };
  if (given.split(';')[0]?.trim().toLowerCase() !== 'application/json') throw refused(415, given);
  if (!/application\/json|text\/event-stream|\*\/\*|application\/\*/i.test(accept))
    throw refused(406, accept);
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
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  return messages.map((message) => (message as { id?: unknown } | null)?.id).filter(isId);
}
