/**
 * One call on its way through the relay: what it carries from the door to the answer beside what every policy
 * sees, and the bytes that become of it.
 */
import type { Fault, FaultInit } from '@mayday/core';
import { makeFault } from '@mayday/core';
import type { Call, Failed, Handler, Outcome, Policy } from '@mayday/policy';
import type { Members } from '../framing/json.ts';
import type { Peek } from '../framing/peek.ts';
import type { HttpHead, LinkFault } from '../links/link.ts';
import { isPacked, ofStatusAlone } from '../links/packed.ts';
import type { Room } from '../links/room.ts';
import type { HttpHeaders } from '../protocol/headers.ts';
import type { Revision } from '../protocol/revisions.ts';
import type { OpenQuestions } from './open-questions.ts';
import type { ReplyHeaders } from './reply.ts';

/** Who calls. */
export interface Caller {
  /** Tells callers apart; says nothing about their keys. */
  readonly id: string;
  /** False where callers cannot be told apart: nothing is counted or sealed for them. */
  readonly isKnown: boolean;
  /** What the ids of its sessions, and of the events in them, are sealed with; only this caller can use them. */
  readonly seal?: Buffer | undefined;
  /** The dialect that it wants to be answered in. */
  readonly dialect?: string | undefined;
  /** Who it is, for the operator. */
  readonly name?: string | undefined;
  /** Whom it belongs to. */
  readonly tenant?: string | undefined;
  /** What it may do. */
  readonly scopes?: readonly string[] | undefined;
  /** Whom its credential is for, where that says so: only they may get it. */
  readonly audiences?: readonly string[] | undefined;
  /** Where it learns how to get a credential that may do more, if it can. */
  readonly metadataUrl?: string | undefined;
}

/** Everybody, where nobody is asked who they are. */
export const ANYBODY: Caller = { id: 'anybody', isKnown: false };

/** By which name a caller is known; nobody has one where callers cannot be told apart. */
export function nameOf({ isKnown, name }: Caller): string | undefined {
  return isKnown ? name : undefined;
}

/** A message of the server that belongs to a call and is not its answer. */
export interface Related {
  readonly data: Buffer;
  /** The bytes of the event it came in, and that event's id. */
  readonly raw?: Buffer | undefined;
  readonly id?: string | undefined;
  /** It tells how far the task is that the call waits for: the token is that of the call that began it, maybe in another session. */
  readonly ofTask?: boolean | undefined;
}

/** The way back to the caller while the call runs. */
export interface Back {
  /** Begins a stream, before there is anything to send. */
  open(headers?: ReplyHeaders): void;
  /** Sends it on, in a stream. False: the reader is behind. */
  related(message: Related): boolean;
  /** Has a stream begun? Then there is no other status. */
  readonly isStream: boolean;
  /** Was anything sent that another attempt cannot follow: a question, or more than log messages and progress? */
  readonly committed: boolean;
  /** What the client was asked in its session; absent where it could not answer. */
  readonly asks?: OpenQuestions | undefined;
  /** Calls back when a reader that was behind has caught up. */
  onDrain(listener: () => void): void;
}

/** Where a call stands in a trace. */
export interface CallTrace {
  readonly traceId: string;
  readonly spanId: string;
}

/** One request of a caller, as the bytes that came. */
export interface WireCall extends Call {
  readonly method: string;
  readonly signal: AbortSignal;
  readonly body: Buffer;
  readonly peek: Peek;
  /** `params`, where they are an object. Opened when first asked for; never changed. */
  readonly params: () => Members | undefined;
  /** `params._meta`, where it is an object. */
  readonly meta: Members | undefined;
  readonly revision: Revision;
  readonly headers: HttpHeaders;
  /** The headers as they came: names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** What stands after the question mark of the address that its caller used; absent where nobody used one. */
  readonly query?: string | undefined;
  /** Who calls; `caller` is its id. */
  readonly by: Caller;
  /**
   * What tells its caller from others and does not reach the server as it came; `undefined` if that is nothing: then the server can
   * tell callers apart as well as we can. It holds secrets. Absent where the server goes by none of it.
   */
  readonly withheld?: (() => string | undefined) | undefined;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  readonly back: Back;
  /** Where its answer counts while it comes in; absent where nobody counts. */
  readonly room?: Room | undefined;
  /** Absent where nobody watches. Whatever is asked for the sake of a call carries it along. */
  readonly trace?: CallTrace | undefined;
  /** The tool that began the task it asks about, by its server's name; absent where it asks about none, or nobody knows. */
  readonly begunWith?: string | undefined;
  /** It goes to the server in a session that its caller has with that, or in none: no conversation of ours is between them. */
  readonly isPassedOn?: boolean | undefined;
  /** Its caller cannot take up a stream that ended early: the rest of its answer is fetched here. */
  readonly cannotResume?: boolean | undefined;
  /** Where the task began that it asks about: in the session, or without one, that it is passed on in, or not; absent where that is all the same. */
  readonly begun?: 'here' | 'elsewhere' | undefined;
  /** It is no message, and asks for nothing that a session has: where it is refused, nothing has failed. */
  readonly isNoCall?: boolean | undefined;
  /** It is only made to go on with a round that was refused; where nobody knows of such a round it is not made at all. */
  readonly onlyGoesOn?: boolean | undefined;
}

