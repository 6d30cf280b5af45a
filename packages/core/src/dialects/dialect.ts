/**
 * A dialect: one system's way to say faults on the wire. Every folder beside this file holds one, with the
 * same file names, so that whoever knows one knows all:
 *
 * - `codes.ts`      the codes the system defines, as a table
 * - `recognise.ts`  how to tell that a wire is this system's
 * - `read.ts`       wire → what it says
 * - `write.ts`      fault → wire
 * - `index.ts`      the four together, and the facts about the system
 */
import type { Fault, FaultInit, Issue, Json, JsonObject } from '../fault.ts';
import type { Kind, Reaction } from '../kinds.ts';
import type { Revision } from '../protocol.ts';
import type { HttpPart, LookAtThrown, Placement, Wire } from '../wire/wire.ts';

/** The dialects that come with the language. */
export type KnownDialectId =
  | 'closient'
  | 'onx'
  | 'erlmcp'
  | 'qaqnuz'
  | 'platica'
  | 'mcp'
  | 'mcp@2026-07-28'
  | 'mcp@2025-11-25'
  | 'mcp@draft'
  | 'problem'
  | 'tool-failure'
  | 'mayday';

/** The name of a dialect: one of those that come with the language, or one of your own. */
export type DialectId = KnownDialectId | (string & {});

/** One code of a dialect. */
export interface CodeRow {
  readonly code: number | string;
  /** The system's own name for it: `not_found`, `RATE_LIMIT_EXCEEDED`. */
  readonly name: string;
  readonly kind: Kind;
  /** The subject type that the code fixes. */
  readonly subject?: string;
  /** The message that goes with it, or its short meaning. */
  readonly title: string;
  /** What the dialect declares, where it differs from the kind's default. */
  readonly retryable?: boolean;
  /** The reaction that the document asks for, where it differs from the kind's. */
  readonly reaction?: Reaction;
  /** What the document tells whoever meets the code to do, step by step. */
  readonly steps?: readonly string[];
  /** The document defines it as a refusal before the work began. */
  readonly refusal?: boolean;
  /** The HTTP status that the document ties to it. */
  readonly status?: number;
  /** The members of `data` that come with it. */
  readonly keys?: readonly string[];
  /** Where in a message it sits, if elsewhere than the dialect's other codes. */
  readonly shape?: string;
  /** What names this very code, if something else than what names the dialect. */
  readonly tell?: string;
  /** False: understood when read, never written. */
  readonly written: boolean;
}

/** Why a reading says what it says. */
export interface Evidence {
  /** The layer or rule that spoke: `code`, `shape`, `status`, `errno`, … */
  readonly by: string;
  readonly says: string;
  readonly dialect?: DialectId;
  readonly kind?: Kind;
}

/** What a reader makes of a wire. `executed` is only what the wire declares in so many words; see `executed.ts`. */
export interface Heard extends FaultInit {
  /** It was said with a code, or in a form, that the dialect's document defines as a refusal before the work. */
  readonly refusal?: boolean | undefined;
  /** Beside it stands what its document does not have there: that may tell what became of the work. */
  readonly saysMore?: boolean | undefined;
  /** It was thrown before anything could be sent: the connection was never made. */
  readonly unsent?: boolean | undefined;
  readonly certainty: number;
  readonly evidence: readonly Evidence[];
  /** Where the failure sat, when the dialect knows better than the bare shape. */
  readonly placement?: Placement;
}

/** What reading may depend on beside the wire. */
export interface ReadContext {
  /** Unix time in milliseconds, for absolute times on the wire; asked only when there is one. */
  readonly now: () => number;
  /** Reads text and bodies that follow no dialect. */
  readonly prose: (wire: Wire) => Heard | undefined;
}

/** Reads failures that follow no dialect. */
export interface Foreign {
  /** Takes exceptions apart. */
  readonly thrown: LookAtThrown;
  /** Failures that a client's own side raised; they must not be mistaken for the peer's. */
  local(wire: Wire): Heard | undefined;
  /** Everything else: exceptions, HTTP answers, bodies. */
  read(wire: Wire, context: ReadContext): Heard | undefined;
  /** What a number may mean outside of all dialects, where nothing beside it tells. */
  candidate(wire: Wire): Evidence | undefined;
  /** What was heard, with the wait that the headers ask for: it counts even where the body decided the kind. */
  withWait(heard: Heard, http: HttpPart, context: ReadContext): Heard;
}

