/**
 * The boundary: everything between one server and its transport passes here, in both directions.
 *
 * Incoming requests are remembered until they are answered; outgoing answers that are failures leave as
 * faults. Handlers note what they threw and answer with a placeholder, which is replaced on its way out: so
 * a fault keeps its place, code and dialect whatever the SDK makes of the exception in between.
 */
import type { ToolFacts } from '../call.ts';
import type { BadLine } from '../messages.ts';
import type { Settings } from '../options.ts';
import { quietly } from '../report/hooks.ts';
import { reportStray } from '../report/stray.ts';
import type { Extra, Handle, Message, RequestId, ServerLike, TransportLike } from '../shapes.ts';
import { sparingIn } from '../words/sparing.ts';
import { admit, type Door } from './admission.ts';
import { Asked } from './asked.ts';
import { dueAtOf, type Timed } from './deadlines.ts';
import { refuseEarly } from './early.ts';
import { cancelElsewhere, forgetElsewhere, noteElsewhere } from './elsewhere.ts';
import { type Failure, failureFromThrown } from './failure.ts';
import { failureAnswer } from './failure-answer.ts';
import { withoutHidden } from './hidden.ts';
import { type Identity, identityOf } from './home.ts';
import { lastFailure } from './last-resort.ts';
import { Methods } from './methods.ts';
import { relatedIn, safeMessage, safeStray } from './notifications.ts';
import { isCopy, noteUnlooked } from './once.ts';
import { sentWhenKept, unawaited, unbegun, workedBy } from './once-answer.ts';
import { outcome } from './outcome.ts';
import { Pending } from './pending.ts';
import { addressesIn } from './questions.ts';
import { idInUse, lateAfter } from './refusals.ts';
import { noteGuarded, noteRefusal } from './refused-requests.ts';
import { REJECTS, type Rejecting } from './rejecting.ts';
import { remember } from './remember.ts';
import { dialectFor } from './render.ts';
import { type Owner, RequestState } from './request-state.ts';
import { marked, returnedAs } from './results.ts';
import { shortResult } from './short-result.ts';
import { tapStdin } from './stdin-tap.ts';
import { isPlainSuccess, leavesAsItIs, safeSuccess, withMark } from './successes.ts';

type Send = TransportLike['send'];
type Deliver = NonNullable<TransportLike['onmessage']>;

/** One server's boundary. */
export class Boundary implements Door, Owner, Timed {
  readonly settings: Settings;
  readonly #low: ServerLike;
  /** The tools that were registered through the guard, or handed to it. */
  readonly tools: Map<string, Handle> = new Map();
  readonly methods: Methods;
  readonly pending: Pending = new Pending();
  // What most servers never have is made when it is needed: stateless ones are made for each request.
  #prompts: Map<string, Handle> | undefined;
  /** The addresses that the client wants to hear of. */
  #subscribed: Set<string> | undefined;
  /** What the client is asked. */
  readonly asked: Asked = new Asked();
  #connection: string | undefined;
  #send: Send | undefined;
  #transport: TransportLike | undefined;
  #deliver: Deliver | undefined;
  /** The handshake of the 2025 era has begun on this connection. */
  initialized = false;
  /** The version that this connection's first stateless request was served under. */
  pinnedVersion: string | undefined;

  constructor(settings: Settings, low: ServerLike) {
    this.settings = settings;
    this.#low = low;
    this.methods = new Methods(low);
  }

  /** Takes its place between the server and a transport. Call it before the server connects. */
  attach(transport: TransportLike): void {
    if (transport.constructor.name === 'StdioServerTransport') tapStdin(this, transport);
    else if (REJECTS in transport) (transport as Rejecting)[REJECTS] = (bad) => this.reject(bad);
    const { start } = transport;
    // The server installs its `onmessage` and then starts the transport: between the two is our place.
    transport.start = () => {
      this.attachConnected(transport);
      return start.call(transport);
    };
  }