/** An answer, ready to send. */
export interface Answer {
  readonly type: 'answer';
  readonly body: Buffer;
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** The body is a run of events: it goes out in a stream as it is. */
  readonly isStream: boolean;
  /** The id of the event that it goes out in, should it go out in one. */
  readonly eventId?: string | undefined;
  /** It says that the call failed. */
  readonly isFailure?: boolean | undefined;
  /** The caller has cancelled the call and expects no answer; a stream can end without one. */
  readonly isUnwanted?: boolean | undefined;
}

/** How a failure was understood. */
export interface Understanding {
  readonly dialect: string | null;
  readonly placement: 'protocol' | 'tool';
  readonly certainty: number;
  /** It is what a task has come to: the answer to the call that began it. */
  readonly task?: EndedTask | undefined;
}

/** A task that has come to its end. */
interface EndedTask {
  /** The tool that began it, by the name that its server has for it; unknown where it began elsewhere. */
  readonly tool: string | undefined;
}

/** A failing message of the server. */
export interface SaidMessage {
  readonly type: 'message';
  readonly message: unknown;
  readonly bytes: Buffer;
  readonly status: number;
  /** What HTTP said around it. */
  readonly head?: HttpHead | undefined;
  /** Headers that must reach the caller. */
  readonly headers?: ReplyHeaders | undefined;
  /** The id of the event that it came in. */
  readonly eventId?: string | undefined;
  /** The task that it stood in: whoever asked for the task is answered with that. */
  readonly within?: Members | undefined;
}

/** An HTTP answer of the server that is not a success. */
export interface SaidHttp {
  readonly type: 'http';
  readonly status: number;
  /** What HTTP said, all of it: also what no caller may have can tell what became of the work. */
  readonly head: HttpHead;
  /** Headers that may reach the caller. */
  readonly headers: ReplyHeaders;
  readonly body: Buffer;
  /** The conversation that it was asked in is one of ours: its handshake, its session and its revision are no caller's. */
  readonly isOurs?: boolean | undefined;
  /** It came under no id, whatever stands in the body now. */
  readonly isNameless?: boolean | undefined;
}

/** The server said nothing: the words are our own. */
interface SaidNothing {
  readonly type: 'nothing';
  /** A later round was refused before anybody executed it: made again, the call goes on there. */
  readonly canGoOn?: boolean | undefined;
  /** Where the transport demands one. */
  readonly status?: number | undefined;
  /** Headers of our own that go with it. */
  readonly headers?: ReplyHeaders | undefined;
  /** What came, where it was no message. For the operator. */
  readonly original?: Buffer | undefined;
  /** It was about a conversation that is not the caller's: the operator alone is told it. */
  readonly isOurs?: boolean | undefined;
}

/** What came in place of an answer, how it was understood, and whose words it is. */
export type Said = (SaidMessage | SaidHttp | SaidNothing) & {
  readonly heard?: Understanding | undefined;
  readonly upstream?: string | undefined;
  /** What was called, by the name that the upstream has for it. */
  readonly target?: string | undefined;
  /** What is known of the tool that was called. */
  readonly tool?: KnownTool | undefined;
};

/** What is known of a tool, as far as it decides how its failure is put. */
export interface KnownTool {
  /** A repetition does no harm. */
  readonly onlyReads: boolean;
  /** It has an `outputSchema`: clients of 2025 check the structured content of its failures against it. */
  readonly hasOutput: boolean;
  /** Its server lists it: it is there, whatever is said of its name. */
  readonly isListed: boolean;
}

/** What travels back along the path: an answer, or what was said in its place. */
export type Wire = Answer | Said;

/** What became of a call. */
export type WireOutcome = Outcome<Wire>;

/** Takes a call to its outcome. */
export type WireHandler = Handler<Wire, WireCall>;

