/**
 * What a server process writes, line by line: answers, progress, requests of its own, and everything that it should not
 * have written. A line costs at most the request that it belongs to.
 */

import type { FaultInit } from '@mayday/core';
import { SUBSCRIPTION_KEY } from '@mayday/core/protocol';
import { setLast } from '@mayday/policy';
import { idOf, withId } from '../framing/ids.ts';
import { decode, isMembers } from '../framing/json.ts';
import { locate, splice } from '../framing/members.ts';
import { type Peek, peek } from '../framing/peek.ts';
import { MAX_DEPTH } from '../framing/scan.ts';
import { isMarked, toUtf8 } from '../framing/utf8.ts';
import { opensNothing, wrongProtocol } from '../protocol/opening-answer.ts';
import { tellsOfWork } from '../protocol/tells-of-work.ts';
import { barrier } from './barrier.ts';
import { tooLarge } from './http-answer.ts';
import type { HowAnswered, Sink } from './link.ts';
import { isNamed, type NamelessErrors, wordsOfError } from './nameless.ts';
import type { Note } from './notes.ts';
import { outlineOf } from './outline.ts';
import { brokenAnswer, lose, loseAs, type Pending, type PendingRequests } from './pending.ts';
import { Recent } from './recent.ts';
import { RefusedRequests } from './refused-requests.ts';
import { Rest } from './rest.ts';
import { answerOfNobody } from './shared-link.ts';
import { NEVER_ASKED, whyDropped } from './stray.ts';
import { NESTED_TOO_DEEP } from './too-deep.ts';
import { mayBeAbout } from './unfinished.ts';

/** Who deals with what a server writes. */
export interface ServerLinesOptions {
  readonly pending: PendingRequests;
  readonly nameless: NamelessErrors;
  /** Nobody in particular is at the other end: only what names its request finds its way. */
  readonly shared: boolean;
  /** What is no message tells of work too: nobody logs there, as processes do. */
  readonly tellsInAnyWords: boolean;
  readonly note: Note;
  readonly now: () => number;
  /** An answer to something that the link itself asked. True: it was. */
  readonly onOwnAnswer: (line: Buffer, seen: Peek) => boolean;
  /** An answer that cannot be read, to the request of this id if it says so; `opening`: what is said of one that was to open it. True: nobody else waits for it. */
  readonly onBroken?: ((id: number | undefined, opening: FaultInit) => boolean) | undefined;
  /** All that is known where an answer opens nothing, before it counts as one. */
  readonly ofOpening?: ((wrong: FaultInit) => FaultInit) | undefined;
  /** A line that is no message, as it came; of a long one its beginning. */
  readonly onStray: (words: string) => void;
  /** The server has asked something, where nobody could be asked, and not for a request that was given up. */
  readonly onAsked?: ((method: string) => void) | undefined;
  /** A request was answered. */
  readonly onAnswered: (pending: Pending) => void;
  /** A message that belongs to no request. */
  readonly onMessage: (message: Buffer) => void;
  /** A message that belongs to a request. */
  readonly onRelated: (pending: Pending, message: Buffer) => void;
  /** Something to say to the server. */
  readonly reply: (message: Buffer) => void;
  /** How the line begins that the server has not ended yet. */
  readonly unfinished?: (() => Buffer | undefined) | undefined;
}

/** Of a line that is no message, more than is told of it: a secret is not cut before it is known for one. */
const STRAY_BYTES = 800;
/** What a server writes behind an answer within this time, it says along with it. */
const AT_ONCE_MS = 10;
/** A process that ends within this time behind an answer may have ended of what it had answered. */
const ENDS_OF_IT_MS = 1000;
/** Of so many requests it is heard what comes under their tokens when they are answered. */
const LATER_AT_MOST = 1000;

/** Who hears what comes under a token, and what that is for them. */
interface Later {
  readonly token: Buffer;
  readonly tell: (progress: Buffer) => void;
}

/** Takes the lines of one server. */
export class ServerLines {
  readonly #options: ServerLinesOptions;
  /** How often the server has told of its work, without saying surely which request that was for. */
  told = 0;
  /** Answers whose rest somebody waits for or relies on, by the link's own id of their request. */
  readonly #awaited: Recent<Rest> = new Recent();
  /** Requests that were not taken, by the same id: an answer that comes all the same is theirs. */
  readonly #untaken: RefusedRequests = new RefusedRequests();
  /** Those of the first that came a moment ago. */
  readonly #fresh: Set<Rest> = new Set();
  /** How often a process has ended. */
  #ends = 0;
  /** Tokens of requests that were answered and have begun something, by the same id. */
  readonly #later: Map<number, Later> = new Map();

  constructor(options: ServerLinesOptions) {
    this.#options = options;
  }

