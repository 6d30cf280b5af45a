/**
 * One conversation over the transport of 2024-11-05: a stream that stands, over which the server says everything, and
 * messages that are posted to the address that it names first. To a link it is what a process is: it is started, it
 * takes messages, it says messages, and it ends.
 */
import { createEventSplitter, isOfStream, saysUnknown, splitEvents } from '../../framing/events.ts';
import { idOf } from '../../framing/ids.ts';
import { peek } from '../../framing/peek.ts';
import { createPile } from '../../framing/pile.ts';
import { toUtf8 } from '../../framing/utf8.ts';
import { isEventStream } from '../../protocol/headers.ts';
import type { Flow, HttpClient } from '../http-client.ts';
import { PATIENCE_MS, PING } from '../known-session.ts';
import { type HttpHead, type LinkFault, NO_HEAD } from '../link.ts';
import { afterLastWords, isSessionLost, isSessionUnopened, maySessionBeLost } from '../lost-session.ts';
import { isPacked, isPackedStream } from '../packed.ts';
import type { ProcessExit } from '../process-exit.ts';
import type { OnLost, Sent, ServerProcess } from '../stdio-process.ts';
import { transportFault } from '../transport-fault.ts';
import { faultAtAddress } from './gone.ts';
import { KnownConversation, mayBeDenied, SAID } from './known-conversation.ts';
import { addressless, ENDED, GONE, noStream, notOurs, TOO_MUCH } from './sse-faults.ts';

/** Which server, and who listens. */
export interface SseConnectionOptions {
  readonly client: HttpClient;
  readonly url: URL;
  /** The headers of a request: those of the settings, and what a message brings along. */
  readonly headers: (own: readonly string[], sent?: Sent) => string[];
  readonly maxMessageBytes: number | (() => number);
  /** How long the stream may take to begin, and to name its address. */
  readonly openTimeoutMs?: number | undefined;
  readonly onMessage: (message: Buffer) => void;
  /** The beginning of a message whose end has not come. */
  readonly onBegun?: ((start: Buffer) => void) | undefined;
  /** It has told of work in what is no message, and not for whom. */
  readonly onTold?: (() => void) | undefined;
  readonly onTooLong: (start: Buffer) => void;
  /** The server has ended the stream, whatever it has said over it may still be looked at. */
  readonly onGone?: (() => void) | undefined;
  /** Called once, last, and never before the constructor has returned. */
  readonly onExit: (exit: ProcessExit) => void;
  readonly note: (text: string) => void;
}

interface Message {
  readonly body: Buffer;
  readonly sent: Sent | undefined;
}

/** Where nobody says less. */
const OPENING_MS = 60_000;
/** Who names an address has no need of more words. */
const ADDRESS_BYTES = 64 * 1024;
/** How long a post may take: whatever it asks for is answered over the stream. */
const POST_MS = 60_000;
/** After a post whose answer tells nothing, so long for what may come over the stream all the same. */
const ANSWER_MS = 5000;
/** What is read of an answer that is no success. */
const READ_AT_MOST = 256 * 1024;

const EMPTY: Buffer = Buffer.alloc(0);

/** One conversation. Nothing here throws. */
export class SseConnection implements ServerProcess {
  readonly pid = undefined;
  readonly #options: SseConnectionOptions;
  readonly #events = createEventSplitter();
  readonly #letGo: () => void;
  readonly #known: KnownConversation = new KnownConversation();
  readonly #opening: NodeJS.Timeout;
  /** Messages that wait for the address, or for one before them to be taken. */
  #queue: Message[] = [];
  #isHeld = false;
  #path: string | undefined;
  #session = '';
  /** What came along with the last request: a notification has nothing of its own. */
  #along: Sent['headers'];
  #flow: Flow | undefined;
  #backlog = 0;
  /** It has said something over the stream. */
  #hasSpoken = false;
  #exited = false;

  /** `first`: whose credentials the stream is opened with. */
  constructor(options: SseConnectionOptions, first?: Sent) {
    this.#options = options;
    this.#along = first?.headers;
    const { openTimeoutMs: openMs = OPENING_MS } = options;
    const noAddress = addressless(openMs < OPENING_MS ? openMs : undefined);
    this.#opening = setTimeout(() => this.#end(noAddress), Math.min(openMs, OPENING_MS));
    let head: HttpHead = NO_HEAD;
    const refusal = createPile();
    this.#letGo = options.client.send(
      {
        method: 'GET',
        path: options.url.pathname + options.url.search,
        headers: options.headers(['accept', 'text/event-stream'], first),
        headersTimeoutMs: OPENING_MS,
      },
      {
        onStart: (started, flow) => {
          head = started;
          this.#flow = flow;
          if (isPackedStream(head)) this.#end(noStream(head));
        },
        onData: (chunk) => {
          if (isStream(head)) this.#received(chunk);
          else if (refusal.size < READ_AT_MOST) refusal.add(chunk);
        },
        onEnd: () => (isStream(head) ? this.#cut(ENDED) : this.#refused(head, toUtf8(refusal.take()))),
        onError: (error, sent) => this.#cut(transportFault(error, sent)),
      },
    );
  }

