/** One attempt at a call over HTTP. The answer crosses as the bytes that came; only a failing one is opened. */
import type { FaultInit } from '@mayday/core';
import {
  createEventSplitter,
  isOfStream,
  type StreamEvent,
  saysSomething,
  saysUnknown,
  splitEvents,
  toEvent,
  toSign,
  withData,
  withSign,
} from '../framing/events.ts';
import { type Peek, peek } from '../framing/peek.ts';
import { toUtf8, withoutMark } from '../framing/utf8.ts';
import type { AskedAs } from '../links/asked-as.ts';
import { ENDED_EARLY, noAnswer, tooLarge } from '../links/http-answer.ts';
import type { Flow, HttpAnswer } from '../links/http-client.ts';
import { type HttpHead, NO_HEAD } from '../links/link.ts';
import { afterLastWords, namesAnother } from '../links/lost-session.ts';
import { isPacked, isPackedStream } from '../links/packed.ts';
import type { Receiving } from '../links/room.ts';
import { SessionDenials } from '../links/session-denials.ts';
import { NOT_ITS_OWN, whyNoMessage, whyUntold } from '../links/stray.ts';
import { StreamPlace, takeUp } from '../links/take-up.ts';
import { tooDeep } from '../links/too-deep.ts';
import { transportFault } from '../links/transport-fault.ts';
import { isEventStream, responseHeaders, sessionIn } from '../protocol/headers.ts';
import {
  answered,
  type CallEnded,
  inDoubt,
  isRefusalOfWork,
  lost,
  nameOf,
  refusedBy,
  type WireCall,
  type WireOutcome,
} from './call.ts';
import { isFetchedHere } from './fetched-here.ts';
import { isHarmless } from './harmless-event.ts';
import { type HttpExchangeOptions, type StreamedRefusal, sessionFor } from './http-exchange-options.ts';
import { sessionLost } from './lost-sessions.ts';
import { outcomeOf } from './over-link.ts';
import { readEvent } from './read-event.ts';
import type { ReplyHeaders } from './reply.ts';

/** A stream's head is held back this long, so that a failure that comes at once can still have its status. */
const HOLD_MS = 250;

/** A stream that goes on after its answer is cut. */
const LINGER_MS = 1000;

/** One attempt. */
export class HttpExchange implements HttpAnswer {
  /** What was said of the session. */
  readonly denials: SessionDenials;
  readonly #call: WireCall;
  readonly #asked: AskedAs;
  readonly #options: HttpExchangeOptions;
  readonly #settle: (outcome: WireOutcome) => void;
  #head: HttpHead = NO_HEAD;
  #flow: Flow | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  #receiving: Receiving | undefined;
  #events: ReturnType<typeof createEventSplitter> | undefined;
  #held: readonly StreamEvent[] | undefined;
  /** The server has said something else than its answer: it may have begun. */
  #hasBegun = false;
  #holdTimer: NodeJS.Timeout | undefined;
  #lingering: NodeJS.Timeout | undefined;
  readonly #place: StreamPlace = new StreamPlace();
  #letGo: (() => void) | undefined;
  #over = false;
  /** A refusal in a stream, until all was heard that follows it. */
  #refusal: StreamedRefusal | undefined;
  /** An answer came that is to another request. */
  #hasAnothers = false;
  /** The event that came last, as it came. */
  #newest: Buffer = EMPTY;
  readonly #session: string | undefined;

