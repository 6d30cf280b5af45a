/** One client's connection: messages in, answers out. Knows nothing of transports. */
import type { App } from './app.ts';
import { requestTimeout, within } from './clock.ts';
import { raise } from './errors.ts';
import { checkStanding, signIn } from './methods/auth.ts';
import { findMethod } from './methods/index.ts';
import type { Send } from './peer.ts';
import { checkRate } from './rate.ts';
import { refusal } from './refusal.ts';
import { type Caller, Cancelled, cancelAll, openSession, ownerOf, type Session } from './session.ts';
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

/** Methods for those whose token has ended. */
const SIGNING_IN: ReadonlySet<string> = new Set(['auth/login', 'auth/authenticate']);

/** Calls of tools have a time limit of their own. */
const OWN_TIME_LIMIT = 'tools/call';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Connects a client; `send` takes what the server says unasked. */
export function connect(app: App, id: string, send: Send): Connection {
  const session = openSession(app, id, send);
  app.sessions.add(session);

  async function receive(value: unknown, facts: Facts = {}): Promise<object | undefined> {
    if (!Array.isArray(value)) return one(value, facts);
    if (value.length === 0) return refusal(app, raise('invalid_request', 'Empty batch'), null, about(''));
    const answers = await Promise.all(value.map((item) => one(item, facts)));
    const said = answers.filter((answer) => answer !== undefined);
    return said.length === 0 ? undefined : said;
  }

  /** One message, also of a batch: what is wrong with it is nobody else's business. */
  async function one(value: unknown, facts: Facts): Promise<object | undefined> {
    let message: Incoming;
    try {
      message = classify(value);
    } catch (reason) {
      return refusal(app, reason, idOf(value), about(''));
    }
    if (message.kind === 'response') session.peer.settle(message);
    else if (message.kind === 'notification') notified(session, message);
    else return answer(message, facts);
    return undefined;
  }

  /** Nobody gets an answer to a request that was taken back, tool calls aside: those have a code for it. */
  async function answer(request: Request, facts: Facts): Promise<object | undefined> {
    const { id, method } = request;
    if (session.running.has(id))
      return refusal(app, raise('invalid_request', 'Request id is already in use'), id, about(method));
    const controller = new AbortController();
    session.running.set(id, controller);
    try {
      return { jsonrpc: '2.0', id, result: await perform(app, session, request, facts, controller) };
    } catch (reason) {
      const takenBack = controller.signal.reason instanceof Cancelled && method !== OWN_TIME_LIMIT;
      return takenBack ? undefined : refusal(app, reason, id, about(method));
    } finally {
      session.running.delete(id);
    }
  }

  function about(method: string): { readonly method: string; readonly session: string } {
    return { method, session: id };
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

async function perform(
  app: App,
  session: Session,
  request: Request,
  facts: Facts,
  controller: AbortController,
): Promise<object> {
  const { method, params } = request;
  checkRate(app, ownerOf(session));
  const run = findMethod(method);
  if (session.phase !== 'ready' && !ALWAYS.has(method))
    throw raise('not_initialized', { phase: session.phase });
  const meta = optionalMembers(params, '_meta');
  checkVersion(session, facts.version ?? meta[VERSION_KEY]);
  const caller = callerOf(app, session, method, facts);
  const given = meta['progressToken'];
  const token = given === undefined ? undefined : session.progress.begin(given);
  try {
    const work = Promise.resolve(run(params, { app, session, caller, request, controller }));
    return await (method === OWN_TIME_LIMIT ? work : limited(app, work, controller.signal));
  } finally {
    controller.abort();
    if (token !== undefined) session.progress.end(token);
  }
}

/** A bearer token speaks for the request that carries it; else whoever has signed the session in does. */
function callerOf(app: App, session: Session, method: string, { token }: Facts): Caller {
  const { id } = session;
  if (token !== undefined) return { id, who: signIn(app, token) };
  if (!SIGNING_IN.has(method)) checkStanding(app, session.who);
  return { id, who: session.who };
}

/** Ends with the work, when its time is over, or when it is taken back. */
function limited<T>(app: App, work: Promise<T>, signal: AbortSignal): Promise<T> {
  const startedAt = app.clock.now();
  const { requestTimeoutMs: limit } = app.settings;
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  stopped.catch(() => {}); // whoever waits hears of it
  return within(app.clock, limit, Promise.race([work, stopped]), () =>
    requestTimeout(app.clock, startedAt, limit),
  );
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
    session.running.get(requestId)?.abort(new Cancelled('user_requested'));
}