  /** One line. Never throws. */
  receive(raw: Buffer): void {
    barrier(
      () => this.#receive(toUtf8(raw), raw),
      (what) => {
        this.#options.note(`a message could not be handled (${what})`);
        this.#lose(raw, NOT_HANDLED);
      },
    );
  }

  /** The server has refused to take a request, which it may answer all the same. */
  notTaken(pending: Pending, why: Parameters<Sink['lost']>): void {
    if (this.#options.pending.take(pending.wireId) === undefined) return;
    if (pending.mayBeAnswered) this.told += 1;
    loseAs(pending, why, this.#options.note);
    const late = pending.sink.late?.();
    if (late !== undefined) this.#untaken.keep(pending.wireId, { late, callersId: pending.id });
  }

  /** A message has begun whose end has not come. Who begins to answer a request has taken it, whatever else it says. */
  begun(start: Buffer): void {
    const { id, hasMethod } = outlineOf(start);
    this.#mayAnswer(hasMethod ? undefined : id);
  }

  /** Something came that may be the answer to the request of this id; without one, to any. */
  #mayAnswer(id?: number): void {
    this.#untaken.told({ id });
    if (id !== undefined) this.#awaited.get(id)?.over(false);
    const isMeant = ({ wireId }: Pending): boolean => id === undefined || id === wireId;
    for (const pending of this.#options.pending.filter(isMeant)) pending.mayBeAnswered = true;
  }

  /** A line that was longer than allowed. Never throws. */
  tooLong(start: Buffer, maxBytes: number): void {
    this.#options.note(`wrote a message of more than ${maxBytes} bytes; it was skipped`);
    barrier(
      () =>
        this.#lose(
          start,
          { fault: tooLarge(maxBytes), what: `more than the gateway's limit of ${maxBytes} bytes` },
          true,
        ),
      () => {},
    );
  }

  /** The server has ended by itself: what it has refused to take a moment ago, it may have begun as well. */
  gone(): void {
    this.#untaken.told({ withinMs: ENDS_OF_IT_MS });
    this.ended();
  }

  /** The process ends, or has ended: what it had just refused, it may have begun all the same. */
  ended(): void {
    this.#ends += 1;
    for (const rest of this.#fresh) rest.over(false);
    this.#fresh.clear();
  }

  /** `raw`: as it came. */
  #receive(line: Buffer, raw: Buffer): void {
    const seen = peek(line);
    if (seen.kind === 'response') this.#answer(line, seen, seen.isVersion2 && !isMarked(raw));
    else if (whyDropped(seen) !== undefined) this.#unreadable(line, seen);
    else if (seen.method === 'notifications/progress') this.#progress(line, seen);
    else {
      if (tellsOfWork(seen.method)) this.toldOfWork();
      if (this.#options.shared) this.#fromSharedServer(line, seen);
      else this.#fromOwnServer(line, seen);
    }
  }

  /** It has told of work, and not for whom. */
  toldOfWork(): void {
    this.told += 1;
    this.#untaken.told();
    for (const rest of this.#awaited.values()) rest.over(false);
  }

  /** `isPlain`: in the form that the protocol has for it. What comes in another one refuses nothing. */
  #answer(line: Buffer, seen: Peek, isPlain: boolean): void {
    const { pending: open, onOwnAnswer, onAnswered, note } = this.#options;
    if (onOwnAnswer(line, seen)) return;
    const said = idOf(line, seen);
    if (said === undefined && seen.hasError) {
      this.#nameless(line, seen);
      return;
    }
    if (said === undefined) this.toldOfWork(); // it may be anybody's
    const found = open.take(wireIdOf(said));
    if (found === undefined) {
      open.answeredLate(wireIdOf(said));
      // Late and repeated answers are nobody's, and no news, unless what was said first is doubted for it.
      this.#awaited.get(wireIdOf(said))?.over(false);
      this.#untaken.answered(String(wireIdOf(said)), line, seen);
      if (!open.wasAsked(wireIdOf(said))) note(NEVER_ASKED);
      return;
    }
    const answer = withId(line, seen, found.id);
    const wrong = found.isInitialize && !seen.hasError ? this.#wrongOpening(answer) : undefined;
    onAnswered(found);
    if (wrong !== undefined) {
      loseAs(found, [wrong, answer], note);
      return;
    }
    settle(found, answer, note, {
      isGuess: !isPlain,
      rest: this.#restOf(found),
      later: this.#options.shared ? this.#laterOf(found) : undefined,
    });
  }

  #wrongOpening(answer: Buffer): FaultInit | undefined {
    const wrong = wrongProtocol(answer);
    return wrong && this.#ofOpening(wrong);
  }

  #ofOpening(wrong: FaultInit): FaultInit {
    return this.#options.ofOpening?.(wrong) ?? wrong;
  }

