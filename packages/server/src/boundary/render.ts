/** A fault as the JSON-RPC response that answers a request, in the dialect that the client understands. */

import {
  type Dialect,
  type Fault,
  type JsonObject,
  type Language,
  language,
  type WriteOptions,
  write,
} from '@mayday/core';
import { isOfHttp, type JsonRpcWire, type WrittenWire } from '@mayday/core/dialects';
import { formOf, inForm, negotiated, toldByTool } from '@mayday/core/forms';
import { DIALECT_KEY, PROBLEM_KEY } from '@mayday/core/protocol';
import { forModel } from '@mayday/core/render';

import type { Settings } from '../options.ts';
import { warn } from '../report/warn.ts';
import type { Message } from '../shapes.ts';
import { messageFor, textFor } from '../words/text.ts';
import { withSafeBody } from './backend-body.ts';
import { beside } from './beside.ts';
import type { Failure } from './failure.ts';
import { formContext, takesStructuredContent } from './form-context.ts';
import { isJsonSafe } from './json-safe.ts';
import { lastMessage } from './last-resort.ts';
import type { RequestState } from './request-state.ts';
import { methodOf, wantsTask } from './task-requests.ts';

/** Where a client asks for a dialect, in a request's `_meta`. */
export const DIALECT_META_KEY: typeof DIALECT_KEY = DIALECT_KEY;
/** Where a client asks for a dialect, over HTTP. */
export const DIALECT_HEADER = 'mayday-dialect';

/** What of a failure decides how it is written. */
export type Rendered = Omit<Failure, 'thrown' | 'began'> & { readonly thrown?: Failure['thrown'] };

/** The dialect of one answer: what the client asked for, if the server allows it. */
export function dialectFor(state: RequestState, settings: Settings): Dialect {
  if (settings.askable.size === 0) return settings.dialect;
  const asked = state.meta(DIALECT_META_KEY) ?? state.header(DIALECT_HEADER);
  return (typeof asked === 'string' ? settings.askable.get(asked) : undefined) ?? settings.dialect;
}

/**
 * The response to send for a sealed fault; `replaced` is the SDK's own answer. A dialect of somebody's own that throws
 * costs nobody the answer: it is said in ours. Nor does anything else: there is always one, and it can be sent.
 */
export function render(
  fault: Fault,
  state: RequestState,
  dialect: Dialect,
  settings: Settings,
  failure: Rendered = {},
  replaced?: Message,
): Message {
  try {
    return sendable(rendered(fault, state, dialect, settings, failure, replaced));
  } catch (bug) {
    if (dialect === FALLBACK && settings.language === language) return lastMessage(fault, state, bug);
    warn(`the dialect ${dialect.id} could not say a fault`, bug);
    return render(fault, state, FALLBACK, { ...settings, language }, failure, replaced);
  }
}

function sendable(message: Message): Message {
  if (!isJsonSafe(message)) throw new TypeError('Expected an answer that can be written as JSON');
  return message;
}

const FALLBACK: Dialect = language.dialect('mayday');

function rendered(
  fault: Fault,
  state: RequestState,
  dialect: Dialect,
  settings: Settings,
  failure: Rendered,
  replaced: Message | undefined,
): Message {
  const options = writeOptions(fault, state, settings, failure);
  const to: Target = { dialect, options, language: settings.language };
  const context = formContext(state, dialect, settings, failure, replaced);
  const safe = withSafeBody(fault, settings);
  const said = dialect.asSaid?.(safe, context) ?? safe;
  // Whoever returns a failure in the dialect itself has said it already.
  const isOfTool = failure.asTool === true || (failure.authored === true && failure.spoken !== dialect.id);
  const spoken = isOfTool ? toldByTool(said, dialect) : said;
  const plain = writtenIn(spoken, to) as JsonRpcWire;
  const isAuthors = failure.authored === true && replaced !== undefined && dialect.closed !== true;
  const complete = isAuthors ? authorsOwn(replaced, said, state, dialect, settings, failure) : undefined;
  const written = inForm(plain, spoken, dialect, settings.language, context, complete) as Message;
  if (isAuthors) return written;
  const message = withWholeText(
    withCode(written, fault, to, failure.code),
    said,
    failure.masked === true ? fault.correlationId : undefined,
  );
  const whole = stamped(message, replaced, dialect.closed === true);
  const data = isOpenData(dialect, failure.code) ? failure.data : undefined;
  const spokenCode = keepsContent(dialect) ? failure.spokenCode : undefined;
  const answer = withSpokenCode(withData(whole, data), spokenCode, state);
  return NEGOTIATION.has(failure.code ?? 0) ? agreeing(answer, fault, dialect) : answer;
}

/** The author's result stays, with what the dialect says beside it. */
function authorsOwn(
  replaced: Message,
  fault: Fault,
  state: RequestState,
  dialect: Dialect,
  settings: Settings,
  { advised }: Rendered,
): (formed: JsonRpcWire) => JsonRpcWire {
  const options = {
    advised: advised === true,
    keepsContent: keepsContent(dialect),
    structuredContent: takesStructuredContent(state, settings),
    safe: settings,
  };
  return (formed) => beside(formed as Message, replaced, fault, options) as JsonRpcWire;
}

/** Errors with which two sides find a revision have the specification's name in a document, not the words of an SDK. */
function agreeing(message: Message, { kind }: Fault, dialect: Dialect): Message {
  const { error } = message;
  if (error === undefined || formOf(dialect) === undefined) return message;
  return { ...message, error: negotiated(error as NonNullable<JsonRpcWire['error']>, kind, dialect) };
}

const NEGOTIATION: ReadonlySet<number> = new Set([-32020, -32021, -32022]);