/** What writing may depend on beside the fault. */
export interface WriteContext {
  /** Unix time in milliseconds. */
  readonly now: number;
  /** The request id; absent means that the response carries none. */
  readonly id?: string | number | null | undefined;
  /** The request's method. Only `tools/call` can answer with a tool result. */
  readonly method?: string | undefined;
  /** Where the operator or the incoming wire wants it; a dialect may have only one place. */
  readonly placement?: 'protocol' | 'tool' | undefined;
  /** The protocol revision of the session. */
  readonly revision: Revision;
  /** False for clients that choke on `structuredContent` in an error result. */
  readonly structuredContent: boolean;
  /** For dialects that require an identifier. */
  readonly correlationId?: string | undefined;
}

/** An HTTP response. */
export interface HttpWire {
  readonly http: {
    readonly status: number;
    readonly headers: { readonly [name: string]: string };
    readonly body: Json;
  };
}

/** A JSON-RPC response. */
export interface JsonRpcWire {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
  readonly result?: JsonObject;
}

/** What `write` puts on the wire. */
export type WrittenWire = JsonRpcWire | HttpWire;

/** What a dialect writes. `envelope` is qaqnuz's inner envelope. */
export interface Written {
  readonly wire: WrittenWire;
  readonly envelope?: JsonObject;
}

/** What decides about the form of a failure beside the fault. */
export interface FormContext {
  readonly method: string;
  /** What was called: the tool, the prompt, the address of the resource. */
  readonly name?: string | undefined;
  /** The sentence is ours, so the document's own name of the code says it better. */
  readonly ours: boolean;
  /** The request itself is wrong: no tool, prompt or resource has been asked. */
  readonly ofRequest: boolean;
  /** An exception that nobody expected, and whose words were kept back. */
  readonly masked: boolean;
  /** The author said that it is worth another try; otherwise that only follows from the kind. */
  readonly retryableSaid: boolean;
  /** Unix time in milliseconds. */
  readonly now: number;
  /** Nobody wrote the words for a caller of this server: they are a backend's, or those of somebody who is not known. */
  readonly foreign?: 'backend' | 'somebody' | undefined;
  /** It was said of another call, or of a later round of this one: what it says of limits and waiting is not about all of it. */
  readonly handedOn?: boolean | undefined;
  /** What it is was read out of words: nobody has said it by a code, or in the form of a document. */
  readonly byWords?: boolean | undefined;
  /** What was called is not known to only read: a repetition may do it twice. */
  readonly mayChange?: boolean | undefined;
  /** The task whose end is told, where it was asked for by that, and nobody knows its tool. */
  readonly taskId?: string | undefined;
  /** A key came in the form that the document names, and is nobody's: its interface judges it, not the door. */
  readonly wrongKey?: boolean | undefined;
  /** How long the call took, in milliseconds. */
  readonly elapsedMs?: number | undefined;
  /** The HTTP status that the answer goes out with, where it is fixed. */
  readonly status?: number | undefined;
  /** The HTTP status of the backend's answer that made a tool fail. */
  readonly answered?: number | undefined;
  /** The failing result that a tool gave, or the body that its backend answered, as text: without secrets. */
  readonly said?: JsonObject | undefined;
  /** What the schema of the arguments said, in its own words. */
  readonly issues?: readonly Issue[] | undefined;
  /** False for clients that choke on `structuredContent` in an error result. */
  readonly structuredContent?: boolean | undefined;
}

/**
 * Puts what a dialect wrote into the form that its document has for failures of the protocol itself: outside of tools,
 * before a tool is found, or without a request at all. What it has no other form for comes back as it is.
 */
export type Form = (written: JsonRpcWire, fault: Fault, context: FormContext) => JsonRpcWire;

/**
 * One system's way to say faults. Only the first six members are needed; the others are facts about the system that
 * generic code asks for, so that nobody has to know a dialect by its name.
 */
export interface Dialect {
  readonly id: DialectId;
  readonly title: string;
  readonly codes: readonly CodeRow[];
  /** How sure it is that a failing wire is its own: 0 not at all … 1 the wire declares it. */
  recognise(wire: Wire): number;
  /** What the wire says in this dialect; `undefined` when it says nothing in it. */
  read(wire: Wire, context: ReadContext): Heard | undefined;
  write(fault: Fault, context: WriteContext): Written;

