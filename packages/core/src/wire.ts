/**
 * A wire: a failing message as it crosses a boundary. `look` takes any value apart once, so that every
 * reader after it asks the same small view instead of probing the foreign value again.
 */
import {
  isRecord,
  own,
  ownArray,
  ownBoolean,
  ownInteger,
  ownNumber,
  ownRecord,
  ownString,
  parseJson,
  type Unknown,
} from './json.ts';

/** Where a failure sat, or is to be put. */
export type Placement = 'protocol' | 'tool' | 'http' | 'envelope' | 'thrown' | 'text';

/** An error object with a numeric code, wherever it stood. */
export interface ErrorObject {
  readonly code: number | undefined;
  readonly message: string;
  readonly data: unknown;
}

/** The HTTP side of a message. Header names are lower case. */
export interface HttpPart {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** The one view of a wire that all readers share. */
export interface Wire {
  readonly placement: Placement;
  /** False when nothing about it says failure. */
  readonly failed: boolean;
  readonly error?: ErrorObject;
  readonly result?: Unknown;
  readonly envelope?: Unknown;
  readonly thrown?: Unknown;
  readonly http?: HttpPart;
  /** What a human would read, prefixes of the SDK removed. */
  readonly text: string;
  /** JSON that came instead of, or inside, the text. */
  readonly body?: unknown;
  /** The request id, if the message has one. */
  readonly id?: string | number | null;
}

const MAX_UNWRAP = 4;

/** Takes any value apart. Total: whatever comes in, a view comes out. */
export function look(value: unknown): Wire {
  return lookAt(value, MAX_UNWRAP);
}

function lookAt(value: unknown, unwraps: number): Wire {
  if (typeof value === 'string') return lookAtText(value, unwraps);
  if (Array.isArray(value)) return lookAtArray(value, unwraps);
  if (!isRecord(value)) return { placement: 'text', failed: false, text: '' };
  if (value instanceof Error) return lookAtThrown(value as unknown as Unknown, unwraps);
  const thrown = own(value, 'thrown');
  if (thrown !== undefined)
    return lookAtThrown(isRecord(thrown) ? thrown : { message: String(thrown) }, unwraps);
  const http = ownRecord(value, 'http');
  if (http !== undefined) return lookAtHttp(http, unwraps);
  if (ownString(value, 'error_class') !== undefined) {
    return {
      placement: 'envelope',
      failed: true,
      envelope: value,
      text: ownString(value, 'sanitized_error') ?? '',
    };
  }
  return lookAtMessage(value, unwraps);
}

function lookAtText(text: string, unwraps: number): Wire {
  const parsed = unwraps > 0 ? parseJson(text) : undefined;
  if (parsed !== undefined) {
    const inside = lookAt(parsed, unwraps - 1);
    if (inside.failed || isMessage(parsed)) return inside;
    return { placement: 'text', failed: true, text, body: parsed };
  }
  return { placement: 'text', failed: text.trim() !== '', text: stripPrefix(text).text };
}

/** A batch speaks through its first failing answer; a list of issues is a body. */
function lookAtArray(values: readonly unknown[], unwraps: number): Wire {
  const first = values[0];
  if (own(first, 'path') !== undefined && own(first, 'message') !== undefined) {
    return { placement: 'text', failed: true, text: '', body: values };
  }
  for (const value of unwraps > 0 ? values.slice(0, 100) : []) {
    const inside = lookAt(value, unwraps - 1);
    if (inside.failed) return inside;
  }
  return { placement: 'text', failed: false, text: '' };
}

function isMessage(value: unknown): boolean {
  return (
    own(value, 'jsonrpc') !== undefined ||
    own(value, 'result') !== undefined ||
    own(value, 'content') !== undefined
  );
}

function lookAtMessage(value: Unknown, unwraps: number): Wire {
  const id = idOf(value);
  const error = errorObject(own(value, 'error'));
  const isResponse = own(value, 'jsonrpc') !== undefined || own(value, 'result') !== undefined;
  if (error !== undefined && (isResponse || error.code !== undefined)) {
    return { placement: 'protocol', failed: true, error, text: error.message, ...id };
  }
  if (isResponse) {
    const result = own(value, 'result');
    if (isRecord(result)) return { ...lookAtResult(result, unwraps), ...id };
    const complete = result !== undefined || own(value, 'method') !== undefined;
    return {
      placement: 'protocol',
      failed: !complete,
      text: complete ? '' : 'The answer has neither a result nor an error',
      ...id,
    };
  }
  if (
    own(value, 'content') !== undefined ||
    own(value, 'isError') !== undefined ||
    own(value, 'structuredContent') !== undefined
  ) {
    return lookAtResult(value, unwraps);
  }
  return lookAtBody(value);
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
  return { placement: isProblem ? 'http' : 'text', failed, text, body };
}

const TOOL_FAILURE_KEY = 'io.modelcontextprotocol/toolFailure';

function lookAtResult(result: Unknown, unwraps: number): Wire {
  const inner = errorObject(own(result, 'error'));
  const text = textOf(result);
  if (inner?.code !== undefined) {
    return { placement: 'tool', failed: true, result, error: inner, text: inner.message || text };
  }
  const needsInput = ownString(result, 'resultType') === 'input_required';
  const failed =
    ownBoolean(result, 'isError') === true ||
    own(own(result, '_meta'), TOOL_FAILURE_KEY) !== undefined ||
    needsInput;
  if (!failed) return { placement: 'tool', failed: false, result, text };
  const structured = own(result, 'structuredContent');
  const body = structured ?? (unwraps > 0 ? parseJson(text) : undefined);
  const stripped = stripPrefix(text);
  const wire = { placement: 'tool', failed: true, result, text: stripped.text, body } as const;
  // SDK v1 puts protocol errors in tool results as "MCP error -32602: …": the code is evidence.
  return stripped.code === undefined
    ? wire
    : { ...wire, error: { code: stripped.code, message: stripped.text, data: structured } };
}

/** The text blocks of a tool result, joined. */
export function textOf(result: Unknown): string {
  const content = ownArray(result, 'content');
  if (content === undefined) return '';
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
  const code = ownInteger(value, 'code');
  const message = own(value, 'message');
  const stripped = stripPrefix(typeof message === 'string' ? message : '');
  return { code: code, message: stripped.text, data: own(value, 'data') };
}

function idOf(value: Unknown): { id?: string | number | null } {
  const id = own(value, 'id');
  return typeof id === 'string' || typeof id === 'number' || id === null ? { id } : {};
}

function lookAtHttp(http: Unknown, unwraps: number): Wire {
  const status = ownNumber(http, 'status') ?? ownNumber(http, 'statusCode') ?? 0;
  const part: HttpPart = { status, headers: headersOf(own(http, 'headers')) };
  const raw = own(http, 'body') ?? own(http, 'text');
  const body = typeof raw === 'string' ? (parseJson(raw) ?? parseEventStream(raw)) : raw;
  const failed = status >= 400 || (status >= 300 && status !== 304 && status !== 0);
  if (body !== undefined && unwraps > 0 && (isRecord(body) || Array.isArray(body))) {
    const inside = lookAt(body, unwraps - 1);
    if (inside.failed && (inside.error !== undefined || inside.placement === 'tool'))
      return { ...inside, http: part };
    if (inside.failed || failed) return { ...inside, placement: 'http', failed: true, http: part, body };
    return { ...inside, http: part };
  }
  return { placement: 'http', failed, http: part, text: typeof raw === 'string' ? raw : '' };
}

/** The last JSON message of a server-sent event stream. */
function parseEventStream(text: string): unknown {
  if (!/^(?:data|event|id|retry|:)/.test(text)) return undefined;
  const at = text.lastIndexOf('data:');
  if (at < 0) return undefined;
  const end = text.indexOf('\n', at);
  return parseJson(text.slice(at + 5, end < 0 ? undefined : end));
}

function headersOf(value: unknown): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const set = (name: unknown, content: unknown): void => {
    if (typeof name === 'string' && (typeof content === 'string' || typeof content === 'number')) {
      headers.set(name.toLowerCase(), String(content));
    }
  };
  try {
    if (typeof (value as Headers | undefined)?.forEach === 'function' && !Array.isArray(value)) {
      (value as Headers).forEach((content, name) => {
        set(name, content);
      });
    } else if (Array.isArray(value)) {
      for (const pair of value.slice(0, 200)) if (Array.isArray(pair)) set(pair[0], pair[1]);
    } else if (isRecord(value)) {
      for (const name of Object.keys(value).slice(0, 200)) set(name, own(value, name));
    }
  } catch {
    // Headers that cannot be listed are no headers; the status and the body still speak.
  }
  return headers;
}