  get exited(): boolean {
    return this.#exited;
  }

  get backlog(): number {
    return this.#backlog;
  }

  unfinished(): Buffer | undefined {
    return this.#events.unfinished();
  }

  send(body: Buffer, sent?: Sent): void {
    if (this.#exited) {
      sent?.onHandedOn?.();
      return;
    }
    this.#backlog += body.length;
    this.#queue.push({ body, sent });
    this.#next();
  }

  takeBack(id: number): boolean {
    const at = this.#queue.findIndex(({ sent }) => sent?.id === id);
    const [found] = at < 0 ? [] : this.#queue.splice(at, 1);
    if (found === undefined) return false;
    this.#letGoOf(found);
    return true;
  }

  #letGoOf({ body, sent }: Message): void {
    this.#backlog -= body.length;
    sent?.onHandedOn?.();
  }

  pause(): void {
    this.#flow?.pause();
  }

  resume(): void {
    this.#flow?.resume();
  }

  async stop(): Promise<void> {
    this.#end(ENDED);
  }

  kill(): void {
    this.#end(ENDED);
  }

  #received(chunk: Buffer): void {
    const { maxMessageBytes: limit } = this.#options;
    const run = this.#events.push(chunk);
    for (const event of run === undefined ? [] : splitEvents(run)) {
      if (this.#exited) return;
      const { name, data, raw } = event;
      if (saysUnknown(raw)) this.#options.onTold?.();
      if (!isOfStream(event)) {
        if (data.length === 0) continue;
        this.#said(data);
      } else if (name === 'endpoint') this.#address(data.toString('utf8'));
    }
    if (this.#path === undefined) {
      if (this.#events.held > ADDRESS_BYTES) this.#end(TOO_MUCH);
      return;
    }
    const begun = this.#events.begun();
    if (begun !== undefined) this.#options.onBegun?.(begun);
    if (this.#events.held <= (typeof limit === 'number' ? limit : limit())) return;
    this.#options.onTooLong(EMPTY);
    this.#end(ENDED);
  }

  #said(message: Buffer): void {
    if (this.#known.hears(message, this.#session)) return;
    const isOpened = this.#hasSpoken;
    this.#hasSpoken = true;
    const tell = (): void => this.#options.onMessage(message);
    if (isOpened && mayBeDenied(message, this.#session))
      this.#tellWhenKnown(tell, isSessionUnopened(SAID, message));
    else tell();
  }

  /** Where the server may not know the conversation, that is found out first: whoever asks next is to find a new one. */
  #tellWhenKnown(tell: () => void, isUnopened: boolean): void {
    const asked = isUnopened ? Promise.resolve(true) : this.#known.ask(() => this.#askIfKnown());
    void asked.then((isLost) => {
      if (!this.#exited) tell();
      if (isLost) this.#end(GONE);
      else this.#next();
    });
  }

  #askIfKnown(): void {
    const { client, headers } = this.#options;
    let head: HttpHead = NO_HEAD;
    const said = createPile();
    client.send(
      {
        method: 'POST',
        path: this.#path ?? '',
        headers: headers(['content-type', 'application/json', 'accept', '*/*'], { headers: this.#along }),
        body: PING,
        headersTimeoutMs: PATIENCE_MS,
      },
      {
        onStart: (started) => {
          head = started;
        },
        onData: (chunk) => {
          if (said.size < READ_AT_MOST) said.add(chunk);
        },
        onEnd: () => this.#known.posted(head, toUtf8(said.take()), this.#session),
        onError: () => {}, // who is not there now may know it when it is there again
      },
    );
  }

  /** Nothing that a server says sends what it was given, or what callers say, anywhere else. */
  #address(said: string): void {
    const { url, note } = this.#options;
    const address = said.trim();
    const named = address !== '' && URL.canParse(address, url.href) ? new URL(address, url) : undefined;
    if (this.#path !== undefined) {
      if (named !== undefined && named.pathname + named.search === this.#path) return;
      note('named another address for messages; it is not used');
      this.#options.onTold?.(); // nobody says why
    } else if (named?.origin !== url.origin) this.#end(notOurs(named));
    else {
      clearTimeout(this.#opening);
      this.#path = named.pathname + named.search;
      this.#session = [...named.searchParams.values()].at(-1) ?? named.pathname;
      this.#next();
    }
  }

  /** What follows an opening must not overtake it: each post is a request of its own. */
  #next(): void {
    while (this.#path !== undefined && !this.#isHeld && !this.#known.isAsking) {
      const message = this.#queue.shift();
      if (message === undefined) return;
      this.#isHeld = message.sent?.goesFirst === true;
      this.#post(message, this.#path);
    }
  }

  #post({ body, sent: told }: Message, path: string): void {
    const { client, headers } = this.#options;
    const sent = told && { ...told, onLost: told.onLost ?? this.#lostOpening(body, told) };
    this.#along = sent?.headers ?? this.#along;
    let head: HttpHead = NO_HEAD;
    const said = createPile();
    const taken = (): void => {
      this.#letGoOf({ body, sent });
      if (sent?.goesFirst === true) this.#isHeld = false;
    };
    client.send(
      {
        method: 'POST',
        path,
        headers: headers(['content-type', 'application/json', 'accept', '*/*'], { headers: this.#along }),
        body,
        headersTimeoutMs: POST_MS,
      },
      {
        onStart: (started) => {
          head = started;
        },
        onData: (chunk) => {
          if (said.size < READ_AT_MOST) said.add(chunk);
        },
        onEnd: () => {
          taken();
          this.#posted({ body, sent }, head, toUtf8(said.take()));
          this.#next();
        },
        onError: (error, wasSent) => {
          taken();
          this.#broke(sent, transportFault(error, wasSent), wasSent);
          this.#next();
        },
      },
    );
  }

  /** Only what was asked in a conversation that was opened can tell that it is lost. */
  #posted(message: Message, head: HttpHead, said: Buffer): void {
    const isAsked = message.sent?.onLost !== undefined && message.sent.goesFirst !== true && this.#hasSpoken;
    const mayBeLost = isAsked && maySessionBeLost(head, said, this.#session);
    if (head.status >= 300) this.#notTaken(message, head, said, mayBeLost);
    else if (mayBeLost) this.#tellWhenKnown(() => {}, isSessionUnopened(head, said)); // what comes of it comes over the stream
  }

  /** A server that does not know the conversation is asked in a new one. A refusal is an answer; a 5xx proves nothing. */
  #notTaken({ body, sent }: Message, head: HttpHead, said: Buffer, mayBeLost: boolean): void {
    const asked = { session: this.#session, id: idOf(body, peek(body)) };
    if (isSessionLost(head, said, asked)) {
      // Nothing else is asked until then.
      this.#isHeld = true;
      afterLastWords(() => {
        this.#lose(sent?.onLost, GONE);
        this.#end(GONE);
      });
      return;
    }
    const lose = (): void => {
      const why = [faultAtAddress(head, said), said, head] as const;
      if (head.status < 500) this.#lose(sent?.onLost, ...why);
      else this.#loseLater(sent?.onLost, ...why);
    };
    if (mayBeLost) this.#tellWhenKnown(lose, isSessionUnopened(head, said));
    else lose();
  }

  #broke(sent: Sent | undefined, fault: LinkFault, wasSent: boolean): void {
    if (wasSent) {
      this.#loseLater(sent?.onLost, fault);
      return;
    }
    this.#lose(sent?.onLost, fault);
    this.#end(fault);
  }

  /** Where the opening was not taken, all that waits for its answer is told why. */
  #lostOpening(body: Buffer, { goesFirst }: Sent): OnLost | undefined {
    if (goesFirst !== true || peek(body).kind !== 'request') return undefined;
    return (...why) => {
      if (!this.#hasSpoken) this.#end(...why);
    };
  }

  /** The answer may be on its way over the stream: the post and it have nothing to do with each other. */
  #loseLater(onLost: OnLost | undefined, ...why: Parameters<OnLost>): void {
    setTimeout(() => this.#lose(onLost, ...why), ANSWER_MS).unref();
  }

  #lose(onLost: OnLost | undefined, ...why: Parameters<OnLost>): void {
    if (this.#exited) return;
    if (onLost === undefined) this.#options.note(`did not take a message: ${why[0].message ?? why[0].kind}`);
    else onLost(...why);
  }

  /** The stream ends, and not because we have ended it. */
  #cut(why: LinkFault): void {
    if (!this.#exited) this.#options.onGone?.();
    this.#end(why);
  }

  /** The stream was not given. */
  #refused(head: HttpHead, said: Buffer): void {
    if (head.status < 300) this.#end(noStream(head));
    else this.#end(faultAtAddress(head, said), said, head);
  }

  /** What was not posted was not done, whatever becomes of the rest. A status is an answer, also to those who ask before it is tried again. */
  #end(why: LinkFault, said?: Buffer, head?: HttpHead): void {
    if (this.#exited) return;
    const fault = head === undefined ? why : { ...why, reached: true };
    for (const { sent } of this.#queue) {
      sent?.onHandedOn?.();
      sent?.onLost?.({ ...fault, executed: 'no' }, said, head);
    }
    this.#queue = [];
    this.#exited = true;
    this.#known.end();
    clearTimeout(this.#opening);
    queueMicrotask(() => {
      this.#letGo();
      this.#options.onExit({ code: null, signal: null, reason: undefined, stderrTail: [], fault });
    });
  }
}

function isStream({ status, headers }: HttpHead): boolean {
  return status === 200 && isEventStream(headers) && !isPacked({ headers });
}
