/**
 * Messages that come one by one, and are answered one by one, wherever from and where to. Every one goes the way that a
 * request over streamable HTTP would, so that all doors are the same gateway.
 */
import { decode, isMembers, Lasting, peek, Questions, type ReplyHeaders } from '@mayday/relay';
import { within } from '../within.ts';
import { type Awaited, waiting } from './awaited.ts';
import { sayFarewell } from './farewell.ts';
import { hasResult, isAside, noAnswer, underId, underItsId } from './given-answers.ts';
import { Lines } from './lines.ts';
import type { MessageDoorOptions } from './message-door-options.ts';
import {
  type CarriedHeaders,
  type Conversation,
  cancelledIn,
  cancelling,
  type DoorMessage,
  hasKey,
  headOf,
  isListen,
  messageIn,
  NO_CONVERSATION,
  requestIdOf,
} from './message-request.ts';
import type { MessageResponse } from './message-response.ts';
import { StandingStream } from './standing-stream.ts';
import { turnAwayTooLong } from './too-long.ts';
import { Visits } from './visits.ts';
import { WaitingRequests } from './waiting-requests.ts';

/** Of one caller, a server takes so many calls at once; what is beyond waits here, and not in vain there. */
const MAX_ASKED = 200;

/** After the end of its input, whoever asked may still want the answers: for 30 s, of which a gateway that closes gives the last 5. */
const LAST_ANSWERS_MS = 25_000;

/** A door for one caller. */
export class MessageDoor {
  /** Everything that was asked is answered and nothing more can come. */
  readonly ended: Promise<void>;
  readonly #options: MessageDoorOptions;
  readonly #visits: Visits;
  /** Requests of the stateless revision that are not answered yet: only closing them cancels them. */
  readonly #cancellable: Map<string | number, MessageResponse> = new Map();
  /** Those that ask to be told of what happens: nobody waits for their end. */
  readonly #listens: Set<MessageResponse> = new Set();
  #conversation: Conversation = NO_CONVERSATION;
  /** What opened the conversation: said again where a server has forgotten it. */
  #opening: DoorMessage | undefined;
  #opened: DoorMessage | undefined;
  readonly #standing: StandingStream;
  /** The conversation is being opened again, once for everybody whose request was refused; why it could not be. */
  #reopening: Promise<Buffer | undefined> | undefined;
  /** What holds for as long as the conversation lasts is asked for again in a new one. */
  readonly #lasting: Lasting = new Lasting();
  /** Requests that are not answered yet. */
  readonly #awaited: Map<string | number, Awaited> = new Map();
  /** What came along with the last message. */
  #headers: CarriedHeaders = {};
  /** Messages that wait until the conversation is open. */
  readonly #queue: WaitingRequests = new WaitingRequests(() => this.#tellHeld());
  readonly #waiting: Lines = new Lines(MAX_ASKED, () => this.#tellHeld());
  readonly #questions: Questions = new Questions();
  #holds = 0;
  #pending = 0;
  #isOver = false;
  #hasLeft = false;
  /** The end of the session, where it is being ended. */
  #farewell: Promise<void> = Promise.resolve();
  #isClosed = false;
  #end: () => void = () => undefined;

