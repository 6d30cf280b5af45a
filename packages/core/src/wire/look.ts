/**
 * `look` takes any value apart once, so that every reader after it asks the same small view instead of probing
 * the foreign value again.
 */
import {
  isRecord,
  member,
  own,
  ownArray,
  ownBoolean,
  ownInteger,
  ownNumber,
  ownRecord,
  ownString,
  parseJson,
  type Unknown,
} from '../json.ts';
import { headersOf, parseEventStream } from './http.ts';
import { messageOf } from './names.ts';
import { mayBePrefixed, stripPrefix } from './prefix.ts';
import { type ErrorObject, type HttpPart, type LookAtThrown, makeWire, type Wire } from './wire.ts';

const MAX_UNWRAP = 4;

/** Takes any value apart. Total: whatever comes in, a view comes out. */
export function look(value: unknown, exceptions: LookAtThrown = lookAtPlainThrown): Wire {
  return lookAt(value, MAX_UNWRAP, exceptions);
}

/** Without a reader of exceptions, their message is all there is. */
function lookAtPlainThrown(thrown: Unknown): Wire {
  return makeWire('thrown', true, messageOf(thrown), { thrown });
}

function lookAt(value: unknown, unwraps: number, exceptions: LookAtThrown): Wire {
  if (typeof value === 'string') return lookAtText(value, unwraps, exceptions);
  if (Array.isArray(value)) return lookAtArray(value, unwraps, exceptions);
  if (!isRecord(value)) return makeWire('text', false, '');
  // By far the most common wire comes first.
  if (own(value, 'jsonrpc') !== undefined) return lookAtMessage(value, unwraps);
  const thrown = value instanceof Error ? value : own(value, 'thrown');
  if (thrown !== undefined) {
    const inside = (wrapped: unknown): Wire => lookAt(wrapped, unwraps - 1, exceptions);
    return exceptions(
      isRecord(thrown) ? thrown : { message: String(thrown) },
      unwraps > 0 ? inside : lookNoFurther,
    );
  }
  const http = ownRecord(value, 'http');
  if (http !== undefined) return lookAtHttp(http, unwraps, exceptions);
  return lookAtMessage(value, unwraps);
}

/** However deep somebody wrapped it, looking ends. */
function lookNoFurther(): Wire {
  return makeWire('text', false, '');
}

function lookAtText(text: string, unwraps: number, exceptions: LookAtThrown): Wire {
  const parsed = unwraps > 0 ? (parseJson(text) ?? parseEventStream(text)) : undefined;
  if (parsed !== undefined) {
    const inside = lookAt(parsed, unwraps - 1, exceptions);
    if (inside.failed || isMessage(parsed)) return inside;
    return makeWire('text', true, text, { body: parsed });
  }
  return makeWire('text', text.trim() !== '', stripPrefix(text).text);
}

/** A batch speaks through its first failing answer; a list of issues is a body. */
function lookAtArray(values: readonly unknown[], unwraps: number, exceptions: LookAtThrown): Wire {
  const first = values[0];
  if (own(first, 'path') !== undefined && own(first, 'message') !== undefined) {
    return makeWire('text', true, '', { body: values });
  }
  for (const value of unwraps > 0 ? values.slice(0, 100) : []) {
    const inside = lookAt(value, unwraps - 1, exceptions);
    if (inside.failed) return inside;
  }
  return makeWire('text', false, '');
}

function isMessage(value: unknown): boolean {
  return (
    own(value, 'jsonrpc') !== undefined ||
    own(value, 'result') !== undefined ||
    own(value, 'content') !== undefined
  );
}

function lookAtMessage(value: Unknown, unwraps: number): Wire {
  const result = own(value, 'result');
  const isResponse = result !== undefined || own(value, 'jsonrpc') !== undefined;
  // What SDKs hand over is the result itself: its `error`, if it has one, is the tool's and not the protocol's.
  if (!isResponse && isToolResult(value)) return lookAtResult(value, unwraps, idOf(value));
  const error = errorObject(own(value, 'error')) ?? (isResponse ? bareError(own(value, 'error')) : undefined);
  if (error !== undefined && (isResponse || error.code !== undefined)) {
    const body = isResponse || !namesMore(own(value, 'error')) ? undefined : value;
    return makeWire('protocol', true, error.message, {
      error,
      body,
      id: idOf(value),
      hasMore: hasMore(value, 'error') || isSaidBeside(own(value, 'error')),
    });
  }
  if (!isResponse) return lookAtResponse(value) ?? lookAtBody(value);
  if (isRecord(result)) {
    const wire = lookAtResult(result, unwraps, idOf(value));
    return wire.failed && hasMore(value, 'result') ? { ...wire, hasMore: true } : wire;
  }
  const complete = result !== undefined || own(value, 'method') !== undefined;
  const text = complete ? '' : 'The answer has neither a result nor an error';
  return makeWire('protocol', !complete, text, { id: idOf(value) });
}