  /** Among strangers nobody but whoever asks for it hears what comes under a token that was answered. */
  #laterOf({ wireId, token }: Pending): HowAnswered['later'] {
    if (token === undefined) return undefined;
    return (tell) => setLast(this.#later, wireId, { token: Buffer.from(token), tell }, LATER_AT_MOST);
  }

  /** Nobody says over a stream of lines that an answer was all: what follows it at once is heard. */
  #restOf({ wireId }: Pending): Rest {
    const ends = this.#ends;
    const saysMore = (): boolean => mayBeAbout(this.#options.unfinished?.(), wireId, this.#options.pending);
    const rest = new Rest(() => {
      if (ends !== this.#ends) {
        rest.over(false); // its last words
        return;
      }
      this.#fresh.add(rest);
      setTimeout(() => this.#fresh.delete(rest), ENDS_OF_IT_MS).unref();
      // A second answer counts until the call is made again: no honest server gives one.
      this.#awaited.keep(wireId, rest);
      // What has come meanwhile is heard first: this process may have been busy for as long.
      setTimeout(() => setImmediate(() => rest.over(!saysMore())), AT_ONCE_MS);
    }, saysMore);
    return rest;
  }

  /**
   * Its words decide whose it is. Where they name nothing, it may be about a notification of not long ago, and ends no
   * call; otherwise it is most likely the answer of the only one that waits. Among strangers nobody hears the words: they
   * may be about what another one has given up.
   */
  #nameless(line: Buffer, seen: Peek): void {
    const { pending: open, nameless, onAnswered, note, shared, now } = this.#options;
    const words = wordsOfError(line);
    const notification = nameless.namedIn(words);
    if (notification !== undefined) {
      note(`answered a notification (${notification}), which nobody does`);
      return;
    }
    this.#mayAnswer();
    for (const rest of this.#awaited.values()) rest.over(false);
    const meant = open.filter(({ names }) => names().some((name) => isNamed(words, name)));
    const found = meant.length === 1 ? meant[0] : open.only();
    if (meant.length === 0 && nameless.mayBeAboutOne(now())) {
      note(`sent an error that names no request, soon after a notification: ${words}`);
      if (found !== undefined) overhear(found, shared ? undefined : words, note);
      return;
    }
    if (found === undefined || (shared && isNobodys(line)) || open.take(found.wireId) === undefined) {
      note(`sent an error that names no request: ${words}`);
      return;
    }
    onAnswered(found);
    if (shared) open.giveUp(found.wireId); // it may have been about another one
    if (shared)
      lose(found, brokenAnswer('The server answered without saying which request it answers'), note);
    else settle(found, withId(line, seen, found.id), note, { isGuess: true });
  }

  #fromOwnServer(line: Buffer, seen: Peek): void {
    const belongs = seen.kind === 'request' || seen.method === 'notifications/message';
    const newest = belongs ? this.#options.pending.newest() : undefined;
    if (newest === undefined) this.#options.onMessage(line);
    else this.#options.onRelated(newest, line);
  }