  constructor(options: MessageDoorOptions) {
    this.#options = options;
    this.#visits = new Visits(options);
    this.#standing = new StandingStream({
      visits: this.#visits,
      conversation: () => this.#conversation,
      about: () => this.#about(),
      isOver: () => this.#isClosed || this.#isOver,
      say: (said) => this.#pauseIf(!this.#say(said)),
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Takes a message, and what came along with it. */
  receive(body: Buffer, headers?: CarriedHeaders): void {
    this.#receive(messageIn(body, this.#options.maxDepth, headers));
  }

  /** The reader has caught up. */
  drained(): void {
    this.#options.resume?.();
    this.#visits.drained();
  }

  /** Nothing more will be asked. */
  over(): void {
    this.#isOver = true;
    this.#maybeEnd();
    setTimeout(this.#end, LAST_ANSWERS_MS).unref();
  }

  /** Nobody hears answers any more. */
  close(): void {
    this.#isClosed = true;
    this.#standing.close();
  }

  /**
   * Whoever asked has gone. What it asked is cancelled, unless that goes on whoever waits for it; then its session is
   * ended. A session that is left alone would hold a process until it is too old.
   */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#queue.clear();
    this.#waiting.clear();
    for (const [id, awaited] of [...this.#awaited]) if (!awaited.goesOn) this.#giveUp(id, awaited);
    this.#isOver = true;
    void this.ended.then(() => {
      this.close();
      this.#endSession();
    });
    this.#maybeEnd();
  }

  /** Ends the conversation for good when all is answered, or so long after: nothing is heard unasked any more. */
  async end(graceMs: number): Promise<void> {
    this.#isOver = true;
    this.#standing.close();
    this.#maybeEnd();
    await within(this.ended, graceMs);
    this.#endSession();
    await this.#farewell;
  }

  /** What waits for a new conversation is not asked there any more; whoever works on the rest is told. */
  #giveUp(id: string | number, awaited: Awaited): void {
    if (awaited.isWaiting) awaited.isUnwanted = true;
    else this.#take(cancelling(id, this.#headers));
  }

  #endSession(): void {
    const conversation = this.#conversation;
    if (conversation.session === undefined) return;
    this.#conversation = NO_CONVERSATION;
    this.#farewell = sayFarewell(this.#visits, conversation, this.#about());
  }

  #about(): { readonly path: string; readonly headers: CarriedHeaders } {
    return { path: this.#options.path, headers: this.#headers };
  }

  #maybeEnd(): void {
    const isDone = this.#pending + this.#queue.size + this.#waiting.size === 0;
    if (!this.#isOver || !isDone) return;
    for (const response of this.#listens) response.destroy();
    this.#end();
  }

  #receive(line: DoorMessage): void {
    this.#headers = line.headers;
    // An answer goes out as the server knows the question; one to a server that is gone, to nobody.
    const told = line.peek.kind === 'response' ? this.#questions.toServer(line) : line;
    if (this.#isClosed || told === undefined) return;
    const message = { ...line, ...told };
    if (this.#holds === 0) this.#take(message);
    else if (!this.#cancelsWaiting(message)) this.#queue.add(message);
  }

  /** Is this about a request that waits for the conversation, and is now not asked at all? */
  #cancelsWaiting({ body, peek: { method } }: DoorMessage): boolean {
    const id = method === 'notifications/cancelled' ? cancelledIn(body) : undefined;
    if (id === undefined) return false;
    if (this.#queue.cancel(id)) return true;
    const awaited = this.#awaited.get(id);
    if (awaited?.isWaiting !== true) return false;
    awaited.isUnwanted = true;
    return true;
  }

  /** Answers and notifications go on at once: a call may be waiting for just that answer. */
  #take(message: DoorMessage): void {
    const { method, kind } = message.peek;
    if (method === 'notifications/cancelled' && this.#cancelled(message)) return;
    const line = kind === 'request' ? this.#options.lineOf(message) : undefined;
    if (line === undefined || this.#waiting.enter(message, line)) this.#send(message, line);
    else this.#pauseIf(this.#waiting.isFull);
  }

  #send(message: DoorMessage, line: string | undefined): void {
    const { method, kind } = message.peek;
    const opens = !message.isModern && (method === 'initialize' || method === 'notifications/initialized');
    if (method === 'initialize' && kind === 'request') this.#opening = message;
    if (method === 'notifications/initialized') this.#opened = message;
    const counts = isListen(message) ? 0 : 1;
    this.#pending += counts;
    if (opens) this.#holds++;
    void this.#ask(message).finally(() => {
      this.#pending -= counts;
      if (line !== undefined) this.#answered(line);
      if (opens) this.#opens();
      if (method === 'notifications/initialized') this.#standing.listen();
      this.#maybeEnd();
    });
  }

  /** One is answered: the next of its line may be asked. */
  #answered(line: string): void {
    const next = this.#waiting.leave(line);
    if (next === undefined) return;
    if (!this.#waiting.isFull) this.#options.resume?.();
    this.#send(next, line);
  }

  /** Until now, what opens a conversation was held by whoever answers it. */
  #opens(): void {
    this.#tellHeld();
    this.#release();
  }

  #tellHeld(): void {
    const kept = (this.#opening?.body.length ?? 0) + (this.#opened?.body.length ?? 0);
    this.#options.holds?.(this.#queue.held + this.#waiting.held + this.#lasting.held + kept);
  }

  /** What waited goes on, until something holds it up again. `refusal`: what it waited for is not there, for this reason. */
  #release(refusal?: Buffer): void {
    this.#holds--;
    while (this.#holds === 0) {
      const next = this.#queue.next();
      if (next === undefined) return;
      const needsSession = next.peek.method !== 'initialize' && !next.isModern;
      const id = needsSession ? requestIdOf(next) : undefined;
      if (refusal === undefined || id === undefined) this.#take(next);
      else this.#pauseIf(!this.#say(underId(refusal, id)));
    }
  }

