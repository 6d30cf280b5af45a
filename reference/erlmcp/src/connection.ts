/** One client's connection: what a request has to pass before its method runs. Knows nothing of transports. */
import type { IncomingHttpHeaders } from 'node:http';
import { bearerToken, type Facts, limited } from '@mayday/reference-shared';
import { createConversation, type Request, type Send, type SessionConversation } from '@mayday/server/rpc';
import type { App } from './app.ts';
import { raise } from './errors.ts';
import { checkStanding, signIn } from './methods/auth.ts';
import { findMethod } from './methods/index.ts';
import { optionalMembers } from './params.ts';
import { checkRate } from './rate.ts';
import { refusal } from './refusal.ts';
import { type Caller, openSession, type Session } from './session.ts';

/** A connection. */
export interface Connection extends SessionConversation {
  readonly session: Session;
}

/** Methods that a client may use before it is initialized. */
const ALWAYS: ReadonlySet<string> = new Set(['initialize', 'ping']);

/** Methods for those whose token has ended. */
const SIGNING_IN: ReadonlySet<string> = new Set(['auth/login', 'auth/authenticate']);

/** Calls of tools have a time limit of their own, and a code for those that are taken back. */
const TOOL_CALL = 'tools/call';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Whom a client is counted with until it signs in, and where it is kept what the session has come to. */
interface Kept {
  readonly guests?: string;
  readonly facts?: Facts;
}

/** Connects a client; `send` takes what the server says unasked. */
export function connect(app: App, id: string, send: Send, kept: Kept = {}): Connection {
  const { guests = `session ${id}`, facts = new Map() } = kept;
  const client = createConversation({
    send,
    clock: app.clock,
    answer: (request) => perform(app, session, request, guests),
    refuse: ({ thrown, id: to, method, takenBack }) =>
      takenBack && method !== TOOL_CALL ? undefined : refusal(app, thrown, to, { method, session: id }),
    notified(method) {
      if (method === 'notifications/initialized' && session.phase === 'awaiting_initialized')
        session.phase = 'ready';
    },
  });
  const session = openSession(app, id, client, facts);
  app.sessions.add(session);
  return {
    session,
    receive: client.receive,
    isOpen: () => session.phase !== 'pre_initialization',
    worth: () => Number(session.phase === 'ready') + Number(session.isKnown),
    close(reason) {
      app.sessions.delete(session);
      client.close(reason);
    },
  };
}

async function perform(app: App, session: Session, request: Request, guests: string): Promise<object> {
  const { method, params, headers, controller } = request;
  checkRate(app, countedAs(app, session, headers) ?? guests);
  const run = findMethod(method);
  if (session.phase !== 'ready' && !ALWAYS.has(method))
    throw raise('not_initialized', { phase: session.phase });
  const meta = optionalMembers(params, '_meta');
  checkVersion(session, headers['mcp-protocol-version'] ?? meta[VERSION_KEY]);
  const caller = callerOf(app, session, method, headers);
  if (caller.who.user.role !== 'guest' && !session.isKnown) session.isKnown = true;
  const given = meta['progressToken'];
  const token = given === undefined ? undefined : session.progress.begin(given);
  const work = (): object | Promise<object> => run(params, { app, session, caller, request, controller });
  try {
    return await (method === TOOL_CALL ? work() : inTime(app, controller.signal, work));
  } finally {
    controller.abort();
    if (token !== undefined) session.progress.end(token);
  }
}

/** Whose limit a request uses up, in whatever session; a token that nobody has makes nobody of its bearer. */
function countedAs(
  { store }: App,
  { who }: Session,
  { authorization }: IncomingHttpHeaders,
): string | undefined {
  const user =
    authorization === undefined ? who.user : store.users.find(bearerToken(authorization) ?? '')?.user;
  return user === undefined || user.role === 'guest' ? undefined : `user ${user.name}`;
}

/** A bearer token speaks for the request that carries it; else whoever has signed the session in does. */
function callerOf(
  app: App,
  { id, who }: Session,
  method: string,
  { authorization }: IncomingHttpHeaders,
): Caller {
  // A header that is no bearer token is a token that nobody has.
  if (authorization !== undefined) return { id, who: signIn(app, bearerToken(authorization) ?? '') };
  if (!SIGNING_IN.has(method)) checkStanding(app, who);
  return { id, who };
}

function inTime<T>({ clock, settings }: App, signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  const [startedAt, ms] = [clock.now(), settings.requestTimeoutMs];
  const late = (): Error =>
    raise('timeout', { timeout_ms: ms, elapsed_ms: Math.max(clock.now() - startedAt, ms) });
  return limited({ clock, ms, signal, late }, work);
}

/** A request that names a version must name the one that was agreed on. */
function checkVersion({ version }: Session, claimed: unknown): void {
  if (version !== undefined && typeof claimed === 'string' && claimed !== version)
    throw raise('protocol_version_mismatch', { clientVersion: claimed.slice(0, 40), serverVersion: version });
}
