/**
 * Takes any value apart once, so that every reader after it asks the same small view instead of probing the foreign value
 * again. What is no message of JSON-RPC is looked at by parts, which a bundle may do without.
 */
import {
  ifOwn,
  isRecord,
  member,
  own,
  ownArray,
  ownBoolean,
  ownInteger,
  ownRecord,
  ownString,
  parseJson,
  type Unknown,
} from '../json.ts';
import { messageOf } from './names.ts';
import { mayBePrefixed, stripPrefix } from './prefix.ts';
import { type ErrorObject, type LookAtThrown, makeWire, type Wire } from './wire.ts';

const MAX_UNWRAP = 4;

/** Looks at what stands in a value, at most so many wraps deep. */
export type LookInside = (value: unknown, unwraps: number) => Wire;

/** How to look at what is no message of JSON-RPC. */
export interface LookParts {
  readonly thrown: LookAtThrown;
  /** Looks at an answer over HTTP; without it, there is none. */
  readonly http?: ((http: Unknown, unwraps: number, inside: LookInside) => Wire) | undefined;
  /** The JSON in a stream of events. */
  readonly events?: ((text: string) => unknown) | undefined;
}

/** Takes any value apart. Total: whatever comes in, a view comes out. */
export function lookBy(parts: LookParts, value: unknown): Wire {
  return lookAt(value, MAX_UNWRAP, parts);
}

/** Without a reader of exceptions, their message is all there is. */
export function lookAtPlainThrown(thrown: Unknown): Wire {
  return makeWire('thrown', true, messageOf(thrown), { thrown });
}

function lookAt(value: unknown, unwraps: number, parts: LookParts): Wire {
  if (typeof value === 'string') return lookAtText(value, unwraps, parts);
  if (Array.isArray(value)) return lookAtArray(value, unwraps, parts);
  if (!isRecord(value)) return makeWire('text', false, '');
  // By far the most common wire comes first.
  const message = messageIn(value);
  if (message.jsonrpc !== undefined) return lookAtMessage(value, message, unwraps, parts);
  const thrown = value instanceof Error ? value : own(value, 'thrown');
  if (thrown !== undefined) {
    const inside = (wrapped: unknown): Wire => lookAt(wrapped, unwraps - 1, parts);
    return parts.thrown(
      isRecord(thrown) ? thrown : { message: String(thrown) },
      unwraps > 0 ? inside : lookNoFurther,
    );
  }
  const http = own(value, 'http');
  // One that nobody can read is not known to be good; beside others it is a member of some body.
  if (isRecord(http) || (http !== undefined && Object.keys(value).length === 1)) {
    const answer = http as Unknown;
    const inside: LookInside = (inner, left) => lookAt(inner, left, parts);
    // Without a part for HTTP, its status is all there is.
    return parts.http?.(answer, unwraps, inside) ?? makeWire('http', !(statusIn(answer) < 300), '');
  }
  return lookAtMessage(value, message, unwraps, parts);
}

/** The status of an answer over HTTP, as a number or as the text that begins with it; NaN where there is none. */
export function statusIn(http: Unknown): number {
  const said = own(http, 'status') ?? own(http, 'statusCode');
  return Number.parseInt(typeof said === 'object' ? '' : String(said), 10);
}

/** However deep somebody wrapped it, looking ends. */
function lookNoFurther(): Wire {
  return makeWire('text', false, '');
}

function lookAtText(text: string, unwraps: number, parts: LookParts): Wire {
  const parsed = unwraps > 0 ? (parseJson(text) ?? parts.events?.(text)) : undefined;
  if (parsed !== undefined) {
    const inside = lookAt(parsed, unwraps - 1, parts);
    if (inside.failed || isMessage(parsed)) return inside;
    return makeWire('text', true, text, { body: parsed });
  }
  return makeWire('text', text.trim() !== '', stripPrefix(text).text);
}