  /**
   * Asks, and asks once more in a new conversation where the server has forgotten this one: nothing was done then. What may
   * not be repeated is told, and the next one finds a new conversation.
   */
  async #ask(message: DoorMessage): Promise<void> {
    const { body, peek: seen, isModern } = message;
    const id = requestIdOf(message);
    const opens = seen.method === 'initialize';
    const goesOn = (opens && !isModern) || hasKey(message);
    const awaited: Awaited = { goesOn, isWaiting: false, isUnwanted: false };
    if (id !== undefined) this.#awaited.set(id, awaited);
    const forget = isModern ? undefined : this.#lasting.see(body, seen);
    const say: Say = (said) => {
      if (forget !== undefined && peek(said).hasError) forget();
      return this.#say(said);
    };
    if (opens) await this.#visit(message, 'never', say);
    else await this.#askInSession(message, awaited, say);
    if (id !== undefined && this.#awaited.get(id) === awaited) this.#awaited.delete(id);
  }

  async #askInSession(message: DoorMessage, awaited: Awaited, say: Say): Promise<void> {
    if (this.#reopening !== undefined) await waiting(awaited, this.#reopening);
    if (awaited.isUnwanted) return;
    const { session } = this.#conversation;
    if (session === undefined) {
      await this.#visit(message, 'never', say);
      return;
    }
    const mayRepeat = this.#options.mayRepeat(message);
    if (!(await this.#visit(message, mayRepeat ? 'repeated' : 'told', say))) return;
    const id = requestIdOf(message);
    if (id === undefined) return; // nobody waits for it: no reason to open a session
    const refusal = await waiting(awaited, this.#openedAfter(session));
    if (!mayRepeat || awaited.isUnwanted || this.#isClosed) return;
    if (refusal === undefined) await this.#visit(message, 'never', say);
    else this.#pauseIf(!say(underId(refusal, id)));
  }

  /** Waits for the conversation after this one. Returns what the server said instead of opening it. */
  async #openedAfter(session: string): Promise<Buffer | undefined> {
    if (this.#reopening === undefined && session !== this.#conversation.session) return undefined;
    this.#reopening ??= this.#openAgain().then((refusal) => {
      this.#reopening = undefined;
      this.#release(refusal);
      return refusal;
    });
    return await this.#reopening;
  }

  /** Where there is no new one, the one before stays: who asks next finds out that it is forgotten, and tries again. */
  async #openAgain(): Promise<Buffer | undefined> {
    this.#holds++;
    this.#standing.close();
    const before = this.#conversation;
    this.#conversation = NO_CONVERSATION;
    let answer: Buffer | undefined;
    const hear: Say = (said) => {
      if (!isAside(said)) answer = said;
      return true;
    };
    if (this.#opening !== undefined) await this.#visit(this.#opening, 'never', hear);
    if (answer !== undefined && !hasResult(answer)) {
      this.#conversation = before;
      return answer;
    }
    if (this.#opened !== undefined) await this.#visit(this.#opened, 'never', () => true);
    this.#standing.listen();
    for (const body of this.#lasting.again) {
      void this.#visit(messageIn(body, this.#options.maxDepth, this.#headers), 'never', () => true);
    }
    return undefined;
  }

  /**
   * One request; its messages are written, or given to whoever wants them instead. True: the session is not known where it
   * was sent; what will be repeated is not told of it.
   */
  #visit(message: DoorMessage, whenLost: 'never' | 'told' | 'repeated', say: Say): Promise<boolean> {
    const { body, peek: seen, isModern } = message;
    const id = requestIdOf(message);
    const opens = seen.kind === 'request' && seen.method === 'initialize' && !isModern;
    return new Promise((resolve) => {
      const isUntold = whenLost === 'repeated';
      let isLost = false;
      let isRefused = false;
      let isAnswered = id === undefined;
      const response = this.#visits.respond({
        onHead: (status, headers) => {
          isLost = whenLost !== 'never' && status === 404;
          isRefused = status >= 400;
          if (opens && status === 200) this.#greeted(headers);
        },
        onMessage: (said) => {
          if (isLost && isUntold) return true;
          if (opens) this.#agreed(said);
          isAnswered ||= !isAside(said);
          return this.#pauseIf(!say(isRefused && id !== undefined ? underItsId(said, id) : said));
        },
        onEnd: () => {
          if (id !== undefined) this.#cancellable.delete(id);
          const isLeft = this.#listens.delete(response) && this.#isOver;
          const isUnwanted = (id !== undefined && this.#awaited.get(id)?.isUnwanted === true) || isLeft;
          if (!isAnswered && !(isLost && isUntold) && !isUnwanted && id !== undefined) say(noAnswer(id));
          resolve(isLost);
        },
      });
      if (id !== undefined && isModern) this.#cancellable.set(id, response);
      if (isListen(message)) this.#listens.add(response);
      this.#visits.knock(headOf(message, this.#conversation, this.#options.path), body, response);
    });
  }

  #say(said: Buffer): boolean {
    const { message, withdrawn } = this.#questions.toClient(said);
    if (withdrawn !== undefined) this.#options.say(withdrawn);
    return this.#options.say(message);
  }