/** Minimal shape of a web `Headers`; core does not depend on any runtime's types. */
interface Headers {
  forEach(each: (content: string, name: string) => void): void;
}

const MAX_CAUSES = 5;

function lookAtThrown(thrown: Unknown, unwraps: number): Wire {
  const message = messageOf(thrown);
  const stripped = stripPrefix(message);
  const code = ownInteger(thrown, 'code') ?? stripped.code;
  const body = thrownBody(thrown, unwraps);
  const base = { placement: 'thrown', failed: true, thrown, text: stripped.text } as const;
  if (body !== undefined) {
    const inside = lookAt(body, unwraps - 1);
    if (inside.failed && inside.error !== undefined)
      return { ...inside, thrown, placement: 'thrown', ...httpOfThrown(thrown) };
    return { ...base, body, ...httpOfThrown(thrown) };
  }
  const http = httpOfThrown(thrown);
  const isWireError =
    code !== undefined &&
    http.http === undefined &&
    (isReserved(code) || stripped.code !== undefined || isProtocolError(thrown));
  if (isWireError) return { ...base, error: { code, message: stripped.text, data: own(thrown, 'data') } };
  return { ...base, ...http };
}

/** Own first, then inherited: `message` and `name` of an exception often sit on a prototype. */
export function messageOf(thrown: Unknown): string {
  try {
    const message = thrown['message'];
    return typeof message === 'string' ? message : '';
  } catch {
    return ''; // a message that cannot be read is no message
  }
}