  /** The same for a server that is connected already. */
  attachConnected(transport: TransportLike): void {
    const send = transport.send.bind(transport);
    const close = transport.onclose;
    this.settings.deadlines.join(this);
    this.#transport = transport;
    this.#send = send;
    this.#deliver = transport.onmessage;
    transport.send = (message, options) => this.#outgoing(send, message, options);
    transport.onmessage = (message, extra) => this.#incoming(message, extra);
    transport.onclose = () => {
      this.#abandonAll();
      close?.();
    };
  }

  get server(): this {
    return this;
  }

  get identity(): Identity {
    return identityOf(this.#low);
  }

  /** The server's own hook for errors, which the SDK leaves out of almost all of them. */
  onerror(error: Error): void {
    this.#low.onerror?.(error);
  }

  get prompts(): Map<string, Handle> {
    this.#prompts ??= new Map();
    return this.#prompts;
  }

  /** The name of this connection among all that a store may know. */
  get connection(): string {
    this.#connection ??= crypto.randomUUID();
    return this.#connection;
  }

  /** The state of a request that a handler works on. */
  stateOf(id: RequestId | undefined): RequestState | undefined {
    return id === undefined ? undefined : this.pending.get(id);
  }

  /** Is the request over, for want of time or of interest, though the server has it? */
  isGone(id: RequestId | undefined): boolean {
    return id !== undefined && this.pending.isGone(id);
  }

  /** The tools that can be called now. */
  *callable(): Generator<string> {
    for (const [name, { enabled }] of this.tools) if (enabled) yield name;
  }

  isWrapped(state: RequestState): boolean {
    return this.methods.isWrapped(state);
  }

  answers(method: string): boolean {
    return this.methods.answers(method);
  }

  mayHaveBegun(state: RequestState): boolean {
    return this.methods.mayHaveBegun(state);
  }

  toolFacts(name: string): ToolFacts | undefined {
    return this.tools.get(name);
  }

  #incoming(message: Message, extra: Extra | undefined): void {
    if (message.method === undefined || message.id === undefined) {
      if (message.method === 'notifications/cancelled') this.#cancel(message, extra);
      else if (message.method === undefined) this.asked.heard(message);
      this.#deliver?.(message, extra);
      return;
    }
    if (extra !== undefined) noteGuarded();
    const state = new RequestState(this, message, extra, this.settings.clock.now());
    const first = this.pending.get(message.id);
    if (first !== undefined) {
      // Whose answer would it be? And whose identity, whose place in a queue? A copy of the first gets the first's.
      if (!isCopy(state, first, this.settings)) this.#tell(state, idInUse(message.id));
      return;
    }
    this.pending.add(state);
    const { plainLimitMs } = this.settings;
    try {
      if (plainLimitMs === undefined || state.hasMeta || message.method !== 'tools/call') this.#admit(state);
      else this.#admitPlain(state, plainLimitMs);
    } catch (reason) {
      noteUnlooked(state, this);
      this.refuse(state, this.refusal(reason, state));
    }
  }