  constructor(
    call: WireCall,
    asked: AskedAs,
    options: HttpExchangeOptions,
    settle: (outcome: WireOutcome) => void,
  ) {
    this.#call = call;
    this.#asked = asked;
    this.#options = options;
    this.#settle = settle;
    this.#session = sessionFor(call, options);
    this.denials = new SessionDenials(this.#session, asked.id);
  }

  /** The server has told of its work. */
  readonly begun = (): void => {
    this.#hasBegun = true;
  };

  /** Has something begun in the stream that may be about others, and whose end has not come? */
  readonly isSayingMore = (): boolean => this.#events?.mayTellOfOthers(this.#asked.id) === true;

  /** Ends it from outside. */
  end({ fault, ended }: CallEnded): void {
    this.#tellUnfinished();
    this.#finish({ ...lost(this.#call, fault), ended });
    this.#letGo?.();
  }

  onStart(head: HttpHead, flow: Flow): void {
    const { status, headers } = head;
    this.#head = head;
    this.#flow = flow;
    if (this.#call.method === 'initialize') this.#options.lostSessions.opened(responseHeaders(headers));
    if (isPackedStream(head)) {
      this.#fail(noAnswer(head, EMPTY));
      return;
    }
    if (status < 200 || status >= 300 || !isEventStream(headers)) return;
    this.#events = createEventSplitter();
    this.#held = [];
    this.#holdTimer = setTimeout(() => this.#release(), HOLD_MS);
    this.#call.back.onDrain(() => flow.resume());
  }

  onData(chunk: Buffer): void {
    if (this.#over) {
      this.#receivedBehind(chunk);
      return;
    }
    if (this.#events === undefined) {
      this.#size += chunk.length;
      if (this.#size > this.#options.maxMessageBytes) this.#tooLarge();
      else if (this.#chunks.push(chunk) > 1) this.#count(this.#size);
      return;
    }
    const run = this.#events.push(chunk);
    if (this.#events.held > 0) this.#count(this.#events.held);
    if (this.#events.held > this.#options.maxMessageBytes) {
      this.#tooLarge();
      return;
    }
    for (const event of run === undefined ? [] : splitEvents(run)) {
      if (this.#over) this.#takeBehind(event);
      else if (event.data.length > this.#options.maxMessageBytes) this.#tooLarge();
      else this.#take(event);
    }
  }

  #receivedBehind(chunk: Buffer): void {
    const run = this.#events?.push(chunk);
    for (const event of run === undefined ? [] : splitEvents(run)) this.#takeBehind(event);
    if ((this.#events?.held ?? 0) > this.#options.maxMessageBytes) this.#flow?.abort();
  }

  #takeBehind(event: StreamEvent): void {
    this.#newest = event.raw;
    if (event.data.length === 0) {
      this.#saidBeside();
      return;
    }
    const { event: read, seen } = readEvent(event);
    if (seen.kind !== 'response') this.#saidBeside();
    this.#heardBehind(read, seen);
  }

  /** What comes in one piece has come already. */
  #count(bytes: number): void {
    if (this.#flow !== undefined) this.#receiving ??= this.#call.room?.receive(this.#flow);
    this.#receiving?.size(bytes);
  }

  /** The end of what has begun will not come. */
  #tellUnfinished(): void {
    if (this.isSayingMore()) this.#options.tellings.tell(this.#session);
  }

  onEnd(): void {
    clearTimeout(this.#lingering);
    this.#tellUnfinished();
    if (this.#over) return;
    if (this.#refusal !== undefined) this.#refused(!this.#isCut);
    else if (this.#events === undefined) this.#endOfBody();
    else this.#endOfStream(this.#hasAnothers && !this.#isCut ? NOT_ITS_OWN : ENDED_EARLY);
  }

  /** Was the stream in the middle of an event? Readers do not get to see that one. */
  get #isCut(): boolean {
    return this.#events !== undefined && saysSomething(this.#events.rest());
  }

  onError(error: Error, sent: boolean): void {
    clearTimeout(this.#lingering);
    this.#tellUnfinished();
    if (this.#over) return;
    if (this.#refusal !== undefined) this.#refused(false);
    else if (this.#events !== undefined) this.#endOfStream(transportFault(error, sent));
    else this.#fail(transportFault(error, sent));
  }

  /** One event of a stream: the answer, or something before it. */
  #take(event: StreamEvent): void {
    const came = this.#options.sayable(event);
    this.#place.saw(came);
    this.#newest = came.raw;
    const back = this.#options.eventBack(this.#call, came, this.#head);
    if (back.data.length > 0) {
      this.#heard(back);
      return;
    }
    this.#saidBeside();
    if (isHarmless(came)) this.#sign(back);
  }

  /** Whose work an event tells of beside a message is not said. */
  #saidBeside(): void {
    if (!saysUnknown(this.#newest)) return;
    this.#hasBegun = true;
    this.#options.tellings.tell(this.#session);
  }

  /** An event without a message: it waits with those before it. */
  #sign(event: StreamEvent): void {
    if (this.#held === undefined) this.#relate(event);
    else this.#held = withSign(this.#held, event);
  }

  #heard(came: StreamEvent): void {
    const { event, seen } = readEvent(came);
    if (seen.kind !== 'response') this.#saidBeside();
    if (this.#refusal !== undefined && !this.#isAnsweredBehind(event, seen)) {
      this.#heardBehind(event, seen);
      if (!isOfStream(came)) this.#refused(false);
      return;
    }
    const stray = whyNoMessage(seen);
    const deep = tooDeep(event.data, seen, this.#asked);
    if (deep !== undefined) this.#fail(deep);
    else if (stray === undefined && seen.kind !== 'response') {
      this.#hasBegun = true;
      this.#options.tellings.hear(this.#session, event.data, seen, this.#asked); // whose work it tells of is not always said
      this.#relate(withData(event, this.#asked.related(event.data, seen)));
    } else if (stray === undefined && this.#asked.isAnsweredBy(event.data, seen)) {
      const { body, peek: named } = this.#asked.answer(event.data, seen);
      const isDenial = this.denials.deny(this.#head, event.data, seen);
      this.#answer(withData(event, body), named, isDenial ? event.data : undefined);
    } else if (!isOfStream(came)) {
      this.#hasBegun = true;
      this.#hasAnothers ||= seen.kind === 'response';
      this.denials.hear(this.#head, event.data);
      this.#untold(event.data, seen);
      if (event.id !== undefined) this.#sign(toSign(event.id)); // the stream is taken up behind it
    }
  }

  /** What comes behind the answer goes no further, and may tell of another's work. */
  #heardBehind(event: StreamEvent, seen: Peek): void {
    if (isOfStream(event) || (seen.kind === 'response' && this.#asked.isAnsweredBy(event.data, seen))) return;
    this.#options.tellings.hear(this.#session, event.data, seen, this.#asked);
  }

  /** Behind a denial, an answer of its own is what the call is told; whatever it refuses, somebody knew the call. */
  #isAnsweredBehind({ data }: StreamEvent, seen: Peek): boolean {
    if (this.#refusal?.denial === undefined || seen.kind !== 'response') return false;
    if (!this.#asked.isAnsweredBy(data, seen) || this.denials.deny(this.#head, data, seen)) return false;
    clearTimeout(this.#lingering);
    this.#refusal = undefined;
    this.#hasBegun = true;
    return true;
  }

  /** What is no answer to this call, and told to nobody, may be about another. */
  #untold(bytes: Buffer, seen: Peek): void {
    this.#options.note(whyUntold(seen));
    this.#options.tellings.hear(this.#session, bytes, seen, this.#asked);
  }

  #relate(event: StreamEvent): void {
    this.#release();
    if (!this.#call.back.related(event)) this.#flow?.pause();
  }

  #answer(event: StreamEvent, seen: Peek, denial?: Buffer): void {
    const outcome = this.#outcomeOf(event.data, seen);
    if (outcome.ok) {
      const headers = this.#headersBack();
      this.#release(headers);
      this.#finish(answered({ body: event.raw, status: this.#head.status, headers, isStream: true }));
    } else if (isRefusalOfWork(this.#call, outcome) || denial !== undefined) {
      this.#refusal = { event, seen, saysMore: saysUnknown(this.#newest), denial };
      clearTimeout(this.#holdTimer);
    } else this.#finish(this.#withHeaders(outcome, event.id));
    // Nothing that belongs to this call comes after its answer. A stream that ends now leaves its connection usable.
    this.#lingering = setTimeout(() => {
      if (this.#refusal !== undefined) this.#refused(false);
      this.#flow?.abort();
    }, LINGER_MS);
    this.#lingering.unref();
  }

  /** All was heard that follows a refusal; or not: more was said, or nobody knows. */
  #refused(isAll: boolean): void {
    if (this.#refusal === undefined) return;
    const { event, seen, saysMore, denial } = this.#refusal;
    const isWhole = isAll && !saysMore;
    const outcome = this.#outcomeOf(event.data, seen);
    // Once a stream has begun there is no other status.
    if (isWhole && denial !== undefined && this.#held !== undefined) this.#forgotten(denial);
    else this.#finish(this.#withHeaders(isWhole ? outcome : inDoubt(outcome), event.id));
  }

  #forgotten(original: Buffer): void {
    const call = this.#call;
    const outcome = sessionLost(call, original);
    if (isRefusalOfWork(call, outcome)) afterLastWords(() => this.#finish(outcome));
    else this.#finish(outcome);
  }

  /** From now on there is no other status. Before the answer is known, nothing may go out that a failure would keep back. */
  #release(headers: ReplyHeaders = sessionIn(this.#headersBack())): void {
    if (this.#held === undefined) return;
    clearTimeout(this.#holdTimer);
    const held = this.#held;
    this.#held = undefined;
    this.#call.back.open(headers);
    for (const event of held) this.#call.back.related(event);
  }

  #endOfStream(fault: FaultInit): void {
    if (this.#place.lastEventId !== undefined && isFetchedHere(this.#call)) {
      this.#takeUp(fault);
      return;
    }
    const event = this.#place.lastEventId;
    // A stream of a session that names its events may end early, or break: the client takes it up again.
    if (event !== undefined && this.#session !== undefined) {
      this.#options.onLeft(this.#call, this.#session, event);
      this.#release();
      const headers = sessionIn(this.#headersBack());
      this.#finish(answered({ body: EMPTY, status: 200, headers, isStream: true }));
      return;
    }
    this.#fail(fault);
  }

  #takeUp(why: FaultInit): void {
    const { client, path, headersFor, maxMessageBytes } = this.#options;
    this.#letGo = takeUp({
      client,
      path,
      headers: () => headersFor(this.#call),
      session: this.#session,
      callerName: nameOf(this.#call.by),
      maxBytes: maxMessageBytes,
      place: this.#place,
      onStart: (flow) => {
        this.#flow = flow;
      },
      onMessage: (data) => {
        if (!this.#over) this.#take({ raw: toEvent(data), data, id: undefined });
      },
      isOver: () => this.#over || this.#refusal !== undefined,
      onLost: (fault = why) => this.#fail(fault),
    });
  }

  #endOfBody(): void {
    const came = this.#chunks.length === 1 ? (this.#chunks[0] ?? EMPTY) : Buffer.concat(this.#chunks);
    const body = withoutMark(came);
    const call = this.#call;
    const seen = peek(body);
    if (this.denials.deny(this.#head, body, seen)) {
      this.#forgotten(body);
      return;
    }
    if (this.#head.status >= 300 || this.#head.status < 200) {
      const { concern, told } = this.#asked.judge(body, this.#head);
      const heard = { type: 'http', status: this.#head.status, head: this.#head, body: told } as const;
      const outcome = refusedBy(call, { ...heard, headers: this.#headersBack() }, this.#options.hear);
      const isAnothers = namesAnother(this.#head, { session: this.#session, method: call.method });
      this.#finish(concern !== 'own' || isAnothers ? inDoubt(outcome) : outcome);
      if (concern === 'another') this.#dropped(body, seen);
      return;
    }
    if (isPacked(this.#head)) this.#finish(lost(call, noAnswer(this.#head, body)));
    else this.#answerIn(body, seen);
  }

  /** The answer that is the whole body. It is walked once: whether it is UTF-8 is known by then. */
  #answerIn(body: Buffer, seen: Peek): void {
    if (seen.why === 'not_utf8') {
      const read = toUtf8(body);
      this.#answerIn(read, peek(read));
      return;
    }
    if (seen.kind !== 'response' || !this.#asked.isAnsweredBy(body, seen)) {
      this.#finish(this.#notItsAnswer(body, seen));
      return;
    }
    const { body: own, peek: named } = this.#asked.answer(body, seen);
    const outcome = this.#outcomeOf(own, named);
    this.#finish(
      outcome.ok
        ? answered({ body: own, status: this.#head.status, headers: this.#headersBack(), isStream: false })
        : this.#withHeaders(outcome),
    );
  }

  /** What is told in place of an answer. The words of one to another request may be for somebody else alone. */
  #notItsAnswer(body: Buffer, seen: Peek): WireOutcome {
    const quoted = seen.kind === 'response' ? undefined : this.#asked.quoted(body, this.#head);
    if (quoted !== undefined) this.#flow?.abort();
    else this.#dropped(body, seen);
    if (seen.kind === 'response') return lost(this.#call, NOT_ITS_OWN);
    const fault = tooDeep(body, seen) ?? noAnswer(this.#head, body);
    return lost(this.#call, fault, quoted === undefined ? {} : { original: quoted });
  }

  /** What came in place of the answer may be for somebody else. */
  #dropped(body: Buffer, seen: Peek): void {
    this.#untold(body, seen);
    this.#flow?.abort(); // its own answer may come yet, where another request would wait for one
  }

  #outcomeOf(bytes: Buffer, seen: Peek): WireOutcome {
    const { status } = this.#head;
    return outcomeOf(this.#call, bytes, this.#options.hear, { status, head: this.#head, seen });
  }

  #tooLarge(): void {
    this.#tellUnfinished();
    this.#fail(tooLarge(this.#options.maxMessageBytes));
  }

  #fail(fault: FaultInit): void {
    this.#finish(lost(this.#call, fault));
    this.#flow?.abort();
  }

  #finish(outcome: WireOutcome): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#holdTimer);
    this.#chunks = [];
    this.#receiving?.end();
    this.#settle(this.#hasBegun ? inDoubt(outcome) : outcome);
  }

  #headersBack(): ReplyHeaders {
    return this.#options.headersBack(this.#call, responseHeaders(this.#head.headers));
  }

  /** The session survives its failures. */
  #withHeaders(outcome: WireOutcome, eventId?: string): WireOutcome {
    if (outcome.ok || outcome.value?.type !== 'message') return outcome;
    return { ...outcome, value: { ...outcome.value, eventId, headers: sessionIn(this.#headersBack()) } };
  }
}

const EMPTY: Buffer = Buffer.alloc(0);
