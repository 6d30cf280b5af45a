/** One request over HTTP, from the moment it is sent until its answer has come or nobody wants it any more. */
import type { FaultInit } from '@mayday/core';
import { isOfStream, type StreamEvent, saysUnknown } from '../framing/events.ts';
import { idOf } from '../framing/ids.ts';
import { type Peek, peek } from '../framing/peek.ts';
import { isEventStream } from '../protocol/headers.ts';
import { AskedAs } from './asked-as.ts';
import { barrier } from './barrier.ts';
import { AnswerReader, ENDED_EARLY } from './http-answer.ts';
import type { Flow } from './http-client.ts';
import { type HttpHead, NO_HEAD, type Outgoing, type Sink } from './link.ts';
import { afterLastWords, namesAnother, SESSION_LOST } from './lost-session.ts';
import type { Note } from './notes.ts';
import { Rest } from './rest.ts';
import type { Receiving } from './room.ts';
import { SessionDenials } from './session-denials.ts';
import { NOT_ITS_OWN, whyNoMessage, whyUntold } from './stray.ts';
import { StreamPlace, type TakeUpOptions } from './take-up.ts';
import { tooDeep } from './too-deep.ts';

/** What a call needs. */
export interface HttpCallOptions {
  readonly message: Outgoing;
  /** An id that no other request to this server has had. */
  readonly id: number;
  readonly sink: Sink;
  readonly maxBytes: number;
  readonly note: Note;
  /** The session in which the request went out, and which the server may have forgotten. */
  readonly session: string | undefined;
  /** There is another stream on which the server may say something of it. */
  readonly hearsMore: boolean;
  /** Takes the stream of the answer up again; `undefined` where it cannot be. */
  readonly takeUp: ((told: CallTakeUp) => () => void) | undefined;
  readonly onStart: AnswerStart;
  /** The answer, before it is given to whoever asked. */
  readonly onAnswer: (answer: Buffer) => void;
  /** The server has asked or told something in its stream, before its answer or behind. */
  readonly onSaid: (bytes: Buffer, seen: Peek) => void;
  /** The server has told of work in what is no message, and not for whom. */
  readonly onTold: () => void;
  /** Something came for it that goes no further: the answer to another request, a list. */
  readonly onStray: (bytes: Buffer, seen: Peek) => void;
  /** The session may be lost, with nothing proven of the request: what came is told when it is known what to do about that. */
  readonly onDoubted: (isUnopened: boolean) => Promise<void>;
  /** Called once, whatever becomes of it; before whoever asked is told. */
  readonly onDone: () => void;
  /** The server has failed it, which may be a refusal; called after that. */
  readonly onRefused: () => void;
}

/** What a call knows about a stream that is taken up for it. */
export type CallTakeUp = Pick<TakeUpOptions, 'place' | 'onStart' | 'onMessage' | 'isOver' | 'onLost'>;

/** A stream that goes on after its answer has nothing more to say; most end at once and leave their connection. */
const LINGER_MS = 1000;

type AnswerStart = NonNullable<ConstructorParameters<typeof AnswerReader>[0]['onStart']>;

/** One request that waits. */
export class HttpCall {
  readonly asked: AskedAs;
  readonly reader: AnswerReader;
  /** Lets go of the answer. Set when the request was sent. */
  abort: () => void = () => {};
  readonly #options: HttpCallOptions;
  readonly #id: string | number | undefined;
  readonly #place: StreamPlace = new StreamPlace();
  #flow: Flow | undefined;
  #head: HttpHead | undefined;
  #receiving: Receiving | undefined;
  #isHeld = false;
  #over = false;
  /** What follows the answer, where that came in a stream. */
  #rest: Rest | undefined;
  #linger: NodeJS.Timeout | undefined;
  /** The event that came last. */
  #newest: StreamEvent | undefined;
  /** The server has said something else than its answer, and no message. */
  #hasMore = false;
  /** An answer came that is to another request. */
  #hasAnothers = false;
  /** The stream ended within an event. */
  #isCut = false;
  /** The server has told of something before its answer. */
  #hasRelated = false;
  /** The server does not know the session: that is told in a moment, whatever else is said of the request itself. */
  #isForgotten = false;
  readonly #denials: SessionDenials;
  #isUnwanted = false;
  /** Its answer says so, in whatever words. */
  #mayHaveFailed = false;