  /** A call of which nothing has to be asked: almost every request. */
  #admitPlain(state: RequestState, limitMs: number): void {
    state.dueAt = state.startedAt + limitMs;
    this.settings.deadlines.notice(state.dueAt);
    this.hand(state);
  }

  /** Everything that happens to a request before the server sees it. Synchronous as long as the guards are. */
  #admit(state: RequestState): void {
    const { message, extra } = state;
    state.dueAt = dueAtOf(state, this.settings);
    if (state.dueAt < Number.POSITIVE_INFINITY) this.settings.deadlines.notice(state.dueAt);
    if (extra?.request !== undefined) noteElsewhere(this, state);
    const { params } = message;
    if (message.method === 'initialize') this.initialized = true;
    else if (message.method === 'resources/subscribe' || message.method === 'subscriptions/listen')
      this.#subscribed = remember(this.#subscribed, addressesIn(params));
    const suspect =
      params?.['_meta'] !== undefined ||
      params?.['cursor'] !== undefined ||
      this.settings.dialect.initializeFirst === true;
    const refused = suspect ? refuseEarly(this, state) : undefined;
    if (refused !== undefined) this.refuse(state, refused);
    else admit(this, state);
  }

  hand(state: RequestState): void {
    state.delivered = true;
    this.#deliver?.(state.message, state.extra);
  }

  /** Answers with what an earlier call under the same key came to. */
  replay(state: RequestState, message: Message): void {
    state.entered = true;
    state.replayed = true;
    state.returned = message.result === undefined ? undefined : returnedAs(marked(message.result));
    this.#quietly(() => this.#outgoing(this.#send as Send, message, undefined));
  }

  /** What a guard, or a function of the operator's, has thrown before the server saw the request. */
  refusal(reason: unknown, state: RequestState): Failure {
    const failure = failureFromThrown(reason, {
      settings: this.settings,
      call: state,
      began: state.delivered,
    });
    noteRefusal({ failure, state, dialect: dialectFor(state, this.settings) });
    return failure;
  }

  /** Answers something that was no request: there is nobody to wait for it, and often no id to answer to. */
  reject({ thrown, code, id }: BadLine): void {
    const message: Message = { jsonrpc: '2.0', method: '', ...(id === undefined ? {} : { id }) };
    const state = new RequestState(this, message, undefined, this.settings.clock.now());
    this.#tell(state, { thrown, began: false, ours: true, ofRequest: true, code });
  }

  /** Answers in the server's place. What the server still says to the request later is dropped. */
  refuse(state: RequestState, failure: Failure): void {
    const { over } = state;
    this.#settle(state);
    if (!over) this.#tell(state, failure);
  }

  /** Answers on our own account: a connection that breaks meanwhile is the server's to hear of, nobody else's. */
  #tell(state: RequestState, failure: Failure): void {
    this.#quietly(() => this.#answer(state, failure, undefined, undefined));
  }

  #quietly(send: () => Promise<void>): void {
    const broken = (error: Error): void => quietly('onerror', () => this.onerror(error));
    try {
      send().catch(broken);
    } catch (error) {
      broken(error as Error); // a transport that does not even promise
    }
  }

  #outgoing(send: Send, given: Message, options: unknown): Promise<void> {
    if (given.method !== undefined || given.id === undefined) return this.#telling(send, given, options);
    const state = this.pending.get(given.id);
    if (state === undefined) return this.#unawaited(send, given, given.id, options);
    this.pending.delete(state);
    if (!leavesAsItIs(state, given)) return this.#answering(state, send, given, options);
    state.over = true;
    if (state.extra?.request !== undefined) forgetElsewhere(state);
    return send(given, options);
  }

  /** What a server tells or asks on its own account. */
  #telling(send: Send, given: Message, options: unknown): Promise<void> {
    if (given.method === undefined) return send(given, options);
    this.asked.sent(given);
    const state = this.stateOf(relatedIn(options));
    const dialect = state === undefined ? this.settings.dialect : dialectFor(state, this.settings);
    return send(safeMessage(given, this.#subscribed, { dialect, call: state }), options);
  }

  /** An answer that nobody waits for any more, or to a request from before the guard. */
  #unawaited(send: Send, given: Message, id: RequestId, options: unknown): Promise<void> {
    if (this.pending.forgetGone(id)) return Promise.resolve();
    return send(safeStray(shortResult(given, this.settings), this.settings), options);
  }

  #answering(state: RequestState, send: Send, given: Message, options: unknown): Promise<void> {
    const isPlain = isPlainSuccess(state, given);
    const message = isPlain ? given : shortResult(withMark(state, given), this.settings);
    const found = isPlain ? undefined : this.#outcome(state, message);
    state.over = true;
    this.#release(state);
    if (found === undefined) return this.#succeed(state, send, message, options);
    const answer = (failure: Failure): Promise<void> => {
      this.#conclude(state, failure, message);
      return this.#answer(state, failure, message, options);
    };
    return found instanceof Promise ? found.then(answer) : answer(found);
  }

  /** Nothing is made for answers that nobody keeps: those are almost all. */
  #succeed(state: RequestState, send: Send, whole: Message, options: unknown): Promise<void> {
    const message = withoutHidden(this.settings.guards, this, state, whole);
    if (state.conclude === undefined) return send(safeSuccess(state, message, this.settings), options);
    this.#conclude(state, undefined, message);
    return sentWhenKept(state, () => send(safeSuccess(state, message, this.settings), options));
  }

  /** Nobody waits for the request any more; those who have its key learn what became of its work all the same. */
  #concludeLater(state: RequestState, conclude: NonNullable<RequestState['conclude']>): void {
    if (state.worked !== undefined) void state.worked.then(conclude);
    else conclude(state.delivered && !this.methods.isWrapped(state) ? unawaited() : unbegun());
  }

  #conclude(state: RequestState, failure: Failure | undefined, message: Message): void {
    state.conclude?.(workedBy(failure, message, state, sparingIn(this.settings, state.arguments)));
  }

  /** What the answer says. A bug of ours in finding it out is a failure too: whoever waits must be answered. */
  #outcome(state: RequestState, message: Message): ReturnType<typeof outcome> {
    const failed = (bug: unknown): Failure => lastFailure(bug, state.entered);
    try {
      const found = outcome(this, state, message);
      return found instanceof Promise ? found.catch(failed) : found;
    } catch (bug) {
      return failed(bug);
    }
  }

  /** The request is over, however it ended. Its id may already belong to another one. */
  #settle(state: RequestState): void {
    state.over = true;
    this.pending.delete(state);
    if (state.delivered) this.pending.giveUp(state);
    if (state.conclude !== undefined) this.#concludeLater(state, state.conclude);
    this.#release(state);
  }

  /** Gives back what a request held. Guards also hear when its handler has really ended. */
  #release(state: RequestState): void {
    if (state.extra?.request !== undefined) forgetElsewhere(state);
    // A handler that nobody saw begin is taken for ended with its answer.
    if (state.passage !== undefined && state.delivered && !state.entered && !this.methods.isWrapped(state))
      state.passage.ended();
    state.passage?.leave();
  }

  /** Answers with a fault. The send itself stays synchronous, or a 404 becomes a 200. */
  #answer(
    state: RequestState,
    failure: Failure,
    replaced: Message | undefined,
    options: unknown,
  ): Promise<void> {
    const message = failureAnswer(failure, state, replaced, this.settings);
    const send = (): Promise<void> => this.#send?.(message, options) ?? Promise.resolve();
    // Who is told something in the server's place does not wait for the server.
    const sent = replaced === undefined ? send() : sentWhenKept(state, send);
    quietly('onerror', () => this.onerror(failure.thrown));
    return sent;
  }

  strayed(state: RequestState, reason: unknown): void {
    quietly('report', () => reportStray(state, this.settings, reason));
  }

  /** The deadline: answers the client, then takes the request back from the server so that its work stops. */
  expireDue(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const state of this.pending.all()) {
      // Answering takes time, in which others become due.
      if (state.dueAt > this.settings.clock.now()) {
        next = Math.min(next, state.dueAt);
        continue;
      }
      const isElsewhere = state.keyed && !state.leads;
      const began = state.entered || isElsewhere || (state.delivered && !this.methods.isWrapped(state));
      this.refuse(state, lateAfter(state.dueAt - state.startedAt, began));
      if (state.delivered) this.#takeBackFromServer(state, 'deadline');
    }
    return next;
  }

  #takeBackFromServer(state: RequestState, reason: string): void {
    const params = { requestId: state.id, reason };
    this.#deliver?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, state.extra);
  }

  /** A request that the client has taken back gets no answer. */
  #cancel(message: Message, extra: Extra | undefined): void {
    const id = message.params?.['requestId'] as RequestId | undefined;
    const state = this.stateOf(id);
    if (state !== undefined) this.#settle(state);
    else if (id !== undefined && extra?.request !== undefined) cancelElsewhere(this, id, extra);
  }

  /** Takes a request back that the client cancelled on another connection, and ends its exchange. */
  takeBack(state: RequestState): void {
    this.#settle(state);
    this.#takeBackFromServer(state, 'cancelled');
    if (this.pending.isEmpty) void this.#transport?.close();
  }

  #abandonAll(): void {
    this.settings.deadlines.leave(this);
    for (const state of this.pending.all()) this.#settle(state);
  }
}
