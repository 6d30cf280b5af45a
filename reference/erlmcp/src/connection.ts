/** One client's connection: messages in, answers out. Knows nothing of transports. */
import type { App } from './app.ts';
import { requestTimeout, within } from './clock.ts';
import { raise } from './errors.ts';
import { checkExpiry, signIn } from './methods/auth.ts';
import { findMethod } from './methods/index.ts';
import type { Send } from './peer.ts';
import { checkRate } from './rate.ts';
import { refusal } from './refusal.ts';
import { Cancelled, cancelAll, openSession, ownerOf, type Session } from './session.ts';
import {
  classify,
  type Incoming,
  idOf,
  type Notification,
  optionalMembers,
  type Request,
} from './wire/message.ts';

/** What a transport knows about a message beside the message. */
export interface Facts {
  /** The bearer token that came with it. */
  readonly token?: string | undefined;
  /** The protocol version that it claims to follow. */
  readonly version?: string | undefined;
}

/** A connection. */
export interface Connection {
  readonly session: Session;
  /** Takes a message, or a batch; gives the answer, if there is one to send. */
  receive(value: unknown, facts?: Facts): Promise<object | undefined>;
  /** Ends the session; what runs for it is cancelled. */
  close(reason: string): void;
}

/** Methods that a client may use before it is initialized. */
const ALWAYS: ReadonlySet<string> = new Set(['initialize', 'ping']);

/** Calls of tools have a time limit of their own. */
const OWN_TIME_LIMIT = 'tools/call';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Connects a client; `send` takes what the server says unasked. */
export function connect(app: App, id: string, send: Send): Connection {
  const session = openSession(app, id, send);
  app.sessions.add(session);
  const inUse = new Set<string | number>();

  async function receive(value: unknown, facts: Facts = {}): Promise<object | undefined> {
    try {
      if (!Array.isArray(value)) return await one(classify(value), facts);
      if (value.length === 0) throw raise('invalid_request', 'Empty batch');
      const answers = await Promise.all(value.map(classify).map((message) => one(message, facts)));
      const said = answers.filter((answer) => answer !== undefined);
      return said.length === 0 ? undefined : said;
    } catch (reason) {
      return refusal(app, reason, idOf(value));
    }
  }

  async function one(message: Incoming, facts: Facts): Promise<object | undefined> {
    if (message.kind === 'response') session.peer.settle(message);
    else if (message.kind === 'notification') notified(session, message);
    else return answer(message, facts);
    return undefined;
  }

  async function answer(request: Request, facts: Facts): Promise<object> {
    const { id, method } = request;
    if (inUse.has(id))
      return refusal(app, raise('invalid_request', 'Request id is already in use'), id, method);
    inUse.add(id);
    try {
      return { jsonrpc: '2.0', id, result: await perform(app, session, request, facts) };
    } catch (reason) {
      return refusal(app, reason, id, method);
    } finally {
      inUse.delete(id);
    }
  }

  return {
    session,
    receive,
    close(reason) {
      app.sessions.delete(session);
      cancelAll(session, reason);
    },
  };
}

async function perform(app: App, session: Session, request: Request, facts: Facts): Promise<object> {
  const { method, params } = request;
  const run = findMethod(method);
  if (session.phase !== 'ready' && !ALWAYS.has(method))
    throw raise('not_initialized', { phase: session.phase });
  const meta = optionalMembers(params, '_meta');
  checkVersion(session, facts.version ?? meta[VERSION_KEY]);
  checkRate(app, ownerOf(session));
  if (facts.token !== undefined) session.who = signIn(app, facts.token);
  else if (method !== 'auth/authenticate') checkExpiry(app, session.who);
  const given = meta['progressToken'];
  const token = given === undefined ? undefined : session.progress.begin(given);
  const controller = new AbortController();
  try {
    const work = Promise.resolve(run(params, { app, session, request, signal: controller.signal }));
    if (method === OWN_TIME_LIMIT) return await work;
    const startedAt = app.clock.now();
    const { requestTimeoutMs: limit } = app.settings;
    return await within(app.clock, limit, work, () => requestTimeout(app.clock, startedAt, limit));
  } finally {
    controller.abort();
    if (token !== undefined) session.progress.end(token);
  }
}

/** A request that names a version must name the one that was agreed on. */
function checkVersion({ version }: Session, claimed: unknown): void {
  if (version !== undefined && typeof claimed === 'string' && claimed !== version)
    throw raise('protocol_version_mismatch', { clientVersion: claimed.slice(0, 40), serverVersion: version });
}

/** Nobody answers a notification, whatever is wrong with it. */
function notified(session: Session, { method, params }: Notification): void {
  if (method === 'notifications/initialized' && session.phase === 'awaiting_initialized')
    session.phase = 'ready';
  if (method !== 'notifications/cancelled') return;
  const { requestId } = params;
  if (typeof requestId === 'string' || typeof requestId === 'number')
    session.running.get(requestId)?.controller.abort(new Cancelled('user_requested'));
}
