/**
 * A dialect: one system's way to say faults on the wire. Every folder beside this file holds one, with the
 * same file names, so that whoever knows one knows all:
 *
 * - `codes.ts`      the codes the system defines, as a table
 * - `recognise.ts`  how to tell that a wire is this system's
 * - `read.ts`       wire → what it says
 * - `write.ts`      fault → wire
 * - `index.ts`      the four together
 */
import type { Fault, FaultInit, Json, JsonObject } from '../fault.ts';
import type { Kind } from '../kinds.ts';
import type { HttpPart, LookAtThrown, Placement, Wire } from '../wire/wire.ts';

/** The names of the dialects. */
export type DialectId =
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
  /** The document defines it as a refusal before the work began. */
  readonly refusal?: boolean;
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
  /** What was heard, with the wait that the headers ask for: it counts even where the body decided the kind. */
  withWait(heard: Heard, http: HttpPart, context: ReadContext): Heard;
}

/** What writing may depend on beside the fault. */
export interface WriteContext {
  /** Unix time in milliseconds. */
  readonly now: number;
  /** The request id; absent means that the response carries none. */
  readonly id?: string | number | null;
  /** The request's method. Only `tools/call` can answer with a tool result. */
  readonly method?: string;
  /** Where the operator or the incoming wire wants it; a dialect may have only one place. */
  readonly placement?: 'protocol' | 'tool';
  /** The protocol revision of the session. */
  readonly revision: '2025-11-25' | '2026-07-28';
  /** False for clients that choke on `structuredContent` in an error result. */
  readonly structuredContent: boolean;
  /** For dialects that require an identifier. */
  readonly correlationId?: string;
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

/** One system's way to say faults. */
export interface Dialect {
  readonly id: DialectId;
  readonly title: string;
  readonly codes: readonly CodeRow[];
  /** How sure it is that a failing wire is its own: 0 not at all … 1 the wire declares it. */
  recognise(wire: Wire): number;
  /** What the wire says in this dialect; `undefined` when it says nothing in it. */
  read(wire: Wire, context: ReadContext): Heard | undefined;
  write(fault: Fault, context: WriteContext): Written;
}

/** A JSON-RPC error response. */
export function errorResponse(context: WriteContext, code: number, message: string, data?: Json): Written {
  const error = data === undefined ? { code, message } : { code, message, data };
  return { wire: { jsonrpc: '2.0', ...idOf(context), error } };
}

/** A JSON-RPC response with a result. */
export function resultResponse(context: WriteContext, result: JsonObject): Written {
  return { wire: { jsonrpc: '2.0', ...idOf(context), result } };
}

/** One text block, as a tool result's content. */
export function textContent(text: string): Json {
  return [{ type: 'text', text }];
}

function idOf(context: WriteContext): { id?: string | number | null } {
  return context.id === undefined ? {} : { id: context.id };
}

/** A row, and what it is worth as evidence. */
export interface KnownCode<Row extends CodeRow = CodeRow> {
  readonly row: Row;
  readonly evidence: readonly Evidence[];
}

/** Rows by code, for readers. Evidence is made once for each row, not once for each reading. */
export function byCode<Row extends CodeRow>(
  dialect: DialectId,
  rows: readonly Row[],
): ReadonlyMap<number | string, KnownCode<Row>> {
  return new Map(
    rows.map((row) => [
      row.code,
      { row, evidence: [{ by: 'code', says: `${row.code} ${row.name}`, dialect, kind: row.kind }] },
    ]),
  );
}

/**
 * The row that says a fault best: what it said natively, else its kind and subject, else its kind alone.
 * A native code counts only while the fault still means what that code means.
 */
export function pickRow(rows: readonly CodeRow[], fault: Fault, dialect: string): CodeRow | undefined {
  const candidates = rows.filter((row) => row.kind === fault.kind);
  if (fault.native?.dialect === dialect) {
    const native = candidates.find((row) => row.code === fault.native?.code && fits(row, fault));
    if (native !== undefined) return native;
  }
  const written = candidates.filter((row) => row.written);
  return (
    written.find((row) => row.subject !== undefined && fits(row, fault)) ??
    written.find((row) => row.subject === undefined)
  );
}

function fits(row: CodeRow, fault: Fault): boolean {
  return row.subject === undefined || row.subject === fault.subject?.type;
}