/** Members of a message that say nothing of their own. */
const OF_MESSAGES: ReadonlySet<string> = new Set(['jsonrpc', 'id']);
/** Some say of each that there is none. */
const OUTCOMES: ReadonlySet<string> = new Set(['error', 'result']);
const OF_ERRORS: ReadonlySet<string> = new Set(['code', 'message', 'data']);

function hasMore(message: Unknown, but: 'error' | 'result'): boolean {
  for (const name of Object.keys(message)) {
    if (name === but || OF_MESSAGES.has(name)) continue;
    const said = own(message, name);
    if (said !== undefined && !(said === null && OUTCOMES.has(name))) return true;
  }
  return false;
}

/** Has the error members that JSON-RPC's do not have? */
export function isSaidBeside(error: unknown): boolean {
  return isRecord(error) && Object.keys(error).some((name) => !OF_ERRORS.has(name));
}

/** Google numbers its errors like JSON-RPC does, and says in members of its own what is wrong. */
function namesMore(error: unknown): boolean {
  return ownArray(error, 'details') !== undefined || ownArray(error, 'errors') !== undefined;
}

function isToolResult(value: Unknown): boolean {
  return (
    own(value, 'content') !== undefined ||
    own(value, 'isError') !== undefined ||
    own(value, 'structuredContent') !== undefined ||
    ownString(value, 'resultType') !== undefined ||
    isToolsError(own(value, 'error')) ||
    (ownRecord(value, '_meta') !== undefined && own(value, 'error') === undefined)
  );
}

/** An error with a number, and with members that JSON-RPC's own errors do not have. */
function isToolsError(error: unknown): boolean {
  if (ownInteger(error, 'code') === undefined) return false;
  return typeof own(error, 'retryable') === 'boolean' || ownRecord(error, 'details') !== undefined;
}

function idOf(message: Unknown): Wire['id'] {
  const id = own(message, 'id');
  return typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined;
}

/** A live `Response`: all of it is on its prototype, and its body nobody has read yet. */
function lookAtResponse(value: Unknown): Wire | undefined {
  if (Object.getPrototypeOf(value) === Object.prototype || own(value, 'status') !== undefined)
    return undefined;
  const status = member(value, 'status');
  if (!Number.isInteger(status) || typeof member(member(value, 'headers'), 'get') !== 'function')
    return undefined;
  return lookAtHttp({ status, headers: member(value, 'headers') }, 0, lookAtPlainThrown);
}

/** Bodies of REST interfaces, problem documents among them. */
function lookAtBody(body: Unknown): Wire {
  const status = ownInteger(body, 'status') ?? ownInteger(body, 'statusCode');
  const isProblem =
    status !== undefined &&
    status >= 400 &&
    (own(body, 'title') ?? own(body, 'detail') ?? own(body, 'type')) !== undefined;
  const error = own(body, 'error');
  const says =
    typeof error === 'string' ||
    isRecord(error) ||
    ownBoolean(body, 'ok') === false ||
    ownBoolean(body, 'success') === false;
  const failed = isProblem || says || Array.isArray(own(body, 'errors'));
  const text =
    ownString(body, 'detail') ??
    ownString(body, 'message') ??
    (typeof error === 'string' ? error : ownString(body, 'title')) ??
    '';
  return makeWire(isProblem ? 'http' : 'text', failed, text, { body });
}

/** Is it a task? Its error is what the task came to: whoever asked for the task has a good answer. */
function isTask(result: Unknown): boolean {
  if (ownString(result, 'taskId') === undefined || !TASK_STATUS.has(own(result, 'status'))) return false;
  return own(result, 'content') === undefined && own(result, 'isError') === undefined;
}

