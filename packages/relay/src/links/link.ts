/**
 * A link: one conversation with one MCP server, as messages in bytes. Processes, HTTP servers and documents all
 * look the same behind it.
 */
import type { FaultInit } from '@mayday/core';
import type { Peek } from '../framing/peek.ts';
import type { HttpHeaders } from '../protocol/headers.ts';
import type { Revision } from '../protocol/revisions.ts';
import type { Flow } from './http-client.ts';
import type { Rest } from './rest.ts';
import type { Receiving } from './room.ts';
import type { Silence } from './silent-start.ts';

/** A message on its way to the server. */
export interface Outgoing {
  /** The message, as `peek` saw it. */
  readonly body: Buffer;
  readonly peek: Peek;
  readonly revision: Revision;
  /** HTTP headers that came with it and concern the server. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Who speaks, where many speak over one link: what one of them can hold is bounded, and nobody ends what another began. */
  readonly caller?: string | undefined;
  /** The name of the caller, where it is known: what is given in its name goes along. */
  readonly callerName?: string | undefined;
  /** The caller's session, where it has one: only inside it does `notifications/cancelled` name a request. */
  readonly session?: string | undefined;
}

/** Why there is no answer, and what that says of the server. */
export interface LinkFault extends FaultInit {
  /** The server was there, and did not know or want whoever asked: that is between those two. */
  readonly reached?: boolean | undefined;
  /** It ended once it had been told something: what was said may be why, and nobody else need meet it. */
  readonly mayBeOwn?: boolean | undefined;
}

/**
 * Where the answer to a request goes. Exactly one of `answered` and `lost` is called, once, unless the request is
 * cancelled: then neither is. What a sink throws ends nothing: it is noted, and `lost` follows an `answered` that threw.
 */
export interface Sink {
  /** The answer, with the request's own id, and the head it came under where that was HTTP. */
  answered(message: Buffer, head?: HttpHead, how?: HowAnswered): void;
  /** A notification or a request of the server that belongs to this request. */
  related(message: Buffer): void;
  /** There will be no answer. `original` is what was said instead; `head`: under this head, if it came over HTTP. */
  lost(fault: LinkFault, original?: Buffer, head?: HttpHead): void;
  /** The server has told of work for this request where nobody who asked it listens. */
  told?(): void;
  /** Asked where the server has failed the request, which may be a refusal: who is told what it says of it yet, for as long as anybody wants to know. */
  late?(): Late | undefined;
  /** It answered, and this is what that means: it lives, though it has no words of the protocol's for it. */
  refused?(fault: FaultInit, original?: Buffer): void;
  /**
   * An error came that names no request, and may be the answer to this one or about something else: the request waits on.
   * Its words, where nobody else can be meant by them.
   */
  overheard?(words: string | undefined): void;
  /** The request is held here until what this gives is called, also when nobody waits for its answer any more. */
  hold?(): (() => void) | undefined;
  /** More of the answer comes than one piece: what is here of it counts for whoever asked. */
  receive?(flow: Pick<Flow, 'pause' | 'resume'>): Receiving | undefined;
  /**
   * Asked after `related`: settles when the reader has caught up; `undefined` when it has not fallen behind. Until
   * then a link of its own reads no further, and a shared one drops what is related to this request.
   */
  drained?(): Promise<void> | undefined;
}

/** Hears of a request that was refused. It holds nothing of that, and may be kept. */
export interface Late {
  /** It was answered after all: the answer, with the request's own id. */
  answered(message: Buffer): void;
  /** The server has told of work that may be for it. */
  told(): void;
  /** Asks right before it is made again whether the server is in the middle of saying something that may be about it. */
  askBefore(isSayingMore: () => boolean): void;
}

/** How an answer came. */
export interface HowAnswered {
  /** It named no request, and this was the only one; or it came in a form that the protocol does not have. */
  readonly isGuess?: boolean | undefined;
  /** It came under no id, over HTTP, where it is clear whose it is: the server may not have read the request. */
  readonly isNameless?: boolean | undefined;
  /** What may follow it; absent where nothing can. */
  readonly rest?: Rest | undefined;
  /** Has `tell` told what comes yet under the token of the request: a task that it has begun goes on. Absent where that is told to all. */
  readonly later?: ((tell: (progress: Buffer) => void) => void) | undefined;
}

/** The head of an HTTP answer. */
export interface HttpHead {
  readonly status: number;
  /** The words beside the status: some servers say there, and nowhere else, what they have done. */
  readonly statusText: string;
  readonly headers: HttpHeaders;
  /** The URL that was asked, of an answer that is no success. */
  readonly askedAt?: string | undefined;
  /** What was said before and behind the answer; the latter is there once it is whole. */
  readonly beside?: Beside | undefined;
}

/** What HTTP says of an answer elsewhere than in its head: in heads that only announce it, and in trailers. */
export interface Beside {
  /** The words of status lines, ready to stand behind those of the answer. */
  readonly words: string;
  readonly headers: HttpHeaders;
}

/** Before one has come. */
export const NO_HEAD: HttpHead = { status: 0, statusText: '', headers: {} };

/** Stops waiting for an answer and tells the server. Nothing reaches the sink afterwards. `unsent`: it had not been sent, and never will be. */
export type Cancel = (reason?: string) => 'unsent' | undefined;

/** One conversation with one server. Whoever asks owns the time limit: a link waits until it is told not to. */
export interface Link {
  request(message: Outgoing, sink: Sink): Cancel;
  /** A notification of the client, or its answer to a request of the server. */
  send(message: Outgoing): void;
  /** Was a later round of this very call refused before anybody executed it, so that the call can go on there? Absent: never. */
  canGoOn?(message: Outgoing): boolean;
  /** Something that it was not asked by `request` is not answered yet. */
  readonly isBusy?: boolean;
  /** How often the server has told of its work, in this conversation and to no request in particular. */
  readonly told?: number | undefined;
  /** Which run of the server it is, or which session with it: another one once it was started or opened again, nothing while it does not run. */
  readonly run?: object | undefined;
  /** Why nobody may ever answer, where nothing was answered since the server was started. */
  readonly silence?: Silence | undefined;
  /** Ends the conversation; whatever is open is lost. */
  close(): Promise<void>;
}

/** What a link tells beside answers. */
export interface LinkEvents {
  /** A notification or a request of the server that belongs to no request. Gives `true` where somebody reads it at once. */
  readonly onMessage: (message: Buffer) => unknown;
  /** The server does not know the conversation any more: whoever opened it may open it again. */
  readonly onForgotten?: (() => void) | undefined;
  /** Something an operator should know: one printable line. It may hold secrets. */
  readonly onNote?: ((note: string) => void) | undefined;
}