  constructor(options: HttpCallOptions) {
    this.#options = options;
    this.asked = new AskedAs(options.message, options.id);
    this.#denials = new SessionDenials(options.session, this.asked.id);
    this.#id = idOf(options.message.body, options.message.peek);
    this.reader = new AnswerReader({
      maxBytes: options.maxBytes,
      expectsAnswer: true,
      onStart: (head, flow) => {
        this.#flow = flow;
        this.#head = head;
        options.onStart(head, flow);
      },
      onEvent: (event) => {
        this.#newest = event;
        this.#place.saw(event);
        if (event.data.length === 0) this.#saidBeside();
      },
      onHeld: (bytes) => this.#count(bytes),
      onMessage: (bytes) => this.#heard(bytes),
      onAnothers: (bytes, seen) => this.#untold(bytes, seen),
      asked: this.asked,
      denies: (body, seen) => this.#deniesSession(body, seen),
      onClosing: () => this.#tellUnfinished(),
      onCut: () => {
        this.#isCut = true;
        this.#rest?.over(false);
      },
      onOver: (fault, original) => {
        clearTimeout(this.#linger);
        this.#rest?.over(fault === ENDED_EARLY, this.#toldHead);
        if (this.#over || this.#isForgotten) return;
        const why = fault === ENDED_EARLY && this.#hasAnothers && !this.#isCut ? NOT_ITS_OWN : fault;
        if (why !== undefined && fault?.kind === 'disconnected' && this.#takeUp(why)) return;
        if (fault === undefined) this.abort(); // its own answer may come yet, where another request would wait for one
        this.#lose(why ?? NOT_ITS_OWN, original);
      },
    });
  }

  /** Is it the one that its caller gave this id? */
  hasId(id: unknown): boolean {
    return this.#id !== undefined && this.#id === id;
  }

  /** The server has told of its work elsewhere. */
  told(): void {
    this.#options.sink.told?.();
  }

  /** Has something begun in its stream that may be about others, and whose end has not come? */
  get isSayingMore(): boolean {
    return this.reader.mayTellOfOthers(this.asked.id);
  }

  /** Nobody wants the answer any more: nothing reaches the sink from now on. False: it was over already. */
  drop(): boolean {
    this.#isUnwanted = true;
    this.#tellUnfinished();
    if (!this.#end()) return false;
    this.abort();
    return true;
  }

  /** There will be no answer. */
  lose(fault: FaultInit): void {
    this.abort();
    this.#lose(fault);
  }

  /** The end of what has begun will not come. */
  #tellUnfinished(): void {
    if (this.isSayingMore) this.#options.onTold();
  }

  #count(bytes: number): void {
    if (this.#over) return;
    if (this.#flow !== undefined) this.#receiving ??= this.#options.sink.receive?.(this.#flow);
    this.#receiving?.size(bytes);
  }

  /** The answer of a stream that has ended, or was cut, is fetched where the stream was left. False: it has none. */
  #takeUp(fault: FaultInit): boolean {
    const { takeUp } = this.#options;
    if (takeUp === undefined || this.#place.lastEventId === undefined) return false;
    this.#newest = undefined;
    this.abort = takeUp({
      place: this.#place,
      onStart: (flow) => {
        this.#flow = flow;
      },
      onMessage: (bytes) => this.#heard(bytes),
      isOver: () => this.#over,
      onLost: (worse) => this.#lose(worse ?? fault),
    });
    return true;
  }

  /** What stands around an answer may tell what became of the work. */
  #saidMore(): void {
    this.#hasMore = true;
    this.#rest?.over(false);
  }

  /** Whose work an event tells of beside a message is not said. */
  #saidBeside(): void {
    if (this.#newest === undefined || !saysUnknown(this.#newest.raw)) return;
    this.#saidMore();
    this.#options.onTold();
  }

  /** What is no answer to this request, and told to nobody, may be about another. */
  #untold(bytes: Buffer, seen: Peek): void {
    this.#options.note(whyUntold(seen));
    this.#options.onStray(bytes, seen);
  }

  #heard(bytes: Buffer): void {
    const seen = peek(bytes);
    const stray = whyNoMessage(seen);
    if (seen.kind !== 'response') this.#saidBeside();
    const isAnswer = seen.kind === 'response' && !this.#over;
    if (isAnswer)
      this.#hasMore ||= this.#isForgotten; // its own answer is told, whatever came before it
    else if (stray === undefined ? this.#over || this.#isForgotten : !this.#isOfStream) this.#saidMore();
    if (stray === undefined && seen.kind !== 'response') this.#options.onSaid(bytes, seen);
    if (this.#over) {
      if (seen.kind === 'response' && !this.asked.isAnsweredBy(bytes, seen)) this.#untold(bytes, seen);
      return;
    }
    const deep = tooDeep(bytes, seen, this.asked);
    if (seen.kind === 'response') this.#answered(bytes, seen);
    else if (deep !== undefined) this.#lose(deep);
    else if (stray === undefined) this.#relate(this.asked.related(bytes, seen));
    else if (!this.#isOfStream) {
      this.#denials.hear(this.#head ?? NO_HEAD, bytes);
      this.#untold(bytes, seen);
    }
  }

  #answered(bytes: Buffer, seen: Peek): void {
    if (!this.asked.isAnsweredBy(bytes, seen)) {
      this.#hasAnothers = true;
      this.#untold(bytes, seen);
      this.#saidMore();
      return;
    }
    const rest = this.#isStream ? this.#restOf(this.#newest) : undefined;
    if (!this.#deniesSession(bytes, seen)) this.#give(bytes, seen, rest);
    else if (rest === undefined) this.#forgotten(bytes);
    else if (this.#isForgotten) this.#saidMore();
    else this.#denied(bytes, seen, rest);
  }

  /** In a stream, a session is lost where that is all it says; otherwise it is an answer like others. */
  #denied(bytes: Buffer, seen: Peek, rest: Rest): void {
    this.#isForgotten = true;
    this.#rest = rest;
    this.#lingerOn();
    rest.whenOver((isAll) => {
      if (isAll && !this.#hasRelated) this.#forgotten(bytes);
      else this.#give(bytes, seen, rest);
    });
  }

  #give(bytes: Buffer, seen: Peek, rest: Rest | undefined): void {
    const { sink, note, onAnswer } = this.#options;
    const { body: answer } = this.asked.answer(bytes, seen);
    const isNameless = this.asked.isNameless(bytes, seen);
    if (!this.#end()) return;
    this.#mayHaveFailed = seen.hasError || bytes.includes('"isError"');
    this.#rest = rest;
    this.#lingerOn();
    const tell = (): void => {
      onAnswer(answer);
      sink.answered(answer, this.#toldHead, { rest, isNameless });
    };
    this.#tell(tell, (what) => {
      note(`an answer could not be handled (${what})`);
      sink.lost(NOT_HANDLED);
    });
  }

  #lingerOn(): void {
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => {
      this.#rest?.over(false);
      this.abort();
    }, LINGER_MS);
    this.#linger.unref();
  }

