/**
 * The gateway as a plain command: messages come as lines of standard input and are answered as lines of standard
 * output. Every line goes the way that a request over HTTP would, so that both are the same gateway.
 */
import type { Readable, Writable } from 'node:stream';
import {
  createLineSplitter,
  decode,
  type Entry,
  encode,
  idOf,
  isMembers,
  type MessageKind,
  paramsOf,
  peek,
  Questions,
  Reply,
  type ReplyHeaders,
  type RequestHead,
  type TurnedAway,
} from '@mayday/relay';
import {
  type Conversation,
  headOf,
  type LineMessage,
  listening,
  messageIn,
  NOTHING_KNOWN,
} from './line-request.ts';
import { LineResponse } from './line-response.ts';
import { createMessageWriter, type MessageWriter } from './line-writer.ts';
import { WaitingRequests } from './waiting-requests.ts';

/** Where lines come from and go to, and who answers them. */
export interface LineDoorOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxLineBytes: number;
  readonly maxDepth: number;
  /** Looks at a request; answers it, or says who will. */
  readonly admit: (request: RequestHead, reply: Reply) => Entry | undefined;
  /** Answers a request that does not get that far. */
  readonly turnAway: (reason: TurnedAway, reply: Reply, request: RequestHead) => void;
  readonly onBug: (error: unknown) => void;
}

/** A door for one caller. */
export interface LineDoor {
  /** Everything that was asked is answered and nothing more can come, or nobody reads the answers. */
  readonly ended: Promise<void>;
  /** Takes nothing more, and waits until what was said has been taken. */
  close(): Promise<void>;
}

/** A stream that ends is opened again after pauses that double. */
const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 30_000;

/** Of one caller, servers take so many calls at once; what is beyond waits here, and not in vain there. */
const MAX_ASKED = 200;

/** After the end of its input, whoever asked may still want the answers, for a while. */
const LAST_ANSWERS_MS = 30_000;

/** Opens the door. */
export function openLineDoor(options: LineDoorOptions): LineDoor {
  return new Door(options);
}

class Door implements LineDoor {
  readonly ended: Promise<void>;
  readonly #options: LineDoorOptions;
  readonly #writer: MessageWriter;
  readonly #live: Set<LineResponse> = new Set();
  /** Requests of the stateless revision that are not answered yet: only closing them cancels them. */
  readonly #cancellable: Map<string | number, LineResponse> = new Map();
  #conversation: Conversation = { session: undefined, version: undefined };
  /** What opened the conversation: said again where a server has forgotten it. */
  #opening: LineMessage | undefined;
  #opened: LineMessage | undefined;
  #standing: LineResponse | undefined;
  /** Requests that are not answered yet, and those of them that were cancelled: no answer is expected to these. */
  readonly #awaited: Set<string | number> = new Set();
  readonly #unwanted: Set<string | number> = new Set();
  /** Lines that wait until the conversation is open. */
  #queue: LineMessage[] = [];
  readonly #waiting: WaitingRequests = new WaitingRequests();
  readonly #questions: Questions = new Questions();
  #holds = 0;
  #asked = 0;
  #pending = 0;
  #isOver = false;
  #isClosed = false;
  #end: () => void = () => undefined;

