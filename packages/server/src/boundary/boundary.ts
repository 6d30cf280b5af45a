/**
 * The boundary: everything between one server and its transport passes here, in both directions.
 *
 * Incoming requests are remembered until they are answered; outgoing answers that are failures leave as
 * faults. Handlers note what they threw and answer with a placeholder, which is replaced on its way out: so
 * a fault keeps its place, code and dialect whatever the SDK makes of the exception in between.
 */
import { type FaultError, fault } from '@mayday/core';
import type { ToolFacts } from '../call.ts';
import { Passage, shortestDeadline, tooLate } from '../guards/guard.ts';
import { isOpaque } from '../guards/opaque.ts';
import type { Settings } from '../options.ts';
import { privateCause, report } from '../report/report.ts';
import type { Extra, Handle, Message, RequestId, TransportLike } from '../shapes.ts';
import { correlate, opaqueId } from './correlate.ts';
import { type Deadlines, deadlinesOf, type Timed } from './deadlines.ts';
import { refuseEarly } from './early.ts';
import { outcome } from './outcome.ts';
import { dialectFor, render } from './render.ts';
import { type Owner, RequestState } from './request-state.ts';
import { cut, subjectType } from './sdk-failures.ts';
import { tapStdin } from './stdin-tap.ts';
import { type Failure, failureFromThrown } from './thrown.ts';

type Send = TransportLike['send'];
type Deliver = NonNullable<TransportLike['onmessage']>;

/** Between a request's delivery and its handler lie microtasks; of the rest, nothing need be remembered. */
const MAX_TAKEN_BACK = 1000;

/** One server's boundary. */
export class Boundary implements Owner, Timed {
  readonly settings: Settings;
  /** The tools that were registered through the guard, or handed to it. */
  readonly tools: Map<string, Handle> = new Map();
  readonly prompts: Map<string, Handle> = new Map();
  /** List methods whose handler is the SDK's, which has no pages. */
  readonly unpaged: string[] = [];
  /** The server's own hook for errors, which the SDK leaves out of almost all of them. */
  onerror: ((error: Error) => void) | undefined;
  readonly #pending = new Map<RequestId, RequestState>();
  /** Requests that were over before their handler was entered; it must not be. */
  readonly #takenBack = new Set<RequestId>();
  readonly #deadlines: Deadlines;
  #send: Send | undefined;
  #transport: TransportLike | undefined;
  #deliver: Deliver | undefined;
  /** The version that this connection's first stateless request was served under. */
  pinnedVersion: string | undefined;

  constructor(settings: Settings) {
    this.settings = settings;
    this.#deadlines = deadlinesOf(settings.clock);
  }

  /** Takes its place between the server and a transport. Call it before the server connects. */
  attach(transport: TransportLike): void {
    if (transport.constructor.name === 'StdioServerTransport') tapStdin(this, transport);
    const start = transport.start.bind(transport);
    // The server installs its `onmessage` and then starts the transport: between the two is our place.
    transport.start = () => {
      this.attachConnected(transport);
      return start();
    };
  }

  /** The same for a server that is connected already. */
  attachConnected(transport: TransportLike): void {
    const send = transport.send.bind(transport);
    const close = transport.onclose;
    this.#deadlines.join(this);
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

  /** The state of a request that a handler works on. */
  stateOf(id: RequestId | undefined): RequestState | undefined {
    return id === undefined ? undefined : this.#pending.get(id);
  }

  /** Was the request over before its handler was entered? Nobody waits for it, and no guard watches it. */
  wasTakenBack(id: RequestId | undefined): boolean {
    return id !== undefined && this.#takenBack.delete(id);
  }

  toolFacts(name: string): ToolFacts | undefined {
    return this.tools.get(name);
  }

  #incoming(message: Message, extra: Extra | undefined): void {
    if (message.method === undefined || message.id === undefined) {
      if (message.method === 'notifications/cancelled') this.#cancel(message, extra);
      this.#deliver?.(message, extra);
      return;
    }
    const { clock, guards } = this.settings;
    const state = new RequestState(this, message, extra, clock.now());
    if (this.#pending.has(message.id)) {
      // Two requests under one id cannot be told apart, neither by handlers nor by whoever waits for them.
      const thrown = fault.invalidRequest('A request with this id is under way', { executed: 'no' });
      void this.#answer(state, { thrown, code: -32600 }, undefined, undefined);
      return;
    }
    this.#pending.set(message.id, state);
    this.#takenBack.delete(message.id);
    const wait = this.#deadlineFor(state);
    if (wait < Number.POSITIVE_INFINITY) {
      state.dueAt = state.startedAt + wait;
      this.#deadlines.notice(state.dueAt);
    }
    if (extra?.request !== undefined) this.settings.elsewhere.add(this, state);
    const { params } = message;
    const suspect = params?.['_meta'] !== undefined || params?.['cursor'] !== undefined;
    const refused = suspect ? refuseEarly(this, state) : undefined;
    if (refused !== undefined) this.#refuse(state, refused);
    else if (guards.length === 0) this.#deliver?.(message, extra);
    else this.#guarded(state, message, extra);
  }