  /** Whoever opens a conversation once more has left the one before. */
  #greeted(headers: ReplyHeaders): void {
    this.#endSession();
    this.#conversation = { ...this.#conversation, session: headers['mcp-session-id'] };
  }

  #agreed(said: Buffer): void {
    const message = decode(said);
    const result = isMembers(message) ? message['result'] : undefined;
    const version = isMembers(result) ? result['protocolVersion'] : undefined;
    if (typeof version === 'string') this.#conversation = { ...this.#conversation, version };
  }

  #pauseIf(isBehind: boolean): boolean {
    if (isBehind) this.#options.pause?.();
    return !isBehind;
  }

  /** Is there nothing more to be told about it: was it not asked yet, or does only closing it cancel it? */
  #cancelled({ body }: DoorMessage): boolean {
    const requestId = cancelledIn(body);
    if (requestId === undefined) return false;
    if (this.#waiting.cancel(requestId)) return true;
    const awaited = this.#awaited.get(requestId);
    if (awaited !== undefined) awaited.isUnwanted = true;
    const response = this.#cancellable.get(requestId);
    response?.destroy();
    return response !== undefined;
  }

  /** A message is too long to be read: its first bytes, its last, and how many it has. */
  tooLong(start: Buffer, end: Buffer, size: number): void {
    turnAwayTooLong({ start, end, size }, this.#visits, this.#options);
  }
}

/** False: the reader is behind. */
type Say = (said: Buffer) => boolean;
