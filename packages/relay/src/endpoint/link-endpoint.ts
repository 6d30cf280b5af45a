/**
 * Streamable HTTP in front of links: sessions of the 2025 era, each with a link of its own, and everything
 * stateless over one shared link.
 */
import type { FaultInit } from '@mayday/core';
import { STATELESS_REVISION } from '@mayday/core/protocol';
import { compose } from '@mayday/policy';
import { idOf } from '../framing/ids.ts';
import { decode } from '../framing/json.ts';
import type { Link, LinkEvents } from '../links/link.ts';
import { checkEnvelope } from '../protocol/envelope.ts';
import { paramsOf } from '../protocol/params.ts';
import { type Revision, versionIn } from '../protocol/revisions.ts';
import { answerCall } from './answer-call.ts';
import { CallEnded, type Caller, nameOf, type WireCall, type WireHandler, type WireOutcome } from './call.ts';
import { callOf, NEVER } from './call-of.ts';
import { type Cancellable, createCancellable } from './cancellable.ts';
import { type Delivery, DirectDelivery, SessionDelivery } from './delivery.ts';
import { Ender } from './ender.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { type Incoming, takeIn, takeInKnown } from './incoming.ts';
import { wrongMedia } from './media-types.ts';
import { overLink } from './over-link.ts';
import {
  CALLER_LEFT,
  END_OF_NONE,
  NO_EVENT,
  NO_OPENING,
  NO_SESSION,
  NOT_INITIALIZED,
  notByThisMethod,
  STREAM_OF_NONE,
  tooManySessions,
  unspoken,
  unspokenSession,
} from './refusals.ts';
import { refusing } from './refusing.ts';
import type { ReplyHeaders } from './reply.ts';
import type { Session } from './session.ts';
import { type SessionLimits, Sessions } from './sessions.ts';
import { SharedLinks } from './shared-links.ts';
import { OUTDATED_MS, untilIdle } from './until-idle.ts';
import { type Endpoint, type Listening, mendingFor, type Path, type Visit } from './visit.ts';

/** How to serve links. */
export interface LinkEndpointOptions<L extends Link = Link> {
  /** The name of the server, for calls and faults. */
  readonly upstream: string;
  /** Opens a conversation: for one client, or for everybody who has no session. */
  readonly connect: (
    use: 'session' | 'shared',
    events: LinkEvents,
    revision: Revision,
    /** Whose session it is; nobody's that many share. */
    listener?: () => Listening,
  ) => L;
  /** The revisions of 2026-07-28 and later that are spoken here; all, where the server decides. */
  readonly speaks?: readonly string[] | undefined;
  /** Nothing is served before a handshake. */
  readonly initializeFirst?: boolean | undefined;
  /** Ends the path over a conversation; over the link as it is, if absent. */
  readonly ask?: ((link: L) => WireHandler) | undefined;
  readonly path: Path;
  readonly sessions: SessionLimits;
  /** The endpoint that this one replaces: its sessions go on here. */
  readonly before?: LinkEndpoint<L> | undefined;
  /** What becomes of the conversation of such a session: whether it goes on, or is ended after a while. */
  readonly renew?: ((link: L) => 'goes on' | 'ends') | undefined;
  /** Is what the server lists here other than it was at the endpoint before? Whoever listens there asks anew. */
  readonly hasOtherLists?: boolean | undefined;
  /** Messages that are nested deeper are refused. */
  readonly maxDepth?: number | undefined;
  readonly onNote?: ((note: string) => void) | undefined;
  readonly onBug?: ((error: unknown) => void) | undefined;
  readonly now?: (() => number) | undefined;
}

/** Serves links over streamable HTTP. */
export class LinkEndpoint<L extends Link = Link> implements Endpoint {
  readonly #options: LinkEndpointOptions<L>;
  readonly #now: () => number;
  readonly #sessions: Sessions;
  readonly #inFlight: InFlight = createInFlight();
  /** What never ends by itself. It goes where the conversations go that are shared. */
  #standing: InFlight = createInFlight();
  readonly #cancellable: Cancellable;
  readonly #paths: WeakMap<Link, WireHandler> = new WeakMap();
  readonly #shared: SharedLinks<L>;
  /** Its sessions are those of the endpoint that replaced it. */
  #isReplaced = false;