  #deadlineFor(state: RequestState): number {
    const { deadlineMs, guards } = this.settings;
    if (typeof deadlineMs === 'number' && guards.length === 0) return deadlineMs;
    const general = typeof deadlineMs === 'function' ? deadlineMs(state) : deadlineMs;
    const least = guards.length === 0 ? Number.POSITIVE_INFINITY : shortestDeadline(guards, state);
    return general === false ? least : Math.min(general, least);
  }

  /** Synchronous guards keep delivery synchronous, on which HTTP statuses depend. */
  #guarded(state: RequestState, message: Message, extra: Extra | undefined): void {
    state.passage = new Passage(state);
    try {
      const held = state.passage.enter(this.settings.guards);
      if (held === undefined) {
        this.#deliver?.(message, extra);
        return;
      }
      held.then(
        () => (this.#isPending(state) ? this.#deliver?.(message, extra) : state.passage?.leave()),
        (reason) => this.#refuse(state, failureFromThrown(reason)),
      );
    } catch (reason) {
      this.#refuse(state, failureFromThrown(reason));
    }
  }

  /** Answers something that was no request: there is nobody to wait for it, and no id to answer to. */
  reject(thrown: FaultError, code: number | undefined, id: RequestId | undefined): void {
    const message: Message = { jsonrpc: '2.0', method: '', ...(id === undefined ? {} : { id }) };
    const state = new RequestState(this, message, undefined, this.settings.clock.now());
    void this.#answer(state, code === undefined ? { thrown } : { thrown, code }, undefined, undefined);
  }

  #isPending(state: RequestState): boolean {
    return this.#pending.get(state.id) === state;
  }

  /** Answers in the server's place; the server never sees the request. */
  #refuse(state: RequestState, failure: Failure): void {
    const pending = this.#isPending(state);
    this.#settle(state);
    if (pending) void this.#answer(state, failure, undefined, undefined);
  }

  #outgoing(send: Send, message: Message, options: unknown): Promise<void> {
    if (message.method !== undefined || message.id === undefined) return send(message, options);
    const state = this.#pending.get(message.id);
    if (state === undefined) return send(message, options);
    this.#pending.delete(message.id);
    const found = isPlainSuccess(state, message) ? undefined : outcome(this, state, message);
    if (state.passage !== undefined || state.extra !== undefined) this.#release(state);
    if (found === undefined) return send(message, options);
    if (found instanceof Promise)
      return found.then((failure) => this.#answer(state, failure, message, options));
    return this.#answer(state, found, message, options);
  }

  /** The request is over, however it ended. Its id may already belong to another one. */
  #settle(state: RequestState): void {
    if (this.#isPending(state)) this.#pending.delete(state.id);
    if (!state.entered) this.#takenBack.add(state.id);
    if (this.#takenBack.size > MAX_TAKEN_BACK) {
      const [oldest] = this.#takenBack;
      this.#takenBack.delete(oldest as RequestId);
    }
    this.#release(state);
  }

  /** Gives back what a request held. */
  #release(state: RequestState): void {
    if (state.extra?.request !== undefined) this.settings.elsewhere.delete(state);
    state.passage?.leave();
  }

  /** Writes the fault, reports it, sends it. The send itself stays synchronous, or a 404 becomes a 200. */
  #answer(
    state: RequestState,
    failure: Failure,
    replaced: Message | undefined,
    options: unknown,
  ): Promise<void> {
    const { settings } = this;
    const dialect = dialectFor(state, settings);
    const fault = correlate(about(failure.thrown, state), state, settings);
    const message =
      failure.verbatim ?? render(fault, state, dialect, settings, { ...failure, message: replaced });
    const sent = this.#send?.(message, options) ?? Promise.resolve();
    report(settings, {
      fault,
      cause: privateCause(failure.thrown),
      correlationId: fault.correlationId as string,
      call: state,
      dialect,
      placement: message.error === undefined ? 'tool' : 'protocol',
      code: message.error?.code,
      durationMs: settings.clock.now() - state.startedAt,
    });
    this.onerror?.(failure.thrown);
    return sent;
  }

  /** The deadline: answers the client, then takes the request back from the server so that its work stops. */
  expireDue(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const state of [...this.#pending.values()]) {
      if (state.dueAt > now) {
        next = Math.min(next, state.dueAt);
        continue;
      }
      this.#refuse(state, { thrown: tooLate(state.dueAt - state.startedAt, state.entered) });
      this.#takeBackFromServer(state, 'deadline');
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
    else if (id !== undefined && extra?.request !== undefined) this.settings.elsewhere.cancel(id, extra);
  }

  /** Takes a request back that the client cancelled on another connection, and ends its exchange. */
  takeBack(state: RequestState): void {
    this.#settle(state);
    this.#takeBackFromServer(state, 'cancelled');
    if (this.#pending.size === 0) void this.#transport?.close();
  }

  #abandonAll(): void {
    this.#deadlines.leave(this);
    for (const state of [...this.#pending.values()]) this.#settle(state);
  }
}

/** Almost every answer: the author's handler came back with a success, and the SDK had nothing against it. */
function isPlainSuccess(state: RequestState, message: Message): boolean {
  return (
    state.returned === 'success' &&
    state.passage === undefined &&
    message.result?.['isError'] === undefined &&
    message.error === undefined
  );
}

/** A fault that names no subject is about what the request was about, where that cannot change its place. */
function about(thrown: FaultError, state: RequestState): FaultError['fault'] {
  const { fault } = thrown;
  if (isOpaque(thrown)) return { ...fault, correlationId: opaqueId(state) };
  if (fault.subject !== undefined || fault.kind === 'not_found' || fault.kind === 'unsupported') return fault;
  const { name } = state;
  if (name === undefined) return fault;
  return { ...fault, subject: { type: subjectType(state.method), id: cut(name) } };
}