/** A batch speaks through its first failing answer; a list of issues is a body. */
function lookAtArray(values: readonly unknown[], unwraps: number, parts: LookParts): Wire {
  const first = values[0];
  if (own(first, 'path') !== undefined && own(first, 'message') !== undefined) {
    return makeWire('text', true, '', { body: values });
  }
  for (const value of unwraps > 0 ? values.slice(0, 100) : []) {
    const inside = lookAt(value, unwraps - 1, parts);
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

/** The members of JSON-RPC, and what somebody has in their places. */
interface Message {
  readonly jsonrpc: unknown;
  readonly result: unknown;
  readonly error: unknown;
  readonly id: Wire['id'];
}

function messageIn(value: Unknown): Message {
  try {
    const { jsonrpc, result, error, id } = value;
    return {
      jsonrpc: ifOwn(value, 'jsonrpc', jsonrpc),
      result: ifOwn(value, 'result', result),
      error: ifOwn(value, 'error', error),
      id: idFrom(ifOwn(value, 'id', id)),
    };
  } catch {
    const [jsonrpc, result, error] = [own(value, 'jsonrpc'), own(value, 'result'), own(value, 'error')];
    return { jsonrpc, result, error, id: idFrom(own(value, 'id')) };
  }
}

function lookAtMessage(
  value: Unknown,
  { jsonrpc, result, error: said, id }: Message,
  unwraps: number,
  parts: LookParts,
): Wire {
  const isResponse = result !== undefined || jsonrpc !== undefined;
  // What SDKs hand over is the result itself: its `error`, if it has one, is the tool's and not the protocol's.
  if (!isResponse && isToolResult(value)) return lookAtResult(value, unwraps, id);
  const error =
    said === undefined ? undefined : (errorObject(said) ?? (isResponse ? bareError(said) : undefined));
  if (error !== undefined && (isResponse || error.code !== undefined)) {
    const body = isResponse || !namesMore(said) ? undefined : value;
    const isMore = hasMore(value, 'error') || isSaidBeside(said);
    return makeWire('protocol', true, error.message, { error, body, id, hasMore: isMore });
  }
  if (!isResponse) return lookAtResponse(value, parts) ?? lookAtBody(value);
  if (isRecord(result)) {
    const wire = lookAtResult(result, unwraps, id);
    return wire.failed && hasMore(value, 'result') ? { ...wire, hasMore: true } : wire;
  }
  const complete = result !== undefined || own(value, 'method') !== undefined;
  const text = complete ? '' : 'The answer has neither a result nor an error';
  return makeWire('protocol', !complete, text, { id });
}

function hasMore(message: Unknown, but: 'error' | 'result'): boolean {
  for (const name of Object.keys(message)) {
    if (name === but || name === 'jsonrpc' || name === 'id') continue;
    const said = own(message, name);
    // Some say of each outcome that there is none.
    if (said !== undefined && !(said === null && (name === 'error' || name === 'result'))) return true;
  }
  return false;
}

/** Has the error members that JSON-RPC's do not have? */
export function isSaidBeside(error: unknown): boolean {
  if (!isRecord(error)) return false;
  for (const name of Object.keys(error))
    if (name !== 'code' && name !== 'message' && name !== 'data') return true;
  return false;
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

function idFrom(id: unknown): Wire['id'] {
  return typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined;
}

/** A live `Response`: all of it is on its prototype, and its body nobody has read yet. */
function lookAtResponse(value: Unknown, { http }: LookParts): Wire | undefined {
  if (Object.getPrototypeOf(value) === Object.prototype || own(value, 'status') !== undefined)
    return undefined;
  const status = member(value, 'status');
  if (!Number.isInteger(status) || typeof member(member(value, 'headers'), 'get') !== 'function')
    return undefined;
  return http?.({ status, headers: member(value, 'headers') }, 0, lookNoFurther);
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
function isTask(result: Unknown, { content, isError, taskId }: Result): boolean {
  if (typeof taskId !== 'string' || content !== undefined || isError !== undefined) return false;
  return TASK_STATUS.has(own(result, 'status'));
}

const TASK_STATUS: ReadonlySet<unknown> = new Set([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

/** The members by which a result is told to be a failure, or what it says. */
interface Result {
  readonly content: unknown;
  readonly isError: unknown;
  readonly structuredContent: unknown;
  readonly error: unknown;
  readonly resultType: unknown;
  readonly taskId: unknown;
}

function resultIn(value: Unknown): Result {
  try {
    const { content, isError, structuredContent, error, resultType, taskId } = value;
    return {
      content: ifOwn(value, 'content', content),
      isError: ifOwn(value, 'isError', isError),
      structuredContent: ifOwn(value, 'structuredContent', structuredContent),
      error: ifOwn(value, 'error', error),
      resultType: ifOwn(value, 'resultType', resultType),
      taskId: ifOwn(value, 'taskId', taskId),
    };
  } catch {
    return {
      content: own(value, 'content'),
      isError: own(value, 'isError'),
      structuredContent: own(value, 'structuredContent'),
      error: own(value, 'error'),
      resultType: own(value, 'resultType'),
      taskId: own(value, 'taskId'),
    };
  }
}

function lookAtResult(result: Unknown, unwraps: number, id?: Wire['id']): Wire {
  const members = resultIn(result);
  const inner = errorObject(members.error);
  const text = textIn(members.content);
  if (isTask(result, members)) return makeWire('tool', false, text, { result, id });
  if (inner?.code !== undefined) {
    return makeWire('tool', true, inner.message || text, { result, error: inner, id });
  }
  const failed =
    members.isError === true || members.isError === 'true' || members.resultType === 'input_required';
  if (!failed) return makeWire('tool', false, text, { result, id });
  const { structuredContent: structured } = members;
  const body = structured ?? (unwraps > 0 ? parseJson(text) : undefined);
  const stripped = stripPrefix(text || saidBeside(members.error, inner));
  // SDK v1 puts protocol errors in tool results as "MCP error -32602: …": the code is evidence.
  const error =
    stripped.code === undefined
      ? undefined
      : { code: stripped.code, message: stripped.text, data: structured };
  return makeWire('tool', true, stripped.text, { result, error, body, id });
}

/** Without content, what a result says beside it is better than nothing. */
function saidBeside(said: unknown, error: ErrorObject | undefined): string {
  return error?.message || (typeof said === 'string' ? said : '');
}

/** The text blocks of a tool result, joined. */
export function textOf(result: Unknown): string {
  return textIn(own(result, 'content'));
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : (textOfBlock(content) ?? '');
  if (content.length === 1) return textOfBlock(content[0]) ?? '';
  const texts: string[] = [];
  for (const block of content.slice(0, 100)) {
    const text = textOfBlock(block);
    if (text !== undefined) texts.push(text);
  }
  return texts.join('\n');
}

/** What a block of content says. */
export function textOfBlock(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null) return undefined;
  try {
    const { text } = block as { readonly text?: unknown };
    const said = ifOwn(block, 'text', text);
    return typeof said === 'string' ? said : undefined;
  } catch {
    return undefined; // a getter or a proxy trap threw: as good as absent
  }
}

function errorObject(value: unknown): ErrorObject | undefined {
  if (!isRecord(value)) return undefined;
  try {
    const { code, message, data } = value;
    return errorFrom(
      ifOwn(value, 'code', code),
      ifOwn(value, 'message', message),
      ifOwn(value, 'data', data),
    );
  } catch {
    return errorFrom(own(value, 'code'), own(value, 'message'), own(value, 'data'));
  }
}

function errorFrom(code: unknown, given: unknown, data: unknown): ErrorObject {
  const said = typeof given === 'string' ? given : isRecord(given) ? (ownString(given, 'text') ?? '') : '';
  const message = mayBePrefixed(said) ? stripPrefix(said).text : said;
  return { code: Number.isSafeInteger(code) ? (code as number) : undefined, message, data };
}

/** An error that is no object, as some write it in the middle of JSON-RPC. */
function bareError(value: unknown): ErrorObject | undefined {
  const message = typeof value === 'string' ? value : Array.isArray(value) ? wordsOf(value) : '';
  return message === '' ? undefined : { code: undefined, message, data: undefined };
}

const MOST_WORDS = 3;

/** What the first items of a list say, as Salesforce answers. */
export function wordsOf(list: readonly unknown[]): string {
  return list
    .slice(0, MOST_WORDS)
    .map((item) => (typeof item === 'string' ? item : (ownString(item, 'message') ?? '')))
    .filter((words) => words !== '')
    .join('; ');
}