  /** What follows an answer in a stream. An event that says more than the message in it has said that already. */
  #restOf(event: StreamEvent | undefined): Rest {
    const rest = new Rest(() => {
      if (this.#hasMore || (event !== undefined && saysUnknown(event.raw))) rest.over(false);
    });
    return rest;
  }

  /** A reader that falls behind holds back its own answer, and nobody else's. */
  #relate(bytes: Buffer): void {
    const { sink, note } = this.#options;
    this.#hasRelated = true;
    barrier(
      () => {
        sink.related(bytes);
        const drained = this.#isHeld ? undefined : sink.drained?.();
        if (drained === undefined) return;
        this.#isHeld = true;
        this.#flow?.pause();
        const release = (): void => {
          this.#isHeld = false;
          if (!this.#over) this.#flow?.resume();
        };
        drained.then(release, release);
      },
      (what) => note(`a message could not be handled (${what})`),
    );
  }

  /** Is the newest event about the stream alone? */
  get #isOfStream(): boolean {
    return this.#newest !== undefined && isOfStream(this.#newest);
  }

  get #isStream(): boolean {
    const { status, headers } = this.#head ?? NO_HEAD;
    return status < 300 && isEventStream(headers);
  }

  /** The head without the name of our own session: one that is left is another's. */
  get #toldHead(): HttpHead | undefined {
    const head = this.#head;
    const { session, message } = this.#options;
    if (head === undefined || namesAnother(head, { session, method: message.peek.method })) return head;
    const { 'mcp-session-id': _ours, ...headers } = head.headers;
    return { ...head, headers };
  }

  #deniesSession(said: Buffer, seen: Peek): boolean {
    return this.#head !== undefined && this.#denials.deny(this.#head, said, seen);
  }

  #lose(fault: FaultInit, original?: Buffer): void {
    if (original !== undefined && this.#deniesSession(original, peek(original))) this.#forgotten(original);
    else this.#tellLost(fault, original, this.#toldHead);
  }

  /** Before a session is given up for lost, what may have been said of the call on another stream is heard. */
  #forgotten(original: Buffer): void {
    const { hearsMore, message } = this.#options;
    const tell = (): void => {
      this.#denials.isDoubted = false;
      this.#tellLost(SESSION_LOST, original);
    };
    this.#isForgotten = true;
    if (hearsMore && message.peek.method === 'tools/call') afterLastWords(tell);
    else tell();
  }

  #tellLost(...why: Parameters<Sink['lost']>): void {
    if (!this.#end()) return;
    this.#tell(
      () => this.#options.sink.lost(...why),
      (what) => this.#options.note(`a failure could not be told (${what})`),
    );
  }

  /** Where the session may be lost, that is found out first: whoever asks next is to find a new one. */
  #tell(tell: () => void, onTrouble: (what: string) => void): void {
    const told = (): void => {
      if (this.#isUnwanted) return;
      barrier(tell, onTrouble);
      if ((this.#head?.status ?? 0) >= 300 || this.#mayHaveFailed) this.#options.onRefused();
    };
    const { isDoubted, isUnopened } = this.#denials;
    if (isDoubted) void this.#options.onDoubted(isUnopened).then(told, told);
    else told();
  }

  #end(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#receiving?.end();
    this.#options.onDone();
    return true;
  }
}

const NOT_HANDLED: FaultInit = {
  kind: 'invalid_output',
  origin: 'upstream',
  message: 'The answer of the server could not be handled',
};