/** The name of the exception's class. */
export function nameOf(thrown: Unknown): string {
  try {
    const name = thrown['name'];
    return typeof name === 'string' ? name : '';
  } catch {
    return ''; // a name that cannot be read is no name
  }
}

function isReserved(code: number): boolean {
  return code >= -32768 && code <= -32000;
}

function isProtocolError(thrown: Unknown): boolean {
  const name = nameOf(thrown);
  return name === 'ProtocolError' || name === 'McpError';
}

/** A body that an HTTP client kept: fetch wrappers, axios, got, the MCP SDKs. */
function thrownBody(thrown: Unknown, unwraps: number): unknown {
  if (unwraps <= 0) return undefined;
  const response = ownRecord(thrown, 'response');
  const candidates = [
    own(own(thrown, 'data'), 'text'),
    own(response, 'data'),
    own(response, 'body'),
    own(thrown, 'body'),
  ];
  for (const candidate of candidates) {
    const parsed = typeof candidate === 'string' ? parseJson(candidate) : candidate;
    if (isRecord(parsed) || Array.isArray(parsed)) return parsed;
  }
  // SDK v1: "Error POSTing to endpoint (HTTP 404): {…}"
  const message = messageOf(thrown);
  const at = message.startsWith('Error POSTing to endpoint') ? message.indexOf('{') : -1;
  return at < 0 ? undefined : parseJson(message.slice(at));
}

function httpOfThrown(thrown: Unknown): { http?: HttpPart } {
  const response = ownRecord(thrown, 'response');
  const status =
    statusOf(thrown) ??
    statusOf(response) ??
    ownInteger(own(thrown, '$metadata'), 'httpStatusCode') ??
    statusOf(own(thrown, 'data')) ??
    sdkStatus(thrown);
  if (status === undefined) return {};
  return { http: { status, headers: headersOf(own(response, 'headers') ?? own(thrown, 'headers')) } };
}

function statusOf(value: unknown): number | undefined {
  const status = ownInteger(value, 'status') ?? ownInteger(value, 'statusCode');
  return status !== undefined && status >= 300 && status < 600 ? status : undefined;
}

/** SDK v1's StreamableHTTPError and SseError keep the status in `code`, or only in the message. */
function sdkStatus(thrown: Unknown): number | undefined {
  const code = ownInteger(thrown, 'code');
  const name = nameOf(thrown);
  if (
    code !== undefined &&
    code >= 300 &&
    code < 600 &&
    (name === 'StreamableHTTPError' || name === 'SseError' || name === 'Error')
  ) {
    const message = messageOf(thrown);
    if (name !== 'Error' || message.startsWith('Streamable HTTP error') || message.startsWith('SSE error'))
      return code;
  }
  const said = /^(?:Streamable HTTP error: )?Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(
    messageOf(thrown),
  );
  return said === null ? undefined : Number(said[1]);
}

/** The chain of causes, nearest first, bounded and without repetition. */
export function causesOf(thrown: Unknown): readonly Unknown[] {
  const chain: Unknown[] = [];
  let current: unknown = thrown;
  while (isRecord(current) && chain.length < MAX_CAUSES && !chain.includes(current)) {
    chain.push(current);
    current = own(current, 'cause') ?? ownArray(current, 'errors')?.[0];
  }
  return chain;
}

const PREFIX = /^\s*(?:Error: )?(?:McpError: |ProtocolError: )?MCP error (-?\d{1,9}): ?/;

/** Removes every "MCP error N:" that SDKs put in front, and keeps the innermost number. */
function stripPrefix(text: string): { text: string; code?: number } {
  let rest = text;
  let code: number | undefined;
  for (let match = PREFIX.exec(rest); match !== null; match = PREFIX.exec(rest)) {
    code = Number(match[1]);
    rest = rest.slice(match[0].length);
  }
  return code === undefined ? { text: rest } : { text: rest, code };
}
