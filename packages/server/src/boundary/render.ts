/** A fault as the JSON-RPC response that answers a request, in the dialect that the client understands. */
import { type DialectId, type Fault, type JsonObject, language, type WriteOptions, write } from '@mayday/core';
import type { WrittenWire } from '@mayday/core/dialects';
import { FAULT_KEY as META_KEY } from '@mayday/core/protocol';
import { redact } from '@mayday/core/redact';
import type { Settings } from '../options.ts';
import type { Message } from '../shapes.ts';
import type { RequestState } from './request-state.ts';

/** Where a client asks for a dialect, in a request's `_meta`. */
export const DIALECT_META_KEY = 'dev.mayday/dialect';
/** Where a client asks for a dialect, over HTTP. */
export const DIALECT_HEADER = 'mayday-dialect';

/** What rendering keeps of the answer that it replaces. */
export interface Replaced {
  /** The SDK's own answer, for the members that it stamps on every result. */
  readonly message?: Message | undefined;
  /** A code that must stay. */
  readonly code?: number | undefined;
  /** A code of the author's, for where numbers are the application's. */
  readonly spokenCode?: number | undefined;
  readonly data?: unknown;
  /** The replaced result was the author's: its content stays. */
  readonly authored?: boolean | undefined;
}

/** The dialect of one answer: what the client asked for, if the server allows it. */
export function dialectFor(state: RequestState, settings: Settings): DialectId {
  if (settings.askable.size === 0) return settings.dialect;
  const asked = state.meta(DIALECT_META_KEY) ?? state.header(DIALECT_HEADER);
  return typeof asked === 'string' && settings.askable.has(asked) ? (asked as DialectId) : settings.dialect;
}

/** The response to send. */
export function render(
  fault: Fault,
  state: RequestState,
  dialect: DialectId,
  settings: Settings,
  replaced: Replaced = {},
): Message {
  const options: WriteOptions = {
    id: state.id,
    method: state.method,
    revision: state.revision,
    structuredContent: takesStructuredContent(state),
    now: settings.clock.now(),
    ...(settings.placement === undefined ? {} : { placement: settings.placement }),
    ...(fault.correlationId === undefined ? {} : { correlationId: fault.correlationId }),
  };
  let message = asJsonRpc(write(fault, dialect, options).wire, fault, options);
  const speaks = language.dialect(dialect).extendsProtocol === true;
  if (replaced.authored === true && speaks) return authored(message, replaced.message);
  if (replaced.code !== undefined && message.error?.code !== replaced.code) {
    // The code is the specification's, and the HTTP status hangs on it: no dialect may say it otherwise.
    const own = speaks ? dialect : 'mcp';
    message = asJsonRpc(write(fault, own, { ...options, method: PROTOCOL_METHOD }).wire, fault, options);
    message = {
      ...message,
      error: { ...message.error, code: replaced.code } as NonNullable<Message['error']>,
    };
  }
  return withSpokenCode(
    withData(stamped(message, replaced.message), replaced.data),
    replaced.spokenCode,
    state,
  );
}

/** The author's own error result, without secrets, and with the fault that it was read as. */
function authored(message: Message, original: Message | undefined): Message {
  const said = original?.result ?? {};
  const meta = {
    ...(message.result?.['_meta'] as object | undefined),
    ...(said['_meta'] as object | undefined),
  };
  const result = Object.keys(meta).length === 0 ? said : { ...said, _meta: meta };
  const { [META_KEY]: document, ...rest } = meta as { [key: string]: unknown };
  const safe = redact({ ...result, _meta: rest }).value;
  if (document !== undefined)
    return { ...message, result: { ...safe, _meta: { ...rest, [META_KEY]: document } } };
  return { ...message, result: Object.keys(rest).length === 0 ? withoutMeta(safe) : safe };
}

function withoutMeta({ _meta, ...result }: { readonly [key: string]: unknown }): { [key: string]: unknown } {
  return result;
}

/** Any method but `tools/call` makes a protocol error. */
const PROTOCOL_METHOD = 'ping';

/** SDK v1 clients check `structuredContent` against the tool's schema even when the result is an error. */
function takesStructuredContent(state: RequestState): boolean {
  return state.revision !== '2025-11-25' || state.tool?.outputSchema === undefined;
}

/** `problem` is a dialect of HTTP; inside JSON-RPC the document travels where the specification leaves room. */
function asJsonRpc(wire: WrittenWire, fault: Fault, options: WriteOptions): Message {
  if (!('http' in wire)) return wire as Message;
  const said = write(fault, 'mcp', options).wire as Message;
  const document = wire.http.body as JsonObject;
  if (said.error !== undefined) return { ...said, error: { ...said.error, data: document } };
  const structured = options.structuredContent === false ? {} : { structuredContent: document };
  return { ...said, result: { ...said.result, ...structured, _meta: { 'dev.mayday/problem': document } } };
}

/** The SDK stamps results with `resultType` and the server's identity; a replaced result keeps them. */
function stamped(message: Message, original: Message | undefined): Message {
  const stamp = original?.result;
  if (stamp === undefined || message.result === undefined) return message;
  const meta = {
    ...(stamp['_meta'] as object | undefined),
    ...(message.result['_meta'] as object | undefined),
  };
  const result: { [key: string]: unknown } = { ...message.result };
  if (Object.keys(meta).length > 0) result['_meta'] = meta;
  if (stamp['resultType'] !== undefined) result['resultType'] = stamp['resultType'];
  else delete result['resultType'];
  return { ...message, result };
}

/** `data` that the specification defines for a code stays, beside ours. */
function withData(message: Message, data: unknown): Message {
  if (message.error === undefined || typeof data !== 'object' || data === null) return message;
  const own = message.error.data;
  return {
    ...message,
    error: { ...message.error, data: typeof own === 'object' ? { ...own, ...data } : data },
  };
}

/** An application's own code survives where the specification leaves the number to applications. */
function withSpokenCode(message: Message, code: number | undefined, state: RequestState): Message {
  if (message.error === undefined || code === undefined || !isFree(code, state)) return message;
  return { ...message, error: { ...message.error, code } };
}

function isFree(code: number, state: RequestState): boolean {
  if (code < -32768 || code > -32000) return true;
  return code === -32002 && state.revision === '2025-11-25';
}