  /** Where in a message its failures sit, in a few words, for the catalogue. */
  readonly shape?: string;
  /** What gives it away, in a few words, for the catalogue. */
  readonly tell?: string;
  /** The dialect of which this is only another name. */
  readonly aliasOf?: DialectId;
  /** What occurs in its answers beside its codes, a number or a phrase: understood, never written as a code. */
  readonly alsoReads?: readonly CodeRow[];
  /** It is the protocol's own: JSON-RPC's codes without `data` are read by it and by nobody else. */
  readonly isProtocol?: boolean;
  /** Its answers are the specification's shapes with something added: a tool's own content stays beside it. */
  readonly extendsProtocol?: boolean;
  /** Its answers carry a whole classification: whoever passes one on has nothing to add. */
  readonly classifies?: boolean;
  /** The revision that it writes where none is asked for; the newest if absent. */
  readonly revision?: Revision;
  /** Where its failures go out. All three, by what the fault is, if absent. */
  readonly places?: readonly ('protocol' | 'tool' | 'http')[];
  /**
   * The `id` of an error that answers no request: `null` as JSON-RPC 2.0 has it, or `absent` even where `null` is
   * asked for, because clients reject it. As it is asked for, if absent.
   */
  readonly unknownId?: 'null' | 'absent';
  /** Is this a failure, though neither `isError`, nor an `error`, nor a status says so? */
  fails?(wire: Wire): boolean;
  /** Texts of which one is in the bytes of every answer that `fails`. */
  readonly failureMarks?: readonly string[];
  /** What its document tells clients to wait, in milliseconds, after a fault that names no time. */
  usualWaitMs?(kind: Kind): number | undefined;
  /** The problem document (RFC 9457) that its REST twin answers with, where the document has one. */
  problem?(fault: Fault, now: number): JsonObject;
  /** How its document has failures of the protocol itself, where `write` does not say it. Asked by who serves. */
  readonly form?: Form;
  /**
   * It reads fault documents: is there nothing in an answer beside the one that it has? Asked of the first that has this,
   * whoever reads, in a language that knows no words of refusals.
   */
  standsAlone?(heard: Heard, wire: Wire): boolean;
  /** Its answers carry the whole fault document: results in `_meta`, errors in `data`. */
  readonly carriesDocument?: boolean;
  /**
   * Its document forbids more than its own form: nothing is added to its answers. What has no place in them is for the
   * operator's log; in all other dialects it stays under `dev.mayday/error`.
   */
  readonly closed?: boolean;
  /**
   * The fault as its document has it, where the document decides otherwise than we do: what is said to be worth another
   * try, or not, is said so in every member and word of the answer. Asked by who serves, before it is written.
   */
  asSaid?(fault: Fault, context: FormContext): Fault;
  /** It knows `parse_error` and `invalid_request` as failures of a request only, never as a tool's. */
  readonly requestKinds?: boolean;
  /** It has a code of its own for a method of the protocol whose capability a server has not declared. */
  readonly keepsCapabilities?: boolean;
  /** Its answers say of every failure whether it is worth another try: what their words tell of changes nothing about that. */
  readonly declaresRepetition?: boolean;
  /** Its servers refuse a handshake with a revision that they do not serve, and name none of their own. */
  readonly refusesRevisions?: boolean;
  /** What a credential looks like in its document, as an `Authorization` header: whatever else comes is no key at all. */
  readonly keyForm?: RegExp;
  /** Its servers take nothing but POST: they have no streams of their own, and no sessions to end. */
  readonly postOnly?: boolean;
  /** Its document has one answer for what is denied and for what does not exist. */
  readonly oneRefusal?: boolean;
  /** How much a message may carry, in bytes, where its document says so; as whoever serves thinks fit, if absent. */
  readonly messageBytes?: number;
  /** Its servers serve nothing before a connection's `initialize`. */
  readonly initializeFirst?: boolean;
  /**
   * A text that a server tells or asks beside its answers, in a log message, as progress, in a question: as it may cross,
   * or `undefined` where nothing of it may. Without secrets already; as it is, if absent.
   */
  told?(text: string, isFailure: boolean): string | undefined;
}

/** Does everything that it writes need an HTTP answer of its own? */
export function isOfHttp({ places = [] }: Dialect): boolean {
  return places.length > 0 && places.every((place) => place === 'http');
}

/** The HTTP status that a dialect's document ties to a code. */
export function statusOfCode(dialect: Dialect, code: number | string): number | undefined {
  return dialect.codes.find((row) => row.code === code)?.status;
}

/** What every failing answer has in its bytes, as far as a dialect does not say otherwise. */
const USUAL_MARKS: readonly string[] = ['"isError"', '"error"'];

/** Texts of which at least one is in the bytes of every failing answer: without them, nobody has to parse it. */
export function failureMarks(dialects: readonly Dialect[]): readonly string[] {
  return [...new Set([...USUAL_MARKS, ...dialects.flatMap((dialect) => dialect.failureMarks ?? [])])];
}