function writeOptions(
  fault: Fault,
  state: RequestState,
  settings: Settings,
  failure: Rendered,
): WriteOptions {
  // Where it was said decides, never what it resembles: a tool's own words are a tool's result.
  const isTools = failure.asTool === true || failure.authored === true;
  const { placement = isTools ? 'tool' : undefined } = settings;
  return {
    id: state.id,
    method: wantsTask(state) ? PROTOCOL_METHOD : methodOf(state, failure),
    placement: wantsTask(state) ? 'protocol' : placement,
    revision: state.revision,
    structuredContent: takesStructuredContent(state, settings),
    correlationId: fault.correlationId,
    now: settings.clock.now(),
    redact: false, // sealed faults are
  };
}

/** Has the dialect nothing to say in a result's content that the author's own words do not? */
export function keepsContent(dialect: Dialect): boolean {
  return dialect.extendsProtocol === true || isOfHttp(dialect);
}

/** The dialect of an answer, and how it is written in it. */
interface Target {
  readonly dialect: Dialect;
  readonly options: WriteOptions;
  readonly language: Language;
}

function writtenIn(fault: Fault, { dialect, options, language: spoken }: Target): Message {
  return asJsonRpc(spoken.write(fault, dialect.id, options).wire, fault, options);
}

/** Codes on which an HTTP status, or a client's choice of a revision, hangs. */
const FIXED: ReadonlySet<number> = new Set([-32601, -32020, -32021, -32022]);

/** The code is the specification's: no dialect may say it otherwise, unless only its own document cares. */
function withCode(message: Message, fault: Fault, to: Target, code: number | undefined): Message {
  if (code === undefined || message.error?.code === code) return message;
  if (message.error !== undefined && !FIXED.has(code) && !keepsContent(to.dialect)) return message;
  const options = { ...to.options, method: PROTOCOL_METHOD };
  const again =
    to.dialect.carriesDocument === true
      ? writtenIn(fault, { ...to, options })
      : (write(fault, 'mcp', options).wire as Message);
  return { ...again, error: { ...again.error, code } as NonNullable<Message['error']> };
}

/** Any method but `tools/call` makes a protocol error. */
const PROTOCOL_METHOD = 'ping';

/** Where the text is the model's, it has all the words of the fault, and the reference to the log. */
function withWholeText(message: Message, fault: Fault, reference: string | undefined): Message {
  const { error } = message;
  // Hosts that drop `data` still show the message. Elsewhere it is read back, and has to stay as it is.
  if (error?.message === fault.message && (error.data as JsonObject | undefined)?.['kind'] === fault.kind)
    return { ...message, error: { ...error, message: messageFor(fault) } };
  const content = message.result?.['content'] as { readonly text?: string }[] | undefined;
  if (content?.[0]?.text !== forModel(fault)) return message;
  const text = { type: 'text', text: textFor(fault, reference) };
  return { ...message, result: { ...message.result, content: [text, ...content.slice(1)] } };
}

/** `problem` is a dialect of HTTP; inside JSON-RPC the document travels where the specification leaves room. */
function asJsonRpc(wire: WrittenWire, fault: Fault, options: WriteOptions): Message {
  if (!('http' in wire)) return wire as Message;
  const said = write(fault, 'mcp', options).wire as Message;
  const document = wire.http.body as JsonObject;
  if (said.error !== undefined) return { ...said, error: { ...said.error, data: document } };
  const result: { [key: string]: unknown } = { ...said.result, _meta: { [PROBLEM_KEY]: document } };
  if (options.structuredContent !== false) result['structuredContent'] = document;
  return { ...said, result };
}

/** The SDK stamps results with `resultType` and the server's identity; a replaced result keeps them. */
function stamped(message: Message, original: Message | undefined, isClosed: boolean): Message {
  const stamp = original?.result;
  if (stamp === undefined || message.result === undefined) return message;
  const theirs = Object.entries((stamp['_meta'] as object | undefined) ?? {});
  const kept = isClosed ? theirs.filter(([key]) => key.startsWith(PROTOCOLS_OWN)) : theirs;
  const meta = { ...Object.fromEntries(kept), ...(message.result['_meta'] as object | undefined) };
  const result: { [key: string]: unknown } = { ...message.result };
  if (Object.keys(meta).length > 0) result['_meta'] = meta;
  if (stamp['resultType'] !== undefined) result['resultType'] = stamp['resultType'];
  else delete result['resultType'];
  return { ...message, result };
}

/** What begins so is the protocol's: no author wrote it, and no document of a system speaks of it. */
const PROTOCOLS_OWN = 'io.modelcontextprotocol/';

/** A document has members of its own in `data`; only what a client chooses its revision by stays in every one. */
function isOpenData(dialect: Dialect, code: number | undefined): boolean {
  return formOf(dialect) === undefined || (code !== undefined && FIXED.has(code));
}

/** `data` that the specification defines for a code stays, beside ours. */
function withData(message: Message, data: unknown): Message {
  if (message.error === undefined || typeof data !== 'object' || data === null) return message;
  const own = message.error.data;
  if (typeof own === 'string') return message; // the document has a text there
  return {
    ...message,
    error: { ...message.error, data: typeof own === 'object' ? { ...own, ...data } : data },
  };
}

/** An application's own code survives where the specification leaves the number to applications, and no document has numbers of its own. */
function withSpokenCode(message: Message, code: number | undefined, state: RequestState): Message {
  if (message.error === undefined || code === undefined || !isFree(code, state)) return message;
  return { ...message, error: { ...message.error, code } };
}

function isFree(code: number, state: RequestState): boolean {
  if (code < -32768 || code > -32000) return true;
  return code === -32002 && state.revision === '2025-11-25';
}
