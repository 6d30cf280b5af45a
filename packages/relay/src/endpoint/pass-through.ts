/** What is no call: standing streams, ended sessions, notifications. Nothing is retried and nobody is blamed. */
import {
  createEventSplitter,
  isOfStream,
  type StreamEvent,
  saysUnknown,
  splitEvents,
  toEvent,
  toSign,
  withData,
  withoutAsides,
} from '../framing/events.ts';
import type { Peek } from '../framing/peek.ts';
import { createPile, type Pile } from '../framing/pile.ts';
import type { Flow, HttpAnswer, HttpClient, HttpRequest } from '../links/http-client.ts';
import { type HttpHead, NO_HEAD } from '../links/link.ts';
import { isSessionLost } from '../links/lost-session.ts';
import type { Note } from '../links/notes.ts';
import { isPackedStream } from '../links/packed.ts';
import { whyNoMessage, whyNotUnasked } from '../links/stray.ts';
import { isEventStream, responseHeaders, sessionIn } from '../protocol/headers.ts';
import { isHarmless } from './harmless-event.ts';
import { isLeftForGood } from './left-streams.ts';
import { readEvent } from './read-event.ts';
import type { Reply, ReplyHeaders } from './reply.ts';
import type { Mending } from './visit.ts';

/** One such request. */
export interface PassThroughOptions {
  readonly client: HttpClient;
  readonly request: HttpRequest;
  readonly reply: Reply;
  /** Lets go of the server. */
  readonly signal: AbortSignal;
  readonly headersBack: (headers: ReplyHeaders) => ReplyHeaders;
  /** An event of the server's, without an id that may not be said. */
  readonly sayable: (event: StreamEvent) => StreamEvent;
  /** The same, under the id that the caller may come back with. */
  readonly eventBack: (event: StreamEvent, head: HttpHead) => StreamEvent;
  /** Which headers of a failing answer may reach the caller. */
  readonly failingHeaders: (status: number, headers: ReplyHeaders) => ReplyHeaders;
  /** The status that the caller gets in place of the server's. */
  readonly statusBack: (status: number) => number;
  readonly maxMessageBytes: number;
  /** The session that it names, as the server knows it. */
  readonly session: string | undefined;
  /** The call whose stream it takes up, as far as that is known; where nothing more comes of it, it is answered here. */
  readonly left: LeftPlace | undefined;
  /** It takes up a stream of the same session, in which answers may come. */
  readonly resumes: boolean;
  /** Says that the server does not serve this method of HTTP. */
  readonly notServed: (headers: ReplyHeaders) => void;
  /** Says that what the server would stream is not among what was asked for. */
  readonly notAccepted: () => void;
  /** Told about what is dropped. */
  readonly note: Note;
  /** Hears what the server says in a stream, also an answer and what is no message, which go no further. */
  readonly hear: (message: Buffer, seen: Peek) => void;
  /** Something has begun to come in a stream whose end has not, or came in a field that no reader knows. */
  readonly onBegun: () => void;
  /** A message of the server that is no answer, as it may reach the caller; `undefined` where it may not. */
  readonly mend: Mending;
  /** An answer that was taken up again here. */
  readonly mendStray: (message: Buffer) => Promise<Buffer>;
}

/** Where somebody waits for the answer to a call. */
export interface LeftPlace {
  /** The stream has ended, or broken, behind this event, or the one at which it was taken up. */
  readonly leave: (event: string | undefined) => void;
  /** What its caller is told in place of an answer that does not come. */
  readonly lost: () => Promise<Buffer>;
}

/** Sends the request on, and what comes back. */
export function passThrough(options: PassThroughOptions): void {
  const { client, request, reply, signal } = options;
  const abort = client.send(request, new Passage(options));
  reply.onGone(abort);
  signal.addEventListener('abort', () => {
    abort();
    reply.end();
  });
}

/** What may be the refusal of a session. */
interface Refusal {
  readonly head: HttpHead;
  readonly headers: ReplyHeaders;
  readonly words: Pile;
  readonly session: string;
}

/** Who says more than this says more than that there is no such session. */
const MAX_WORDS = 64 * 1024;

class Passage implements HttpAnswer {
  readonly #options: PassThroughOptions;
  readonly #splitter: ReturnType<typeof createEventSplitter> = createEventSplitter();
  #head: HttpHead = NO_HEAD;
  #flow: Flow | undefined;
  /** A refusal whose words decide what it was. */
  #refusal: Refusal | undefined;
  /** The answer that it was taken up for has not come. */
  #isAwaited: boolean;
  #lastEvent: string | undefined;
  /** It is answered in words of our own. */
  #isAnswered = false;
  /** Events leave in the order they came, also when one of them takes a moment. */
  #tail: Promise<void> | undefined;

  constructor(options: PassThroughOptions) {
    this.#options = options;
    this.#isAwaited = options.left !== undefined;
  }