  constructor(options: LinkEndpointOptions<L>) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#shared = new SharedLinks(
      (events, revision) => options.connect('shared', events, revision),
      options.onNote,
    );
    this.#cancellable = options.before === undefined ? createCancellable() : options.before.#cancellable;
    this.#sessions = this.#inherited(options) ?? new Sessions(options.sessions, this.#now);
  }

  /**
   * Sessions outlive the settings: those that are open follow the new ones. So does what is shared, with whoever listens
   * there: a server that is the same is not started anew.
   */
  #inherited({
    before,
    renew,
    hasOtherLists,
    sessions: limits,
  }: LinkEndpointOptions<L>): Sessions | undefined {
    if (before === undefined) return undefined;
    before.#isReplaced = true;
    const sessions = before.#sessions;
    sessions.limit(limits);
    for (const session of sessions.all()) {
      if (renew?.(session.link as L) === 'ends')
        session.endsAt = Math.min(session.endsAt, this.#now() + OUTDATED_MS);
    }
    this.#shared.takeOver(before.#shared, (link) => renew?.(link) !== 'ends');
    if (before.#shared.isEmpty && hasOtherLists !== true) {
      this.#standing = before.#standing;
      before.#standing = createInFlight();
    }
    return sessions;
  }

  /** Sessions that are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  holds(sessionId: string, caller: Caller): boolean {
    return !this.#isReplaced && this.#sessions.find(sessionId, caller) !== undefined;
  }

  handle(visit: Visit): void {
    const { method } = visit.request;
    const media = wrongMedia(visit.request);
    if (media !== undefined) this.#turnAway(visit, media.status, media.fault);
    else if (method === 'POST') this.#post(visit);
    else if (method === 'GET') this.#get(visit);
    else if (method === 'DELETE') this.#delete(visit);
    else this.#refuseNobodys(visit, 405, notByThisMethod(method), 'POST, GET, DELETE');
  }

  async retire(graceMs: number): Promise<void> {
    this.#standing.endStanding(0);
    await untilIdle(() => this.#ownSessions === 0 && !this.#isBusy, graceMs);
    await this.close();
  }

  async finish(graceMs: number): Promise<void> {
    this.#standing.endStanding(0);
    const own = this.#isReplaced ? [] : this.#sessions.all();
    await untilIdle(() => !this.#isBusy && !own.some((session) => session.isBusy), graceMs);
    await this.close();
  }

  async close(graceMs = 5000): Promise<void> {
    await Promise.all([this.#inFlight.drain(graceMs), this.#standing.drain(graceMs)]);
    await Promise.all([this.#isReplaced ? undefined : this.#sessions.close(), this.#shared.close()]);
  }

  get #isBusy(): boolean {
    return this.#inFlight.size + this.#standing.size > 0 || this.#shared.isBusy;
  }

  get #ownSessions(): number {
    return this.#isReplaced ? 0 : this.#sessions.size;
  }

  #post(visit: Visit): void {
    const incoming = takeInKnown(visit.request, visit.body, this.#options.maxDepth);
    if (incoming.refusal !== undefined) this.#refuse(visit, incoming, 400, incoming.refusal);
    else if (incoming.revision === '2026-07-28') this.#modern(visit, incoming);
    else this.#sessionful(visit, incoming);
  }

  /** Stateless: every message stands for itself. */
  #modern(visit: Visit, incoming: Incoming): void {
    const { kind } = incoming.peek;
    const wrong = kind === 'response' ? undefined : checkEnvelope(incoming.headers, incoming);
    const unknown = unspoken(versionIn(incoming.body, incoming.peek), this.#options.speaks);
    if (wrong !== undefined) this.#refuse(visit, incoming, 400, wrong);
    else if (unknown !== undefined) this.#refuse(visit, incoming, 400, unknown);
    else if (incoming.peek.method === 'initialize') this.#refuse(visit, incoming, 404, NO_OPENING);
    else this.#pass(visit, incoming, undefined);
  }

  #sessionful(visit: Visit, incoming: Incoming): void {
    if (incoming.peek.method === 'initialize' && incoming.peek.kind === 'request') {
      this.#initialize(visit, incoming);
      return;
    }
    const unknown = unspokenSession(incoming.headers['mcp-protocol-version']);
    if (unknown !== undefined) {
      this.#refuse(visit, incoming, 400, unknown);
      return;
    }
    const { id, session } = this.#named(visit);
    if (id !== undefined && session === undefined) this.#refuse(visit, incoming, 404, NO_SESSION);
    else if (session === undefined && this.#isTooEarly(incoming))
      this.#refuse(visit, incoming, 400, NOT_INITIALIZED);
    else this.#pass(visit, incoming, session);
  }

  #isTooEarly({ peek: { kind, method } }: Incoming): boolean {
    return this.#options.initializeFirst === true && kind === 'request' && method !== 'ping';
  }

  #initialize(visit: Visit, incoming: Incoming): void {
    const { caller, room } = visit;
    const connect = (opened: Session): L => {
      const events = this.#eventsOf(opened, mendingFor(visit, this.#options.path, opened.listener));
      return this.#options.connect('session', events, incoming.revision, opened.listener);
    };
    // It is held twice where a process may have to be started again.
    const keeping = room?.keep(() => session?.letGo());
    const kept = keeping && { keeping, opening: 2 * incoming.body.length };
    const session: Session | undefined = this.#sessions.open(caller, connect, kept);
    if (session === undefined) {
      this.#refuse(visit, incoming, 503, tooManySessions(this.#sessions.roomInMs(caller)));
      return;
    }
    this.#run(visit, incoming, session, (outcome) => {
      if (hasFailed(outcome)) void this.#sessions.end(session);
    });
  }

  /** For as long as the session lasts: nothing of the request that opened it is held by these. */
  #eventsOf(session: Session, mended: ReturnType<typeof mendingFor>): LinkEvents {
    return { onMessage: (message) => session.deliver(mended(message)), onNote: this.#options.onNote };
  }

  #pass(visit: Visit, incoming: Incoming, session: Session | undefined): void {
    if (incoming.peek.kind === 'request') {
      const seen = session?.subscriptions.see(incoming.body, incoming.peek);
      if (seen?.refusal !== undefined) this.#refuse(visit, incoming, 200, seen.refusal);
      else
        this.#run(visit, incoming, session, (outcome) => {
          if (hasFailed(outcome)) seen?.undo?.();
        });
      return;
    }
    if (!this.#cancelled(visit, incoming, session)) {
      const link = session?.link ?? this.#shared.of(incoming.revision);
      const isAnswer = session !== undefined && incoming.peek.kind === 'response';
      if (isAnswer) session.asks.answered(idOf(incoming.body, incoming.peek));
      const told = isAnswer ? session.questions.toServer(incoming) : incoming;
      if (told !== undefined)
        link.send({
          body: told.body,
          peek: told.peek,
          revision: incoming.revision,
          caller: visit.caller.id,
          callerName: nameOf(visit.caller),
          session: session?.id,
        });
    }
    visit.reply.raw(202, {});
  }

  /** Ends a call here: whether its server is told is decided where it is asked. What is not known here may be there. */
  #cancelled(visit: Visit, { body, peek }: Incoming, session: Session | undefined): boolean {
    if (session === undefined || peek.method !== 'notifications/cancelled') return false;
    const { requestId: id, reason } = paramsOf(decode(body)) ?? {};
    if (typeof id !== 'string' && typeof id !== 'number') return false;
    const found = this.#cancellable.cancel({ caller: visit.caller.id, session: session.id, id }, reason);
    return found !== undefined || session.goingOn.has(id);
  }

  #run(
    visit: Visit,
    incoming: Incoming,
    session: Session | undefined,
    onDone?: (outcome: WireOutcome) => void,
  ): void {
    const { reply } = visit;
    const id = idOf(incoming.body, incoming.peek);
    const ender = new Ender();
    const isStanding = incoming.peek.method === 'subscriptions/listen';
    const release = (isStanding ? this.#standing : this.#inFlight).add(ender, isStanding);
    const forget =
      session &&
      this.#cancellable.add({ caller: visit.caller.id, session: session.id, id }, { ender, goesOn: false });
    if (session !== undefined) session.calls++;
    const delivery =
      session === undefined ? new DirectDelivery(reply) : new SessionDelivery(reply, session, incoming);
    // In the 2025 era a lost connection cancels nothing that its client can take up again; nobody gets anything else.
    const left = (): void => {
      if (!delivery.canBeTakenUp) ender.abort(new CallEnded(CALLER_LEFT));
    };
    reply.onGone(() => (session === undefined ? left() : session.underWay.left(id, call.body, left)));
    const link = (session?.link as L | undefined) ?? this.#shared.of(incoming.revision);
    const call = this.#callOf(visit, incoming, ender.signal, delivery);
    session?.goingOn.note(id, this.#options.path.goesOn?.(call) === true);
    const path = this.#pathOver(link);
    void answerCall(session?.underWay.once(id, path, left) ?? path, call, delivery, {
      onBug: this.#options.onBug,
      abort: () => reply.abort(),
      onOutcome: (outcome) => {
        release();
        forget?.();
        if (session !== undefined) {
          session.calls--;
          session.usedAt = this.#now();
        }
        onDone?.(outcome);
      },
    });
  }

  #callOf(visit: Visit, incoming: Incoming, signal: AbortSignal, delivery: Delivery): WireCall {
    return callOf(incoming, {
      caller: visit.caller,
      room: visit.room,
      upstream: this.#options.upstream,
      now: this.#now(),
      signal,
      delivery,
      mend: this.#options.path.mend,
    });
  }

  #pathOver(link: L): WireHandler {
    let handler = this.#paths.get(link);
    if (handler === undefined) {
      const { outer, inner } = this.#options.path;
      handler = compose(
        [...outer, ...inner],
        this.#options.ask?.(link) ?? overLink(link, this.#options.path.hear),
      );
      this.#paths.set(link, handler);
    }
    return handler;
  }

  /** The session that a visit names, if it is open here. */
  #named({ request, caller }: Visit): { readonly id: unknown; readonly session: Session | undefined } {
    const id = request.headers['mcp-session-id'];
    return { id, session: typeof id === 'string' ? this.#sessions.find(id, caller) : undefined };
  }

  #get(visit: Visit): void {
    const { id, session } = this.#named(visit);
    if (id === undefined) this.#refuseNobodys(visit, 405, STREAM_OF_NONE, 'POST, DELETE');
    else if (session === undefined) this.#turnAway(visit, 404, NO_SESSION);
    else {
      const last = visit.request.headers['last-event-id'];
      const event = typeof last === 'string' ? last : undefined;
      if (event !== undefined && !session.mayHaveSent(event)) this.#turnAway(visit, 400, NO_EVENT);
      else session.open(visit.reply, event);
    }
  }

  #delete(visit: Visit): void {
    const { id, session } = this.#named(visit);
    if (id === undefined) this.#refuseNobodys(visit, 400, END_OF_NONE);
    else if (session === undefined) this.#turnAway(visit, 404, NO_SESSION);
    else {
      void this.#sessions.end(session);
      visit.reply.raw(204, {});
    }
  }

  /** Says no to what is no message, or was not read as one. */
  #turnAway(visit: Visit, status: number, fault: FaultInit, headers?: ReplyHeaders): void {
    const incoming = takeIn(visit.request, visit.body, this.#options.maxDepth);
    this.#refuse(visit, incoming, status, fault, headers);
  }

  /** The same of what is about no session and no message. Where there are no sessions, messages are all that is served. */
  #refuseNobodys(visit: Visit, status: number, fault: FaultInit, allow?: string): void {
    const incoming = takeIn(visit.request, visit.body, this.#options.maxDepth);
    const isModern = incoming.revision === STATELESS_REVISION;
    const about = isModern ? notByThisMethod(visit.request.method, 'POST') : fault;
    const allowed = isModern ? 'POST' : allow;
    const headers = allowed === undefined ? {} : { allow: allowed };
    this.#refuse(visit, incoming, isModern ? 405 : status, about, headers, true);
  }

  #refuse(
    visit: Visit,
    incoming: Incoming,
    status: number,
    fault: FaultInit,
    headers: ReplyHeaders = {},
    isNoCall?: boolean,
  ): void {
    const delivery = new DirectDelivery(visit.reply);
    const call = { ...this.#callOf(visit, incoming, NEVER, delivery), isNoCall };
    const { path, onBug } = this.#options;
    void answerCall(refusing({ status, fault, headers }, path), call, delivery, {
      onBug,
      abort: () => visit.reply.abort(),
    });
  }
}

function hasFailed(outcome: WireOutcome): boolean {
  return !outcome.ok || (outcome.value.type === 'answer' && outcome.value.isFailure === true);
}
