/**
 * Streamable HTTP in front of links: sessions of the 2025 era, each with a link of its own, and everything
 * stateless over one shared link.
 */
import type { IncomingMessage } from 'node:http';
import type { FaultInit } from '@mayday/core';
import { peek } from './framing/peek.ts';
import type { Call, Guard } from './guard.ts';
import type { Link, LinkEvents } from './links/link.ts';
import { runCall } from './pending-call.ts';
import { checkEnvelope } from './protocol/envelope.ts';
import { revisionOf } from './protocol/revisions.ts';
import { NO_BATCHES, NO_SESSION, NOT_A_MESSAGE, TOO_MANY_SESSIONS } from './refusals.ts';
import type { Reply } from './reply.ts';
import { Session } from './session.ts';

/** How to serve links. */
export interface LinkEndpointOptions {
  /** Opens a conversation: for one client, or for everybody who has no session. */
  readonly connect: (use: 'session' | 'shared', events: LinkEvents) => Link;
  readonly guard: Guard;
  /** More sessions are turned away. */
  readonly maxSessions?: number;
  /** A session that is not used for this long is forgotten. */
  readonly sessionIdleMs?: number;
  /** A call that makes no progress for this long is given up. */
  readonly timeoutMs?: number;
  readonly onNote?: (note: string) => void;
  readonly now?: () => number;
}

const HEARTBEAT_MS = 25_000;

/** Something that answers MCP over HTTP. */
export interface Endpoint {
  handle(request: IncomingMessage, body: Buffer, reply: Reply): void;
  /** Takes no more calls and settles when those in flight are answered, or after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/** Serves links over streamable HTTP. */
export class LinkEndpoint implements Endpoint {
  readonly #options: LinkEndpointOptions;
  readonly #now: () => number;
  readonly #sessions: Map<string, Session> = new Map();
  readonly #heartbeat: NodeJS.Timeout;
  #shared: Link | undefined;
  #inFlight = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: LinkEndpointOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#heartbeat = setInterval(() => this.#sweep(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Sessions that are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Did this endpoint open the session? */
  holds(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  handle(request: IncomingMessage, body: Buffer, reply: Reply): void {
    if (request.method === 'POST') this.#post(request, body, reply);
    else if (request.method === 'GET') this.#get(request, reply);
    else if (request.method === 'DELETE') this.#delete(request, reply);
    else reply.raw(405, { allow: 'POST, GET, DELETE' });
  }

  /** Serves its sessions to their end, or for `graceMs`, and closes then. */
  async retire(graceMs: number): Promise<void> {
    const until = this.#now() + graceMs;
    await new Promise<void>((resolve) => {
      const check = setInterval(() => {
        if (this.#sessions.size + this.#inFlight > 0 && this.#now() < until) return;
        clearInterval(check);
        resolve();
      }, 500);
      check.unref();
    });
    await this.close();
  }

  async close(graceMs = 5000): Promise<void> {
    clearInterval(this.#heartbeat);
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, graceMs);
        this.#onIdle = () => {
          clearTimeout(late);
          resolve();
        };
      });
    }
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all([...sessions.map((session) => session.close()), this.#shared?.close()]);
  }

  #post(request: IncomingMessage, body: Buffer, reply: Reply): void {
    const seen = peek(body);
    const era = revisionOf(request.headers, { body, peek: seen });
    const call: Call = {
      body,
      peek: seen,
      era,
      headers: request.headers,
      attempt: 1,
      startedAt: this.#now(),
    };
    if (seen.kind === 'invalid') {
      this.#refuse(call, reply, 400, seen.why === 'batch' ? NO_BATCHES : NOT_A_MESSAGE);
    } else if (era === '2026-07-28') this.#modern(call, reply);
    else this.#sessionful(call, request, reply);
  }