  #fromSharedServer(line: Buffer, seen: Peek): void {
    const { pending, onRelated, onMessage, onAsked, reply } = this.#options;
    if (seen.kind === 'request') {
      if (seen.method !== 'ping' && !pending.hasGivenUp) onAsked?.(seen.method);
      reply(answerOfNobody(line));
      return;
    }
    const range = locate(line, seen.paramsStart, '_meta', SUBSCRIPTION_KEY);
    const found = range && pending.get(wireIdOf(decode(line.subarray(range.start, range.end))));
    if (found === undefined || range === undefined) onMessage(line);
    else onRelated(found, splice(line, [range], found.id));
  }

  #progress(line: Buffer, seen: Peek): void {
    const { pending, shared, onRelated, onMessage } = this.#options;
    const range = locate(line, seen.paramsStart, 'progressToken');
    const token = range === undefined ? undefined : decode(line.subarray(range.start, range.end));
    if (shared) {
      const found = pending.get(wireIdOf(token));
      if (range === undefined) return;
      const later = this.#later.get(wireIdOf(token));
      if (found?.token !== undefined) onRelated(found, splice(line, [range], found.token));
      else if (later !== undefined) later.tell(splice(line, [range], later.token));
      // Under the id of a request that wants to hear nothing.
      else if (found !== undefined) found.sink.told?.();
      // Of what was refused a moment ago, it tells that there was work.
      else this.#awaited.get(wireIdOf(token))?.over(false);
      return;
    }
    const found = token === undefined ? undefined : pending.find(({ tokenValue }) => tokenValue === token);
    if (found === undefined) {
      this.toldOfWork();
      onMessage(line);
    } else onRelated(found, line);
  }

  /** Logs on standard output are common and harmless; an answer that is broken must not leave its caller waiting. */
  #unreadable(line: Buffer, seen: Peek): void {
    const why = whyDropped(seen);
    const start = line.subarray(0, STRAY_BYTES).toString('utf8');
    this.#options.note(`wrote something that is not JSON-RPC (${why}): ${start}`);
    this.#options.onStray(start);
    if (why === 'batch') this.#batch(decode(line));
    else if (this.#options.tellsInAnyWords || isHalfOfOne(line)) this.toldOfWork();
    // Whatever calls itself a message and has the id of a request was to be its answer.
    if (why !== 'not_a_message' || line.includes('"jsonrpc"'))
      this.#lose(line, why === 'too_deep' ? TOO_DEEP : NO_MESSAGE);
  }

  /** Nobody takes messages in a list, but what they tell of work counts as if each had come by itself. */
  #batch(messages: unknown): void {
    const batch: readonly unknown[] = Array.isArray(messages) ? messages : [];
    const answers = batch.filter(isMembers).filter((message) => 'result' in message || 'error' in message);
    for (const { id } of answers) this.#awaited.get(wireIdOf(id))?.over(false);
    const isTold = (item: unknown): boolean => {
      const { method } = isMembers(item) ? item : {};
      return typeof method === 'string' ? tellsOfWork(method) : this.#options.tellsInAnyWords;
    };
    if (answers.length > 0 || batch.some(isTold)) this.toldOfWork();
  }

  /** The request that broken bytes were to answer is told; `surely`: they were an answer, even if they do not look like one. */
  #lose(bytes: Buffer, { fault, what }: Broken, surely = false): void {
    const { pending: open, note, onBroken } = this.#options;
    const { id, isOwn, isAnswer, hasMethod } = outlineOf(bytes);
    if (hasMethod) return;
    // Broken or not, it is a second answer where there was a first.
    if (isAnswer && id !== undefined) {
      this.#awaited.get(id)?.over(false);
      open.answeredLate(id);
    }
    const isSomebodys = !isOwn && (surely || (isAnswer && !isNobodys(bytes)));
    const opening = this.#ofOpening(opensNothing(what, bytes));
    if ((id !== undefined || isOwn || isSomebodys) && onBroken?.(id, opening) === true) return;
    const found = id === undefined ? (isSomebodys ? open.only() : undefined) : open.get(id);
    if (found === undefined || open.take(found.wireId) === undefined) return;
    if (id === undefined) open.giveUp(found.wireId);
    lose(found, found.isInitialize ? opening : fault, note);
  }
}

/** Is it a message that is broken, and does not say whose answer it was? A log is none, and holds no zero bytes. */
function isHalfOfOne(line: Buffer): boolean {
  if (line.includes(0)) return true;
  if (!line.includes('"jsonrpc"')) return false;
  const { id, isOwn, isAnswer } = outlineOf(line);
  return !isOwn && !(isAnswer && id !== undefined);
}

/** Gives the answer to whoever waits for it. */
function settle(pending: Pending, answer: Buffer, note: Note, how: HowAnswered): void {
  barrier(
    () => pending.sink.answered(answer, undefined, how),
    (what) => {
      note(`an answer could not be handled (${what})`);
      lose(pending, NOT_HANDLED.fault, note);
    },
  );
}

/** Whoever waits is told that something was said which may have been the answer. */
function overhear(pending: Pending, words: string | undefined, note: Note): void {
  pending.isInDoubt = true;
  barrier(
    () => pending.sink.overheard?.(words),
    (what) => note(`an error could not be kept (${what})`),
  );
}

/** The id of the link's own that a server gave back; some give it back as text. */
function wireIdOf(said: unknown): number {
  if (typeof said === 'number') return said;
  return typeof said === 'string' && /^[1-9]\d{0,14}$/.test(said) ? Number(said) : -1;
}

/** An id that no request has: the answer to the one that is open can still come. */
const NOBODYS = /"id"\s*:\s*[[{]/;

function isNobodys(bytes: Buffer): boolean {
  return NOBODYS.test(bytes.toString('latin1', 0, 256));
}

/** Why an answer cannot be passed on: what is said of it, and what of one that was to open the conversation. */
interface Broken {
  readonly fault: FaultInit;
  readonly what: string;
}

const NO_MESSAGE: Broken = {
  fault: brokenAnswer('The server answered with something that is not a JSON-RPC message'),
  what: 'what is no JSON-RPC message',
};
const TOO_DEEP: Broken = {
  fault: NESTED_TOO_DEEP,
  what: `what is nested deeper than the gateway's limit of ${MAX_DEPTH} levels`,
};
const NOT_HANDLED: Broken = {
  fault: brokenAnswer('The answer of the server could not be handled'),
  what: 'what could not be handled',
};
