/**
 * The wrapper: every request of an SDK client goes through one place, reads to a result or a fault, and is
 * tried again only where that can do no harm. It overrides public methods on the instance, so everything
 * that is built on them (`callTool`, `listTools`, `readResource`, …) is covered.
 */
import { type Executed, type Fault, FaultError } from '@mayday/core';
import { isRepeatable, readCallMeta } from '@mayday/core/plan';
import {
  type Attempt,
  type Call,
  DEADLINE_MS,
  deadline as deadlinePolicy,
  executedSoFar,
  joinListeners,
  type Listener,
  run,
  type Settled,
  startCall,
  type Upstream,
  upstreamOf,
  worse,
} from '@mayday/policy';
import { createAnnotationBook } from './annotations.ts';
import {
  askingOptionsFor,
  type CallExtras,
  callInfo,
  callKey,
  checkExtras,
  checkNoMore,
  checkParams,
  checkSdkOptions,
  INSIDE,
  type Inside,
  insideOf,
  type RoundedCall,
  sdkOptionsFor,
} from './call.ts';
import { errorOf } from './carry-fault.ts';
import { cautiously } from './caution.ts';
import { checkClient } from './check-client.ts';
import { ClockTrust } from './clock-trust.ts';
import { type Connection, manageConnection, type Originals } from './connection.ts';
import { createDoubtfulKeys } from './doubtful-keys.ts';
import { isHeaderMismatch, saysNothingElse } from './header-mismatch.ts';
import { hearingLate } from './late-answers.ts';
import { sentOnceOnly } from './leave-once.ts';
import { lookingOnceOpen } from './look-first.ts';
import { type Opening, opened } from './opening.ts';
import { checkOptions, type ResilientOptions } from './options.ts';
import { heardOut, insteadOfAnother, notAgain, readingOf, type Sent, toldByOpening } from './reading.ts';
import { afterEarlier, converse, isLaterRound, isQuestion } from './rounds.ts';
import { keyMeta, withMeta } from './sent-meta.ts';
import { settleToolCall } from './settle.ts';
import { createTaskBook } from './task-book.ts';
import { watchCall } from './telemetry.ts';
import { timesFor } from './times.ts';
import { createToolWords, type Found, type ToolWords } from './tool-words.ts';
import type { Flavour, SdkClient, SdkOptions, SdkRequest } from './types.ts';
import { notSendable } from './unsendable.ts';
import { ofWholeCall } from './whole-time.ts';

type Method = (...args: unknown[]) => Promise<unknown>;

/** What wrapping adds to a client. */
export interface Wrapped {
  /** The shared state: budget, circuits, places. */
  readonly upstream: Upstream;
  /** Calls a tool and returns what became of it, whatever that is; throws only for extras that are none, or are elsewhere. */
  callSettled(
    params: SdkRequest['params'],
    extras: CallExtras,
    more: readonly unknown[],
  ): Promise<Settled<unknown>>;
}

const wrapped = new WeakSet<object>();

/** Handshakes decide what the connection is; they are repeated by whoever connects, not here. */
const HANDSHAKE: readonly string[] = ['initialize', 'server/discover'];

/** Wraps a client of either SDK, in place. */
export function wrapClient<Transport>(
  client: SdkClient,
  flavour: Flavour,
  options: ResilientOptions<Transport>,
): Wrapped {
  checkClient(client, flavour);
  checkOptions(options);
  if (wrapped.has(client))
    throw new TypeError('Expected a client that is not resilient yet; this one already is');
  wrapped.add(client);
  const wrapper = new Wrapper(client, flavour, options);
  Object.assign(client, wrapper.looking(client), {
    request: wrapper.request.bind(wrapper),
    callTool: wrapper.callTool.bind(wrapper),
    connect: wrapper.connect.bind(wrapper),
    close: wrapper.close.bind(wrapper),
  });
  return wrapper;
}

