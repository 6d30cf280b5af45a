/**
 * Messages that come one by one, and are answered one by one, wherever from and where to. Every one goes the way that a
 * request over streamable HTTP would, so that all doors are the same gateway.
 */
import {
  decode,
  idOf,
  isMembers,
  type MessageKind,
  peek,
  Questions,
  Reply,
  type ReplyHeaders,
} from '@mayday/relay';
import { noAnswer, underId, underItsId } from './given-answers.ts';
import { idOfRequest } from './id-of-request.ts';
import { Lines } from './lines.ts';
import type { MessageDoorOptions } from './message-door-options.ts';
import {
  type CarriedHeaders,
  type Conversation,
  cancelledBy,
  cancelling,
  type DoorMessage,
  ending,
  hasKey,
  headOf,
  isListen,
  messageIn,
  NO_CONVERSATION,
  NOTHING_KNOWN,
} from './message-request.ts';
import type { MessageResponse } from './message-response.ts';
import { Opening } from './opening.ts';
import { StandingStream } from './standing-stream.ts';
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
  readonly #opening: Opening = new Opening();
  /** The server has forgotten the conversation, and has not agreed to another one yet. */
  #isLost = false;
  #reopening: Promise<Buffer | undefined> | undefined;
  /** Requests that wait for it. */
  readonly #renewing: Set<string | number> = new Set();
  readonly #standing: StandingStream;
  /** Requests that are not answered yet, and those of them that were cancelled: no answer is expected to these. */
  readonly #awaited: Map<string | number, { readonly goesOn: boolean }> = new Map();
  readonly #unwanted: Set<string | number> = new Set();
  /** What came along with the last message. */
  #headers: CarriedHeaders = {};
  /** Messages that wait until the conversation is open. */
  readonly #queue: WaitingRequests = new WaitingRequests(() => this.#tellHeld());
  readonly #waiting: Lines = new Lines(MAX_ASKED, () => this.#tellHeld());
  readonly #questions: Questions = new Questions();
  #holds = 0;
  #pending = 0;
  #isOver = false;
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
    if (this.#isOver) return;
    this.#queue.clear();
    this.#waiting.clear();
    this.#renewing.clear();
    for (const [id, { goesOn }] of [...this.#awaited]) if (!goesOn) this.#take(cancelling(id, this.#headers));
    this.#isOver = true;
    void this.ended.then(() => {
      this.close();
      this.#endSession();
    });
    this.#maybeEnd();
  }

  #endSession(): void {
    if (this.#conversation.session === undefined) return;
    const response = this.#visits.respond({ onHead: () => {}, onMessage: () => true, onEnd: () => {} });
    this.#visits.knock(ending(this.#conversation, this.#about()), EMPTY, response);
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
    if (this.#holds > 0 && this.#withdrawn(message)) return;
    if (this.#holds > 0) this.#queue.add(message);
    else this.#take(message);
  }

  /** Answers and notifications go on at once: a call may be waiting for just that answer. */
  #take(message: DoorMessage): void {
    const { kind } = message.peek;
    if (this.#cancelled(message)) return;
    const line = kind === 'request' ? this.#options.lineOf(message) : undefined;
    if (line === undefined || this.#waiting.enter(message, line)) this.#send(message, line);
    else this.#pauseIf(this.#waiting.isFull);
  }

  #send(message: DoorMessage, line: string | undefined): void {
    const { method } = message.peek;
    const opens = !message.isModern && (method === 'initialize' || method === 'notifications/initialized');
    const forget = this.#opening.see(message);
    const counts = isListen(message) ? 0 : 1;
    this.#pending += counts;
    if (opens) this.#holds++;
    void this.#ask(message, forget).finally(() => {
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
    this.#options.holds?.(this.#queue.held + this.#waiting.held + this.#opening.held);
  }

  /** What waited goes on, until something holds it up again. */
  #release(): void {
    this.#holds--;
    while (this.#holds === 0) {
      const next = this.#queue.next();
      if (next === undefined) return;
      this.#take(next);
    }
  }

  /**
   * Asks, and asks once more in a conversation of its own where the server has forgotten this one: nothing was done then.
   * What may not be repeated is told, and the next one finds a new conversation.
   */
  async #ask(message: DoorMessage, forget: (() => void) | undefined): Promise<void> {
    const say = forget && ((said: Buffer) => this.#sayUnless(said, forget));
    if (message.peek.method === 'initialize' || (message.isModern && this.#isLost))
      return void (await this.#visit(message));
    if (this.#isLost) {
      // What asks for nothing was meant for the conversation that is gone.
      if (message.peek.kind === 'request') await this.#askAnew(message, say);
      return;
    }
    const { session } = this.#conversation;
    if (session === undefined) return void (await this.#visit(message, 'never', say));
    const mayRepeat = this.#options.mayRepeat(message);
    if (!(await this.#visit(message, mayRepeat ? 'repeated' : 'told', say))) return;
    // Of many that find it forgotten, the first has it opened again for all of them.
    if (session === this.#conversation.session) this.#isLost = true;
    if (mayRepeat) await this.#askAnew(message, say);
    else if (this.#isLost) await this.#openAgain();
  }

  /** In a new conversation; why there is none is told. */
  async #askAnew(message: DoorMessage, say?: (said: Buffer) => boolean): Promise<void> {
    const { body, peek: seen } = message;
    const id = seen.kind === 'request' ? idOf(body, seen) : undefined;
    if (id !== undefined) this.#renewing.add(id);
    const refusal = this.#isLost ? await this.#openAgain() : undefined;
    if (id !== undefined && !this.#renewing.delete(id)) return; // nobody wants it any more
    if (refusal === undefined) await this.#visit(message, 'never', say);
    else if (id !== undefined) this.#pauseIf(!this.#say(underId(refusal, id)));
  }

  /** Once for all who wait for it: a server that is not there is not asked for each of them. What it says, where it will not. */
  #openAgain(): Promise<Buffer | undefined> {
    this.#reopening ??= this.#reopen().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  async #reopen(): Promise<Buffer | undefined> {
    this.#holds++;
    this.#standing.close();
    this.#conversation = NO_CONVERSATION;
    const saying = {
      say: (message: DoorMessage) => this.#answerTo(message),
      isOpen: () => !this.#isLost,
      maxDepth: this.#options.maxDepth,
    };
    const refusal = await this.#opening.sayAgain(saying);
    this.#standing.listen();
    this.#release();
    return refusal;
  }

  /**
   * One request; its messages are written, or given to whoever wants them instead. True: the session is not known where it
   * was sent; what will be repeated is not told of it.
   */
  #visit(
    message: DoorMessage,
    whenLost: 'never' | 'told' | 'repeated' = 'never',
    say: (said: Buffer) => boolean = (said) => this.#say(said),
  ): Promise<boolean> {
    const { body, peek: seen, isModern } = message;
    const id = seen.kind === 'request' ? idOf(body, seen) : undefined;
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
          isAnswered ||= !ASIDES.has(peek(said).kind);
          return this.#pauseIf(!say(isRefused && id !== undefined ? underItsId(said, id) : said));
        },
        onEnd: () => {
          if (id !== undefined) {
            this.#cancellable.delete(id);
            this.#awaited.delete(id);
          }
          const isLeft = this.#listens.delete(response) && this.#isOver;
          const isUnwanted = (id !== undefined && this.#unwanted.delete(id)) || isLeft;
          if (!isAnswered && !(isLost && isUntold) && !isUnwanted && id !== undefined) say(noAnswer(id));
          resolve(isLost);
        },
      });
      if (id !== undefined) this.#awaited.set(id, { goesOn: opens || hasKey(message) });
      if (id !== undefined && isModern) this.#cancellable.set(id, response);
      if (isListen(message)) this.#listens.add(response);
      this.#visits.knock(headOf(message, this.#conversation, this.#options.path), body, response);
    });
  }

  /** What is answered to a message of ours. */
  async #answerTo(message: DoorMessage): Promise<Buffer | undefined> {
    let answer: Buffer | undefined;
    await this.#visit(message, 'never', (said) => {
      if (!ASIDES.has(peek(said).kind)) answer = said;
      return true;
    });
    return answer;
  }

  #sayUnless(said: Buffer, forget: () => void): boolean {
    if (peek(said).hasError) forget();
    return this.#say(said);
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
    if (typeof version !== 'string') return;
    this.#conversation = { ...this.#conversation, version };
    this.#isLost = false;
  }

  #pauseIf(isBehind: boolean): boolean {
    if (isBehind) this.#options.pause?.();
    return !isBehind;
  }

  /** Is there nothing more to be told about it: was it not asked yet, or does only closing it cancel it? */
  #cancelled(message: DoorMessage): boolean {
    const requestId = cancelledBy(message);
    if (requestId === undefined) return false;
    if (this.#waiting.cancel(requestId)) return true;
    if (this.#awaited.has(requestId)) this.#unwanted.add(requestId);
    const response = this.#cancellable.get(requestId);
    response?.destroy();
    return response !== undefined;
  }

  /** Does it take back what waits until the conversation is open? Nobody has been asked that yet. */
  #withdrawn(message: DoorMessage): boolean {
    const id = cancelledBy(message);
    return id !== undefined && (this.#renewing.delete(id) || this.#queue.cancel(id));
  }

  /** A message is too long to be read: its first bytes, its last, and how many it has. */
  tooLong(start: Buffer, end: Buffer, size: number): void {
    const id = idOfRequest(start.toString('utf8'), end.toString('utf8'));
    const reply = new Reply(
      this.#visits.respond({
        onHead: () => undefined,
        onMessage: (said) => this.#options.say(id === undefined ? said : underId(said, id)),
        onEnd: () => undefined,
      }),
    );
    const headers = { ...NOTHING_KNOWN.headers, 'content-length': String(size) };
    this.#options.turnAway('too_large', reply, { ...NOTHING_KNOWN, headers });
  }
}

const EMPTY: Buffer = Buffer.alloc(0);

/** What a server says before its answer. */
const ASIDES: ReadonlySet<MessageKind> = new Set(['request', 'notification']);