  constructor(options: LineDoorOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const { input, output, maxLineBytes, maxDepth } = options;
    this.#writer = createMessageWriter(output, () => this.#end());
    this.#writer.onDrain(() => {
      input.resume();
      for (const response of this.#live) response.drained();
    });
    const lines = createLineSplitter(maxLineBytes, {
      onLine: (line) => {
        if (!isBlank(line)) this.#receive(messageIn(Buffer.from(line), maxDepth));
      },
      onTooLong: (start) => this.#tooLong(start),
    });
    input.on('data', (chunk: Buffer) => lines.push(chunk));
    input.on('error', () => this.#over());
    // A last line without its end is a line.
    input.on('end', () => {
      lines.push(Buffer.from('\n'));
      this.#over();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#options.input.pause();
    this.#standing?.destroy();
    await this.#writer.flushed();
  }

  #over(): void {
    this.#isOver = true;
    this.#maybeEnd();
    setTimeout(this.#end, LAST_ANSWERS_MS).unref();
  }

  #maybeEnd(): void {
    const isDone = this.#pending + this.#queue.length + this.#waiting.size === 0;
    if (this.#isOver && isDone) this.#end();
  }

  #receive(line: LineMessage): void {
    // An answer goes out as the server knows the question; one to a server that is gone, to nobody.
    const told = line.peek.kind === 'response' ? this.#questions.toServer(line) : line;
    if (this.#isClosed || told === undefined) return;
    const message = { ...line, ...told };
    if (this.#holds > 0) this.#queue.push(message);
    else this.#take(message);
  }

  /** Answers and notifications go on at once: a call may be waiting for just that answer. */
  #take(message: LineMessage): void {
    const { method, kind } = message.peek;
    if (method === 'notifications/cancelled' && this.#cancelled(message)) return;
    if (kind === 'request' && this.#asked >= MAX_ASKED) {
      this.#waiting.add(message);
      this.#pauseIf(this.#waiting.isFull);
    } else this.#send(message);
  }

  #send(message: LineMessage): void {
    const { method, kind } = message.peek;
    const opens = !message.isModern && (method === 'initialize' || method === 'notifications/initialized');
    if (method === 'initialize' && kind === 'request') this.#opening = message;
    if (method === 'notifications/initialized') this.#opened = message;
    this.#pending++;
    if (kind === 'request') this.#asked++;
    if (opens) this.#holds++;
    void this.#ask(message).finally(() => {
      this.#pending--;
      if (kind === 'request') this.#answered();
      if (opens) this.#release();
      if (method === 'notifications/initialized') this.#listen();
      this.#maybeEnd();
    });
  }

  /** One is answered: the next may be asked. */
  #answered(): void {
    this.#asked--;
    const next = this.#waiting.next();
    if (next === undefined) return;
    if (!this.#waiting.isFull) this.#options.input.resume();
    this.#send(next);
  }

