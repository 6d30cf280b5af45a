/** How one call is answered over HTTP: as one body, or as a stream once the server has more to say. */
import { toEvent, withoutAsides } from '../framing/events.ts';
import { peek } from '../framing/peek.ts';
import { lostAnswer } from './answer-call.ts';
import type { Answer, Back, Related, WireCall } from './call.ts';
import { type InSession, isQuestion, type OpenQuestions, type ServersQuestions } from './open-questions.ts';
import type { Reply, ReplyHeaders } from './reply.ts';
import type { Session } from './session.ts';
import type { SessionStream } from './session-stream.ts';
import { isToldBeside } from './told-beside.ts';

/** Answers one call, once. */
export interface Delivery extends Back {
  /** Does whoever asked know an event to take the answer up from, should the connection be lost? */
  readonly canBeTakenUp: boolean;
  conclude(answer: Answer): void;
}

/** Answers straight over the connection of the request. */
export class DirectDelivery implements Delivery {
  readonly #reply: Reply;
  readonly #headers: ReplyHeaders | undefined;
  readonly canBeTakenUp: boolean = false;
  committed = false;

  constructor(reply: Reply, headers?: ReplyHeaders) {
    this.#reply = reply;
    this.#headers = headers;
  }

  get isStream(): boolean {
    return this.#reply.isStream;
  }

  open(own?: ReplyHeaders): void {
    this.#reply.stream({ ...this.#headers, ...own });
  }

  related(message: Related): boolean {
    const { data, raw, id } = message;
    this.committed ||= !isToldBeside(message);
    this.#reply.stream(this.#headers);
    return this.#reply.event(raw === undefined ? toEvent(data, id) : withoutAsides(raw));
  }

  onDrain(listener: () => void): void {
    this.#reply.onDrain(listener);
  }

  conclude({ body, status, headers: own, isStream, eventId, isUnwanted }: Answer): void {
    const headers = this.#headers === undefined ? own : { ...this.#headers, ...own };
    if (isUnwanted === true) {
      this.#reply.stream(this.#headers);
      this.#reply.end();
    } else if (isStream || this.#reply.isStream) {
      this.#reply.stream(headers);
      this.#reply.event(isStream ? withoutAsides(body) : toEvent(body, eventId));
      this.#reply.end();
    } else this.#reply.raw(status, headers, body);
  }
}

/** The same of a server that asks its clients by itself, and is answered elsewhere: in its session, where there is one. */
export class AskingDelivery extends DirectDelivery {
  readonly #in: InSession;
  readonly #questions: ServersQuestions;
  /** Where there is no session. */
  #own: OpenQuestions | undefined;

  constructor(reply: Reply, of: InSession, questions: ServersQuestions) {
    super(reply);
    this.#in = of;
    this.#questions = questions;
  }

  get asks(): OpenQuestions | undefined {
    return this.#own ?? this.#questions.of(this.#in);
  }

  override related(message: Related): boolean {
    if (this.#in.session !== undefined) this.#questions.toClient(this.#in, message.data);
    else {
      if (isQuestion(peek(message.data))) this.#own ??= this.#questions.inCall(this.#in.caller);
      this.#own?.toClient(message.data);
    }
    return super.related(message);
  }

  /** The call is over: whatever is answered now was asked in another. */
  over(): void {
    if (this.#own !== undefined) this.#questions.over(this.#own);
  }
}

type Request = Pick<WireCall, 'body' | 'peek' | 'revision'>;

/** Answers into a stream of the session, which outlives the connection: what was missed can be asked for again. */
export class SessionDelivery implements Delivery {
  readonly #reply: Reply;
  readonly #session: Session;
  readonly #request: Request;
  #stream: SessionStream | undefined;
  committed = false;

  constructor(reply: Reply, session: Session, request: Request) {
    this.#reply = reply;
    this.#session = session;
    this.#request = request;
  }

  get isStream(): boolean {
    return this.#stream !== undefined;
  }

  get canBeTakenUp(): boolean {
    return this.#stream?.hasSent === true;
  }

  get asks(): OpenQuestions {
    return this.#session.asks;
  }

  open(own?: ReplyHeaders): void {
    this.#stream ??= this.#reply.isOpen ? this.#session.stream(this.#reply, own) : undefined;
  }

  related({ data }: Related): boolean {
    this.committed ||= !isToldBeside({ data });
    this.open();
    if (this.#stream !== undefined) {
      const { message, withdrawn } = this.#session.questions.toClient(data);
      if (withdrawn !== undefined) this.#session.tell(withdrawn);
      this.asks.toClient(message);
      return this.#stream.send(message);
    }
    this.#session.deliver(data); // whoever asked has left a call that goes on; the session may listen elsewhere
    return true;
  }

  onDrain(listener: () => void): void {
    (this.#stream ?? this.#reply).onDrain(listener);
  }

  conclude({ body, status, headers: own, isUnwanted }: Answer): void {
    const { id, isEnded } = this.#session;
    if (isUnwanted === true) this.open();
    if (isUnwanted === true && this.#stream !== undefined) this.#session.finish(this.#stream);
    else if (this.#stream === undefined) {
      const isNamed = isEnded || own['mcp-session-id'] !== undefined;
      this.#reply.raw(status, isNamed ? own : { ...own, 'mcp-session-id': id }, body);
    } else {
      this.#stream.send(body, lostAnswer(this.#request));
      this.#session.finish(this.#stream);
    }
  }
}