  onStart(head: HttpHead, flow: Flow): void {
    const { headers } = head;
    const { reply, headersBack, failingHeaders, request, session } = this.#options;
    const status = this.#options.statusBack(head.status);
    this.#head = head;
    this.#flow = flow;
    const back = headersBack(responseHeaders(headers));
    if (request.method === 'GET' && isPackedStream(head)) {
      // There is none that anybody could read.
      this.#isAnswered = true;
      this.#options.notServed({ allow: 'POST, DELETE' });
      flow.abort();
      return;
    }
    if (request.method === 'GET' && isEventStream(headers) && status < 300) {
      reply.stream(sessionIn(back)); // answers that are taken up again here may be failing ones
      reply.onDrain(() => flow.resume());
      return;
    }
    if (this.#options.left !== undefined && isLeftForGood(status)) {
      this.#lose(this.#options.left, sessionIn(back));
      return;
    }
    const { 'content-type': _type, ...rest } = back;
    if (status === 405 && request.method !== 'POST') this.#options.notServed(failingHeaders(status, rest));
    else if (status === 406 && request.method === 'GET') {
      this.#isAnswered = true;
      this.#options.notAccepted();
    } else if (status === 400 && session !== undefined)
      this.#refusal = { head, headers: failingHeaders(status, rest), words: createPile(), session };
    else reply.raw(status, status < 300 ? rest : failingHeaders(status, rest));
  }

  onData(chunk: Buffer): void {
    const words = this.#refusal?.words;
    if (words !== undefined && words.size <= MAX_WORDS) words.add(chunk);
    if (!this.#options.reply.isStream) return;
    const run = this.#splitter.push(chunk);
    if (this.#splitter.held > this.#options.maxMessageBytes) {
      this.#flow?.abort();
      return;
    }
    for (const event of run === undefined ? [] : splitEvents(run)) {
      if (event.data.length > this.#options.maxMessageBytes) {
        this.#flow?.abort();
        return;
      }
      this.#pass(event);
    }
    if (this.#splitter.begun() !== undefined) this.#options.onBegun();
  }

  onEnd(): void {
    const { reply } = this.#options;
    if (this.#isAnswered) return;
    this.#leave();
    if (this.#refusal !== undefined) {
      const { head, headers, words, session } = this.#refusal;
      // Whatever the server made of it: 404 is what makes clients open a new session.
      reply.raw(isSessionLost(head, words.take(), { session }) ? 404 : head.status, headers);
    } else if (this.#tail === undefined) reply.end();
    else void this.#tail.then(() => reply.end());
  }

  onError(): void {
    const { reply } = this.#options;
    if (this.#isAnswered) return;
    this.#leave();
    if (reply.isStream) reply.abort();
    else reply.raw(502, {});
  }

  /** Whoever waits comes again. */
  #leave(): void {
    if (this.#isAwaited) this.#options.left?.leave(this.#lastEvent);
  }

  /** A client that is refused the rest tells nobody, and waits on: the call is answered, in a stream as it was asked for. */
  #lose(left: LeftPlace, headers: ReplyHeaders): void {
    const { reply } = this.#options;
    this.#isAnswered = true;
    this.#flow?.abort();
    reply.stream(headers);
    void left
      .lost()
      .then((answer) => reply.event(toEvent(answer)))
      .finally(() => reply.end())
      .catch(() => reply.abort());
  }

  #pass(event: StreamEvent): void {
    const came = this.#options.sayable(event);
    this.#lastEvent = came.id || this.#lastEvent;
    const back = this.#options.eventBack(came, this.#head);
    if (saysUnknown(came.raw)) this.#options.onBegun();
    if (back.data.length > 0) this.#heard(back);
    else if (isHarmless(came)) this.#sendInOrder(back.raw);
  }

  #heard(came: StreamEvent): void {
    const { hear, resumes, note } = this.#options;
    const { event, seen } = readEvent(came);
    const stray = resumes ? whyNoMessage(seen) : whyNotUnasked(seen);
    if (!isOfStream(came)) hear(event.data, seen);
    if (stray !== undefined) note(stray);
    else if (seen.kind === 'response') {
      this.#isAwaited = false;
      this.#answered(event);
    } else this.#told(event, this.#options.mend(event.data));
  }

  /** Of what is not for the caller, it is told the place in the stream. */
  #told(event: StreamEvent, data: Buffer | undefined): void {
    if (data !== undefined) this.#sendInOrder(withData(event, data).raw);
    else if (event.id !== undefined) this.#sendInOrder(toSign(event.id).raw);
  }

  #answered(event: StreamEvent): void {
    const previous = this.#tail ?? Promise.resolve();
    this.#tail = previous
      .then(() => this.#options.mendStray(event.data))
      .then(
        (data) => this.#send(withData(event, data).raw),
        () => this.#flow?.abort(),
      );
  }

  #sendInOrder(bytes: Buffer): void {
    if (this.#tail === undefined) this.#send(bytes);
    else this.#tail = this.#tail.then(() => this.#send(bytes));
  }

  #send(bytes: Buffer): void {
    if (!this.#options.reply.event(withoutAsides(bytes))) this.#flow?.pause();
  }
}