  /** What waited goes on, until something holds it up again. */
  #release(): void {
    this.#holds--;
    while (this.#holds === 0) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#take(next);
    }
  }

  /** Asks, and asks once more in a conversation of its own where the server has forgotten this one: nothing was done then. */
  async #ask(message: LineMessage): Promise<void> {
    const { session } = this.#conversation;
    const mayBeLost = session !== undefined && message.peek.method !== 'initialize';
    if (!(await this.#visit(message, mayBeLost))) return;
    if (session === this.#conversation.session) await this.#openAgain();
    await this.#visit(message, false);
  }

  async #openAgain(): Promise<void> {
    this.#holds++;
    this.#standing?.destroy();
    this.#conversation = { session: undefined, version: undefined };
    for (const message of [this.#opening, this.#opened]) {
      if (message !== undefined) await this.#visit(message, false, () => true);
    }
    this.#listen();
    this.#release();
  }

  /**
   * One request; its messages are written, or given to whoever wants them instead. True: nothing was passed on, because the
   * session is not known where it was sent.
   */
  #visit(
    message: LineMessage,
    mayBeLost: boolean,
    say: (said: Buffer) => boolean = (said) => this.#say(said),
  ): Promise<boolean> {
    const { body, peek: seen, isModern } = message;
    const id = seen.kind === 'request' ? idOf(body, seen) : undefined;
    const opens = seen.kind === 'request' && seen.method === 'initialize' && !isModern;
    return new Promise((resolve) => {
      let isLost = false;
      let isAnswered = id === undefined;
      const response = this.#respond({
        onHead: (status, headers) => {
          isLost = mayBeLost && status === 404;
          if (opens && status === 200) this.#greeted(headers);
        },
        onMessage: (said) => {
          if (isLost) return true;
          if (opens) this.#agreed(said);
          isAnswered ||= !ASIDES.has(peek(said).kind);
          return this.#pauseIf(!say(said));
        },
        onEnd: () => {
          if (id !== undefined) {
            this.#cancellable.delete(id);
            this.#awaited.delete(id);
          }
          const isUnwanted = id !== undefined && this.#unwanted.delete(id);
          if (!isAnswered && !isLost && !isUnwanted && id !== undefined) say(noAnswer(id));
          resolve(isLost);
        },
      });
      if (id !== undefined) this.#awaited.add(id);
      if (id !== undefined && isModern) this.#cancellable.set(id, response);
      this.#knock(headOf(message, this.#conversation), body, response);
    });
  }

  #say(said: Buffer): boolean {
    const { message, withdrawn } = this.#questions.toClient(said);
    if (withdrawn !== undefined) this.#writer.write(withdrawn);
    return this.#writer.write(message);
  }

  #respond(events: Omit<ConstructorParameters<typeof LineResponse>[0], 'unread'>): LineResponse {
    const response: LineResponse = new LineResponse({
      ...events,
      onEnd: () => {
        this.#live.delete(response);
        events.onEnd();
      },
      unread: () => this.#writer.unread,
    });
    this.#live.add(response);
    return response;
  }

  #knock(request: RequestHead, body: Buffer, response: LineResponse): void {
    const reply = new Reply(response);
    const { admit, turnAway, onBug } = this.#options;
    try {
      const entry = admit(request, reply);
      if (entry === undefined) return;
      if (body.length > entry.maxBodyBytes) turnAway('too_large', reply, request);
      else entry.handle(body);
    } catch (error) {
      onBug(error);
      if (reply.isOpen) turnAway('bug', reply, request);
      else reply.abort();
    }
  }

  #greeted(headers: ReplyHeaders): void {
    this.#conversation = { ...this.#conversation, session: headers['mcp-session-id'] };
  }

  /** Has the server agreed to a conversation? */
  get #isOpen(): boolean {
    return this.#conversation.session !== undefined || this.#conversation.version !== undefined;
  }

  #agreed(said: Buffer): void {
    const message = decode(said);
    const result = isMembers(message) ? message['result'] : undefined;
    const version = isMembers(result) ? result['protocolVersion'] : undefined;
    if (typeof version === 'string') this.#conversation = { ...this.#conversation, version };
  }

  #pauseIf(isBehind: boolean): boolean {
    if (isBehind) this.#options.input.pause();
    return !isBehind;
  }

  /** Is there nothing more to be told about it: was it not asked yet, or does only closing it cancel it? */
  #cancelled({ body }: LineMessage): boolean {
    const { requestId } = paramsOf(decode(body)) ?? {};
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return false;
    if (this.#waiting.cancel(requestId)) return true;
    if (this.#awaited.has(requestId)) this.#unwanted.add(requestId);
    const response = this.#cancellable.get(requestId);
    response?.destroy();
    return response !== undefined;
  }

  /** Hears what the server says unasked, for as long as the conversation lasts. */
  #listen(pauseMs = FIRST_PAUSE_MS, last?: string): void {
    const { session } = this.#conversation;
    if (this.#isClosed || this.#isOver || !this.#isOpen) return;
    let lastEventId = last;
    let status = 0;
    let heard = false;
    const response = this.#respond({
      onHead: (said) => {
        status = said;
      },
      onMessage: (said, eventId) => {
        if (status !== 200) return true;
        heard = true;
        lastEventId = eventId ?? lastEventId;
        return this.#pauseIf(!this.#say(said));
      },
      onEnd: () => {
        if (this.#standing === response) this.#standing = undefined;
        if (status !== 200 || this.#isClosed || this.#conversation.session !== session) return;
        const again = heard ? FIRST_PAUSE_MS : Math.min(LAST_PAUSE_MS, pauseMs * 2);
        setTimeout(() => this.#listen(again, lastEventId), pauseMs).unref();
      },
    });
    this.#standing = response;
    this.#knock(listening(this.#conversation, last), EMPTY, response);
  }

  #tooLong(start: Buffer): void {
    // The members before the long one may say which request it was.
    const id = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*,/.exec(
      start.toString('utf8'),
    )?.[1];
    const reply = new Reply(
      this.#respond({
        onHead: () => undefined,
        onMessage: (said) => this.#writer.write(id === undefined ? said : underId(said, id)),
        onEnd: () => undefined,
      }),
    );
    this.#options.turnAway('too_large', reply, NOTHING_KNOWN);
  }
}

const EMPTY: Buffer = Buffer.alloc(0);

/** What a server says before its answer. */
const ASIDES: ReadonlySet<MessageKind> = new Set(['request', 'notification']);

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09);
}

function underId(said: Buffer, id: string): Buffer {
  const message = decode(said);
  return isMembers(message) ? encode({ ...message, id: JSON.parse(id) as string | number }) : said;
}

/** Over HTTP a connection is cut where an answer cannot be given; here, the request would wait for ever. */
function noAnswer(id: string | number): Buffer {
  const message = 'The gateway lost the answer; it may have happened. Check before you repeat a change.';
  return encode({ jsonrpc: '2.0', id, error: { code: -32603, message } });
}
