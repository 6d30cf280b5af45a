/** Streamable HTTP: POST for messages, GET for what the server says unasked, DELETE to end a session. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { bearerToken } from '@mayday/reference-shared';
import type { App } from '../app.ts';
import { type Connection, connect, type Facts } from '../connection.ts';
import { cut, raise } from '../errors.ts';
import { refusal } from '../refusal.ts';
import { createCollector } from './collector.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { idOf, parse, type RequestId } from './message.ts';

const SESSION = 'mcp-session-id';
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Beyond this many sessions, the oldest ends. */
const MAX_SESSIONS = 1000;

/** A session over HTTP: its connection, and the responses that are open for it. */
interface HttpSession {
  readonly id: string;
  readonly connection: Connection;
  readonly exchanges: Map<RequestId, Exchange>;
  unasked: Exchange | undefined;
}

/** An HTTP server for any number of clients. Listening is the caller's to start. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: small functions around one map of sessions
export function createHttpServer(app: App): Server {
  const sessions = new Map<string, HttpSession>();

  function open(): HttpSession {
    const id = randomUUID();
    const exchanges = new Map<RequestId, Exchange>();
    const session: HttpSession = {
      id,
      exchanges,
      unasked: undefined,
      connection: connect(app, id, (message, related) => {
        const exchange = (related === undefined ? undefined : exchanges.get(related)) ?? session.unasked;
        exchange?.push(message);
        return exchange !== undefined;
      }),
    };
    return session;
  }

  /** Only a client that has introduced itself gets a session; any other starts again with its next message. */
  function admit(session: HttpSession): void {
    if (session.connection.session.phase === 'pre_initialization') {
      session.connection.close('not_initialized');
      return;
    }
    sessions.set(session.id, session);
    const [oldest] = sessions.values();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) end(oldest);
  }

  function end(session: HttpSession): void {
    sessions.delete(session.id);
    session.connection.close('session_closed');
    session.unasked?.end(undefined);
  }

  async function post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let session: HttpSession | undefined;
    const exchange = createExchange(response, () =>
      session !== undefined && sessions.has(session.id) ? { [SESSION]: session.id } : {},
    );
    let value: unknown;
    let known: HttpSession | undefined;
    try {
      checkContentType(request);
      checkAccept(request);
      value = parse(await bodyOf(request, app.settings.maxMessageBytes));
      known = find(request);
    } catch (reason) {
      const { error, id, status } = refusedBy(reason, value);
      return exchange.end(refusal(app, error, id), id === null || status === 404 ? status : 200);
    }
    session = known ?? open();
    const { exchanges, connection } = session;
    const ids = idsIn(value);
    const own = ids.filter((id) => !exchanges.has(id));
    for (const id of own) exchanges.set(id, exchange);
    const answer = await connection.receive(value, factsOf(request));
    for (const id of own) exchanges.delete(id);
    if (known === undefined) admit(session);
    exchange.end(answer, answer !== undefined && ids.length === 0 ? 400 : undefined);
  }

  /** The session that a request names; none when it names none. */
  function find(request: IncomingMessage): HttpSession | undefined {
    const id = request.headers[SESSION];
    if (id === undefined) return undefined;
    const session = sessions.get(String(id));
    if (session === undefined) throw raise('transport_error', { reason: 'session_not_found' });
    return session;
  }

  function other(request: IncomingMessage, response: ServerResponse): void {
    const session = find(request);
    if (session === undefined) throw raise('transport_error', { reason: 'session_required' });
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
    const { method = '', url = '', headers } = request;
    if (!isLocal(headers)) throw new Refused(403, raise('access_denied', { resource: 'server' }));
    if (new URL(url, 'http://localhost').pathname !== '/mcp') response.writeHead(404).end();
    else if (method === 'POST') await post(request, response);
    else if (method === 'GET' || method === 'DELETE') other(request, response);
    else {
      response.setHeader('allow', 'POST, GET, DELETE');
      throw new Refused(405, raise('invalid_request', 'Method not allowed'));
    }
  }

  return createServer((request, response) => {
    serve(request, response).catch((reason: unknown) => {
      const { error, status } = refusedBy(reason, undefined);
      createExchange(response, () => ({})).end(refusal(app, error, null), status);
    });
  });
}

function checkContentType({ headers }: IncomingMessage): void {
  const given = headers['content-type'] ?? '';
  if (given.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    throw raise('invalid_content_type', { content_type: cut(given) });
}

async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const collector = createCollector(maxBytes);
  for await (const chunk of request) collector.push(chunk as Buffer);
  const body = collector.take() ?? Buffer.alloc(0);
  if (!Buffer.isBuffer(body)) throw new Refused(413, body.error, body.id);
  return body;
}

/** A refusal whose status is known, and perhaps whom to tell. */
class Refused extends Error {
  readonly status: number;
  readonly id: RequestId | null;

  constructor(status: number, cause: Error, id: RequestId | null = null) {
    super('Refused', { cause });
    this.status = status;
    this.id = id;
  }
}

/** A page of the web may call a server on its reader's machine, but cannot hide where it comes from. */
function isLocal({ host = '', origin }: IncomingMessage['headers']): boolean {
  const from = origin === undefined ? 'localhost' : origin.replace(/^https?:\/\//, '');
  return LOCAL_HOST.test(host) && LOCAL_HOST.test(from);
}

/** Answers are JSON, or a stream of it. */
function checkAccept({ headers: { accept = '*/*' } }: IncomingMessage): void {
  if (!/application\/json|text\/event-stream|\*\/\*|application\/\*/i.test(accept))
    throw new Refused(406, raise('invalid_content_type', { content_type: cut(accept) }));
}

/** Whom to tell what, and with which status when there is nobody to tell. */
function refusedBy(
  reason: unknown,
  value: unknown,
): { error: unknown; id: RequestId | null; status: number } {
  if (reason instanceof Refused) return { error: reason.cause, id: reason.id, status: reason.status };
  const kind = (reason as { fault?: { kind?: string } }).fault?.kind;
  const status = kind === 'disconnected' ? 404 : kind === 'unsupported_media' ? 415 : 400;
  return { error: reason, id: idOf(value), status };
}

function idsIn(value: unknown): readonly RequestId[] {
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  return messages.map(idOf).filter((id) => id !== null);
}

function factsOf({ headers }: IncomingMessage): Facts {
  const { authorization } = headers;
  return {
    // A header that is no bearer token is a token that nobody has.
    token: authorization === undefined ? undefined : (bearerToken(authorization) ?? ''),
    version: headers['mcp-protocol-version']?.toString(),
  };
}