  /** Stateless: every message stands for itself. */
  #modern(call: Call, reply: Reply): void {
    const { peek: seen, body } = call;
    const wrong = checkEnvelope(call.headers, call);
    if (wrong !== undefined) {
      this.#refuse(call, reply, 400, wrong);
      return;
    }
    if (seen.kind === 'request') this.#run(call, this.#sharedLink(), reply);
    else {
      this.#sharedLink().send({ body, peek: seen, revision: call.era });
      reply.raw(202, {});
    }
  }

  #sessionful(call: Call, request: IncomingMessage, reply: Reply): void {
    const { method, kind } = call.peek;
    const id = request.headers['mcp-session-id'];
    if (method === 'initialize' && kind === 'request') {
      this.#initialize(call, reply);
      return;
    }
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (id !== undefined && session === undefined) {
      this.#refuse(call, reply, 404, NO_SESSION);
      return;
    }
    if (session !== undefined) session.usedAt = this.#now();
    const link = session?.link ?? this.#sharedLink();
    if (kind === 'request') this.#run(call, link, reply, session);
    else {
      link.send({ body: call.body, peek: call.peek, revision: call.era });
      reply.raw(202, {});
    }
  }

  #initialize(call: Call, reply: Reply): void {
    if (this.#sessions.size >= (this.#options.maxSessions ?? 256)) {
      this.#refuse(call, reply, 503, TOO_MANY_SESSIONS);
      return;
    }
    const session = new Session(this.#now());
    session.link = this.#options.connect('session', {
      onMessage: (message) => session.deliver(message),
      ...(this.#options.onNote === undefined ? {} : { onNote: this.#options.onNote }),
    });
    this.#sessions.set(session.id, session);
    this.#run(call, session.link, reply, session, (succeeded) => {
      if (!succeeded) void this.#end(session);
    });
  }

  #run(call: Call, link: Link, reply: Reply, session?: Session, onDone?: (succeeded: boolean) => void): void {
    this.#inFlight++;
    if (session !== undefined) session.calls++;
    runCall({
      call,
      link,
      reply,
      guard: this.#options.guard,
      timeoutMs: this.#options.timeoutMs ?? 300_000,
      ...(session === undefined ? {} : { session, headers: { 'mcp-session-id': session.id } }),
      onDone: (succeeded) => {
        this.#inFlight--;
        if (session !== undefined) {
          session.calls--;
          session.usedAt = this.#now();
        }
        onDone?.(succeeded);
        if (this.#inFlight === 0) this.#onIdle?.();
      },
    });
  }

  #get(request: IncomingMessage, reply: Reply): void {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string') {
      reply.raw(405, { allow: 'POST' });
      return;
    }
    const session = this.#sessions.get(id);
    if (session === undefined) {
      reply.raw(404, {});
      return;
    }
    session.usedAt = this.#now();
    const last = request.headers['last-event-id'];
    session.open(reply, typeof last === 'string' ? last : undefined);
  }

  #delete(request: IncomingMessage, reply: Reply): void {
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (session === undefined) {
      reply.raw(id === undefined ? 405 : 404, id === undefined ? { allow: 'POST' } : {});
      return;
    }
    void this.#end(session);
    reply.raw(204, {});
  }

  async #end(session: Session): Promise<void> {
    this.#sessions.delete(session.id);
    await session.close();
  }

  #sharedLink(): Link {
    this.#shared ??= this.#options.connect('shared', {
      onMessage: () => {
        // Nobody in particular asked for it.
      },
      ...(this.#options.onNote === undefined ? {} : { onNote: this.#options.onNote }),
    });
    return this.#shared;
  }

  #refuse(call: Call, reply: Reply, status: number, fault: FaultInit): void {
    const { guard } = this.#options;
    call.isLast = true;
    const decision = guard.failed(call, { type: 'fault', fault, status });
    if ('send' in decision) reply.json(decision.status, decision.send, decision.headers);
  }

  #sweep(): void {
    const since = this.#now() - (this.#options.sessionIdleMs ?? 30 * 60_000);
    for (const session of this.#sessions.values()) {
      if (session.isIdle(since)) void this.#end(session);
      else session.ping();
    }
  }
}