class Wrapper<Transport> implements Wrapped {
  readonly upstream: Upstream;
  readonly #flavour: Flavour;
  readonly #options: ResilientOptions<Transport>;
  readonly #originals: Originals;
  readonly #connection: Connection;
  readonly #book = createAnnotationBook();
  readonly #words: ToolWords;
  readonly #doubtful = createDoubtfulKeys();
  readonly #tasks = createTaskBook();
  readonly #listeners: Listener;
  readonly #clockTrust = new ClockTrust();
  readonly #opening: Opening;
  #connectedAt: number | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(client: SdkClient, flavour: Flavour, options: ResilientOptions<Transport>) {
    this.#flavour = flavour;
    this.#options = options;
    this.upstream = upstreamOf(options.upstream);
    this.#opening = { upstream: this.upstream, flavour, options };
    this.#originals = {
      request: client.request.bind(client) as Method,
      callTool: client.callTool.bind(client) as Method,
      connect: client.connect.bind(client) as Method,
      close: client.close.bind(client),
    };
    this.#connection = manageConnection(client, this.#originals, {
      factory: options.transport,
      forget: (why) => this.#book.forget(why),
      onOpened: () => this.#noteOpened(),
      clock: this.upstream.clock,
    });
    this.#words = createToolWords({
      book: this.#book,
      options,
      ask: (request, asking) => this.#originals.request(...flavour.asking(request, asking)),
      patienceMs: this.upstream.patienceMs,
    });
    this.#listeners = joinListeners([options.onEvent, options.telemetry?.listen]);
  }

  async request(...args: unknown[]): Promise<unknown> {
    const { method, params } = args[0] as SdkRequest;
    if (HANDSHAKE.includes(method)) {
      if (method === 'initialize') this.#connection.handshake(args);
      return this.#originals.request(...args);
    }
    const inside = insideOf(args[this.#flavour.optionsAt(args)]);
    checkSdkOptions(args);
    if (method === 'tools/call' && !inside.tool) checkParams(params);
    const done = await this.#settled(args, inside).catch((thrown) => notSendable(thrown, params));
    inside.settled = done;
    const { outcome } = done;
    if (outcome.ok) return outcome.value;
    // `callTool` of v2 mends a missing header itself, but only if it recognises the SDK's own error.
    if (inside.tool && isHeaderMismatch(outcome.thrown)) {
      if (inside.isFinal !== true && saysNothingElse(outcome.fault, outcome.thrown)) throw outcome.thrown;
      throw new FaultError(outcome.fault);
    }
    if (inside.tool && outcome.value !== undefined) return outcome.value;
    throw await errorOf(outcome, this.#flavour);
  }

  async callTool(...args: unknown[]): Promise<unknown> {
    checkParams(args[0]);
    checkSdkOptions(args);
    return settleToolCall(this.#knowingServer, args, this.#flavour, this.#options.failures ?? 'sdk');
  }

  /** `callTool` of the SDK, which sees before it sends whether a missing header is its own to mend: not without a connection. */
  readonly #knowingServer: Method = async (...args) => {
    const { callTool } = this.#originals;
    const isKnown = this.#connection.isReady;
    return callTool(...args).catch((thrown: unknown) => {
      if (isKnown || !isHeaderMismatch(thrown)) throw thrown;
      return callTool(...args);
    });
  };

  async callSettled(
    params: SdkRequest['params'],
    extras: CallExtras,
    more: readonly unknown[],
  ): Promise<Settled<unknown>> {
    checkParams(params);
    checkExtras(extras);
    checkNoMore(more);
    const inside = { [INSIDE]: { tool: true, extras } };
    const args: unknown[] = [params];
    args[this.#flavour.callOptionsAt] = { ...inside, signal: extras.signal };
    const done = await settleToolCall(this.#knowingServer, args, this.#flavour, 'settled');
    return done as Settled<unknown>;
  }

  async connect(...args: unknown[]): Promise<void> {
    const { options } = this.#opening;
    const mayRepeat = args[0] === undefined && options.transport !== undefined;
    const attempts = mayRepeat ? options.attempts : 1;
    await opened(() => this.#connection.connect(args), {
      ...this.#opening,
      options: { ...options, attempts },
    });
  }

  /** By `connect`, or by the first call. */
  #noteOpened(): void {
    const { clock, subscribe } = this.upstream;
    this.#connectedAt ??= clock.now();
    // Circuits belong to the upstream, not to a call of this client.
    this.#unsubscribe ??= subscribe((event) => {
      if (event.type === 'circuit') this.#listeners(event);
    });
  }

  /** The methods of the SDK that look at the connection before they send. */
  looking(client: SdkClient): { readonly [name: string]: Method } {
    return lookingOnceOpen(client, this.#connection, this.#opening);
  }

  async close(): Promise<void> {
    if (!(await this.#connection.close())) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    if (this.#connectedAt === undefined) return;
    const { name, clock } = this.upstream;
    this.#listeners({ type: 'session', upstream: name, elapsedMs: clock.now() - this.#connectedAt });
    this.#connectedAt = undefined;
  }

  async #settled(args: readonly unknown[], inside: Inside): Promise<Settled<unknown>> {
    const { clock } = this.upstream;
    const request = args[0] as SdkRequest;
    const given = (args[this.#flavour.optionsAt(args)] ?? {}) as SdkOptions;
    const { extras } = inside;
    const above = readCallMeta(request.params?.['_meta']);
    const {
      sent: key,
      idempotencyKey,
      isMade,
      takesKey,
    } = callKey(request, this.#book, this.#options, extras);
    const known = callInfo(request, this.#book, this.#options, extras);
    const facts = { ...known, idempotencyKey, signal: given.signal, above };
    const times = timesFor(request, given, this.#options, extras);
    const startedAt = clock.now();
    const deadline = startedAt + (times.deadlineMs ?? DEADLINE_MS);
    const { changes, sessions } = this.#book;
    const call: RoundedCall = {
      args,
      given,
      extras,
      facts,
      key,
      isKeyMade: isMade,
      tookKey: takesKey === true,
      times,
      changes,
      sessions,
      deadline,
    };
    const isRepeat = key !== undefined && this.#doubtful.has(facts.target, key);
    const end = key === undefined ? undefined : this.#doubtful.begin(facts.target, key);
    let isBesideAnother = false;
    const { done, isLater } = await this.#allRounds(request, call, isRepeat ? 'maybe' : 'no').finally(() => {
      isBesideAnother = end?.() === true;
    });
    inside.isFinal = isLater || facts.once === true;
    const outcome = isLater || isRepeat || isBesideAnother ? afterEarlier(done.outcome) : done.outcome;
    const noteDoubt = (fault: Fault): void => {
      if (key !== undefined) this.#doubtful.note(facts.target, key, fault);
    };
    if (!outcome.ok) noteDoubt(outcome.fault);
    inside.onRejected = noteDoubt;
    const elapsedMs = clock.now() - startedAt;
    const ended = !outcome.ok && outcome.settled === true ? this.#tasks.began(request) : undefined;
    const made = ended === undefined ? facts : callInfo(ended, this.#book, this.#options, extras);
    const told = cautiously({ ...done, outcome, elapsedMs }, this.#words.asKnown(made, call));
    return ofWholeCall(told, times.deadlineMs ?? DEADLINE_MS);
  }

  /** Makes a call, and goes on with it as long as the server asks; `isLater`: it has asked, now or before. */
  async #allRounds(
    request: SdkRequest,
    call: RoundedCall,
    before: Executed,
  ): Promise<{ readonly done: Settled<unknown>; readonly isLater: boolean }> {
    const first = await this.#round(request, call, before);
    const mayAsk = call.given.allowInputRequired !== true;
    const asked = mayAsk && first.outcome.ok && isQuestion(first.outcome.value);
    const done = asked ? await this.#furtherRounds(first, call) : first;
    return { done, isLater: asked || isLaterRound(request) };
  }

  /** Goes on with a call about which the server has asked something, until its deadline. */
  async #furtherRounds(first: Settled<unknown>, call: RoundedCall): Promise<Settled<unknown>> {
    const { name, clock } = this.upstream;
    const { args, given, facts } = call;
    let settled = first;
    const talk = startCall({ ...facts, upstream: name, deadline: call.deadline });
    talk.progress.executed = 'maybe';
    const untilDeadline = deadlinePolicy<unknown, Call>({ ms: false, clock });
    const outcome = await untilDeadline(async ({ signal }) => {
      const ask = (asked: SdkRequest): Promise<unknown> =>
        this.#originals.request(...this.#passed(args, asked, askingOptionsFor(given, signal)));
      const round = (next: SdkRequest): Promise<Settled<unknown>> => this.#round(next, call);
      settled = await converse({ request: args[0] as SdkRequest, first, ask, round });
      return settled.outcome;
    })(talk);
    if (outcome.ok) return { ...settled, outcome };
    return { ...settled, outcome: { ...outcome, reason: outcome.reason ?? ANSWERED_BEFORE } };
  }

  /** Makes one request, as often as that can do no harm. `already`: was it executed by an earlier call under its key? */
  async #round(request: SdkRequest, round: RoundedCall, already: Executed = 'no'): Promise<Settled<unknown>> {
    const { upstream } = this;
    const options = this.#options;
    const { args, given, extras, facts: call, times } = round;
    const telemetry = watchCall(options.telemetry, call);
    const emit = joinListeners([upstream.emit, this.#listeners, telemetry?.listen]);
    const sent: Sent & Found = {};
    // Each round counts its attempts by itself. Who counts above names its call itself.
    const counts = options.tellServer !== false && call.above?.attempt === undefined;
    const isNamed = call.method === 'tools/call' || round.key !== undefined;
    const name = counts && isNamed ? crypto.randomUUID() : undefined;
    const asked = { request, began: this.#tasks.began(request) };
    const reading = readingOf(call, sent, asked, {
      clock: upstream.clock,
      clockTrust: this.#clockTrust,
      connection: this.#connection,
      book: this.#book,
      trustDeclarations: options.trustDeclarations,
    });
    const send = async (attempt: Attempt): Promise<unknown> => {
      const reliesOnRefusal = !isRepeatable(this.#words.asKnown(call, round));
      const before = insteadOfAnother(sent, this.#connection, reliesOnRefusal);
      if (before !== undefined) return before();
      const soFar = executedSoFar(attempt.call.progress);
      // Connecting takes its own time, and until it is done nothing has been sent.
      await attempt.prepare(this.#connection.ready()).catch((thrown: unknown) => {
        sent.before = { thrown };
        throw thrown;
      });
      if (soFar !== 'no' && !(await attempt.prepare(this.#words.stillHold(call, round, sent))))
        throw new FaultError(notAgain(sent));
      sent.session = this.#connection.sessionId;
      sent.edition = this.#book.edition;
      sent.tellings = this.#connection.tellings;
      sent.ends = this.#connection.ends;
      const told = options.tellServer === false ? {} : this.#clockTrust.tell(attempt.meta);
      sent.told = { sentAt: upstream.clock.now(), deadline: told.deadline };
      const marked = withMeta(
        request,
        { ...telemetry?.meta(), ...keyMeta(round, worse(already, soFar), name) },
        told,
      );
      const message = hearingLate(call.once === true ? sentOnceOnly(marked) : marked, (result) => {
        sent.late = { result };
      });
      const asked = this.#originals.request(...this.#passed(args, message, sdkOptionsFor(given, attempt)));
      return heardOut(asked, reading, upstream.clock);
    };
    const heard = this.#connection.overheard.listen();
    const done = await run({ ...upstream, emit }, call, send, {
      ...options,
      ...extras,
      ...times,
      deadlineMs: Math.max(0, round.deadline - upstream.clock.now()),
      ...reading,
      asKnown: (made) => this.#words.asFarAsKnown(made, round, sent),
    });
    if (done.outcome.ok) {
      this.#book.learn(request, done.outcome.value, sent.edition ?? -1);
      this.#tasks.learn(request, done.outcome.value);
    }
    return heard(toldByOpening(done, sent, upstream.clock.now()));
  }

  /** The arguments of the SDK's `request`, with another request and other options. */
  #passed(args: readonly unknown[], request: SdkRequest, options: SdkOptions): unknown[] {
    const passed = [...args];
    passed[0] = request;
    passed[this.#flavour.optionsAt(args)] = options;
    return passed;
  }
}

/** Why a call of several rounds is not begun anew. */
const ANSWERED_BEFORE = 'Not tried again: the server has answered an earlier round of the call';