/** Stands between the door and the server. */
export type WirePolicy = Policy<Wire, WireCall>;

/** A failure, understood. */
export interface Heard extends Understanding {
  readonly fault: Fault;
  /** The status of HTTP says what it is, and no words do. */
  readonly byStatus?: boolean | undefined;
}

/** Finds out whether a server failed, and what it means. */
export interface Hear {
  /**
   * The failing answer in these bytes, parsed; `undefined` when they are a success. It may be one that was found
   * before, the same but for its id, which it has not.
   */
  failureIn(bytes: Buffer, seen?: Peek): Members | undefined;
  /** Was this answer made here? Then it is a success in the form of one, and not looked through, however long it is. */
  isOwn?(bytes: Buffer): boolean;
  /** What a failure means. */
  understand(call: WireCall, said: SaidMessage | SaidHttp): Heard;
}

/** A success: these bytes are the answer. */
export function answered(answer: Omit<Answer, 'type'>): WireOutcome {
  return { ok: true, value: { ...answer, type: 'answer' } };
}

/** The server answered with a failure. */
export function refusedBy(call: WireCall, came: SaidMessage | SaidHttp, hear: Hear): Failed<Wire> {
  const isUnread = came.type === 'http' && isPacked(came.head);
  const said = isUnread ? { ...came, body: NOTHING } : came;
  const { fault: read, dialect, placement, certainty, task } = hear.understand(call, said);
  const fault = isUnread ? ofStatusAlone(read, came.head) : read;
  const value = { ...said, heard: { dialect, placement, certainty, task } };
  const settled = task !== undefined;
  return { ok: false, fault, value, answered: true, settled, committed: isCommitted(call) };
}

const NOTHING: Buffer = Buffer.alloc(0);

/** What seems to prove that nothing was executed is no proof: of another call, or of one attempt among several. */
export function inDoubt(outcome: WireOutcome): WireOutcome {
  if (outcome.ok || outcome.fault.executed !== 'no') return outcome;
  return { ...outcome, fault: { ...outcome.fault, executed: 'maybe' } };
}

/** Does it refuse a call that may change something? Who believes that has to have heard all that follows. */
export function isRefusalOfWork({ method }: Pick<WireCall, 'method'>, outcome: WireOutcome): boolean {
  return method === 'tools/call' && !outcome.ok && outcome.fault.executed === 'no';
}

/** No answer came: our own words, as an outcome. */
export function lost(
  call: Pick<WireCall, 'back' | 'method'>,
  fault: LinkFault,
  more: Omit<SaidNothing, 'type'> = {},
): Failed<Wire> {
  const { reached, mayBeOwn } = fault;
  return {
    ok: false,
    fault: makeFault(fault),
    value: { type: 'nothing', ...more },
    committed: isCommitted(call),
    reached,
    mayBeOwn,
  };
}

/** A call that was to go on with a round of which nobody knows: nothing was sent. */
export function cannotGoOn(call: WireCall): Failed<Wire> {
  const fault = {
    kind: 'conflict',
    executed: 'maybe',
    message: 'Nothing is known here of its earlier rounds',
  } as const;
  return { ...lost(call, fault), refused: { by: CANNOT_GO_ON } };
}

/** Who refuses such a call. */
export const CANNOT_GO_ON = 'rounds';

/** The head of a stream names the session that an opening has opened. */
function isCommitted({ back, method }: Pick<WireCall, 'back' | 'method'>): boolean {
  return back.committed || (method === 'initialize' && back.isStream);
}

/** What ended a call: whoever waited for it, their deadline, or a time limit of ours. */
export type EndedBy = 'cancelled' | 'deadline' | 'attempt_timeout';

/** Why a call was ended from outside: the reason of its signal. */
export class CallEnded extends Error {
  override readonly name: string = 'CallEnded';
  readonly fault: FaultInit;
  /** Only a time limit of ours says anything about the server. */
  readonly ended: EndedBy;
  /** Why, in the words of whoever ended it; the server is told. */
  readonly reason: string | undefined;

  constructor(
    fault: FaultInit,
    options: {
      readonly ended?: EndedBy;
      readonly reason?: string | undefined;
    } = {},
  ) {
    super(fault.message ?? fault.kind);
    this.fault = fault;
    this.ended = options.ended ?? 'cancelled';
    this.reason = options.reason;
  }
}

/** What ended the call. */
export function endOf(call: WireCall): CallEnded {
  const reason: unknown = call.signal.reason;
  if (reason instanceof CallEnded) return reason;
  return new CallEnded({ kind: 'cancelled', origin: 'gateway', message: 'The call was ended' });
}