const TASK_STATUS: ReadonlySet<unknown> = new Set([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

function lookAtResult(result: Unknown, unwraps: number, id?: Wire['id']): Wire {
  const inner = errorObject(own(result, 'error'));
  const text = textOf(result);
  if (isTask(result)) return makeWire('tool', false, text, { result, id });
  if (inner?.code !== undefined) {
    return makeWire('tool', true, inner.message || text, { result, error: inner, id });
  }
  const needsInput = ownString(result, 'resultType') === 'input_required';
  const failed = ownBoolean(result, 'isError') === true || needsInput;
  if (!failed) return makeWire('tool', false, text, { result, id });
  const structured = own(result, 'structuredContent');
  const body = structured ?? (unwraps > 0 ? parseJson(text) : undefined);
  const stripped = stripPrefix(text || saidBeside(result, inner));
  // SDK v1 puts protocol errors in tool results as "MCP error -32602: …": the code is evidence.
  const error =
    stripped.code === undefined
      ? undefined
      : { code: stripped.code, message: stripped.text, data: structured };
  return makeWire('tool', true, stripped.text, { result, error, body, id });
}

/** Without content, what a result says beside it is better than nothing. */
function saidBeside(result: Unknown, error: ErrorObject | undefined): string {
  return error?.message || ownString(result, 'error') || '';
}

/** The text blocks of a tool result, joined. */
export function textOf(result: Unknown): string {
  const content = ownArray(result, 'content');
  if (content === undefined)
    return ownString(result, 'content') ?? ownString(ownRecord(result, 'content'), 'text') ?? '';
  if (content.length === 1) return ownString(content[0], 'text') ?? '';
  const texts: string[] = [];
  for (const block of content.slice(0, 100)) {
    const text = ownString(block, 'text');
    if (text !== undefined) texts.push(text);
  }
  return texts.join('\n');
}

function errorObject(value: unknown): ErrorObject | undefined {
  if (!isRecord(value)) return undefined;
  const said = ownString(value, 'message') ?? ownString(ownRecord(value, 'message'), 'text') ?? '';
  const message = mayBePrefixed(said) ? stripPrefix(said).text : said;
  return { code: ownInteger(value, 'code'), message, data: own(value, 'data') };
}

/** An error that is no object, as some write it in the middle of JSON-RPC. */
function bareError(value: unknown): ErrorObject | undefined {
  const message = typeof value === 'string' ? value : Array.isArray(value) ? wordsOf(value) : '';
  return message === '' ? undefined : { code: undefined, message, data: undefined };
}

const MOST_WORDS = 3;

/** What the first items of a list say, as Salesforce answers. */
function wordsOf(list: readonly unknown[]): string {
  return list
    .slice(0, MOST_WORDS)
    .map((item) => (typeof item === 'string' ? item : (ownString(item, 'message') ?? '')))
    .filter((words) => words !== '')
    .join('; ');
}

/** A message that came well says so in the status line: it is about the way, not about the work. */
function reasonOf(status: number, said: string | undefined): string | undefined {
  return status === 200 && said?.toLowerCase() === 'ok' ? undefined : said;
}

/** Is it plainly the good answer to a call? A body of another interface may have a `content`, too. */
function isAnswered(body: unknown): boolean {
  const isResponse = own(body, 'jsonrpc') !== undefined && own(body, 'result') !== undefined;
  const first = ownArray(body, 'content')?.[0];
  return isResponse || (ownString(first, 'type') !== undefined && own(body, 'error') === undefined);
}

function lookAtHttp(http: Unknown, unwraps: number, exceptions: LookAtThrown): Wire {
  const status = ownNumber(http, 'status') ?? ownNumber(http, 'statusCode') ?? 0;
  const raw = own(http, 'body') ?? own(http, 'text');
  const body = typeof raw === 'string' ? (parseJson(raw) ?? parseEventStream(raw)) : raw;
  const part: HttpPart = {
    status,
    headers: headersOf(own(http, 'headers')),
    said: body ?? raw,
    reason: reasonOf(status, ownString(http, 'statusText')),
    json: typeof raw === 'string' && body !== undefined ? raw : undefined,
  };
  const failed = status >= 400 || (status >= 300 && status !== 304 && status !== 0);
  if (body !== undefined && unwraps > 0 && (isRecord(body) || Array.isArray(body))) {
    const inside = lookAt(body, unwraps - 1, exceptions);
    // A result is a result, whatever status it came with; only what stands around it may add something.
    if (inside.failed ? inside.placement === 'tool' : isAnswered(body))
      return { ...inside, http: { ...part, status: undefined, carrier: status } };
    if (inside.failed && inside.error !== undefined) return { ...inside, http: part };
    if (inside.failed || failed) {
      const text = Array.isArray(body) ? wordsOf(body) || inside.text : inside.text;
      return { ...inside, placement: 'http', failed: true, text, http: part, body };
    }
    return { ...inside, http: part };
  }
  return makeWire('http', failed, typeof raw === 'string' ? raw : '', { http: part });
}
