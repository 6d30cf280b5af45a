/** JSON-RPC messages: bytes → value → one of the three kinds of message, or a documented error. */
import { cut, raise } from '../errors.ts';
import { invalidUtf8At } from './utf8.ts';

/** A request id. */
export type RequestId = string | number;

/** Any members: what they hold is checked where they are used. */
export interface Members {
  readonly [key: string]: unknown;
}

/** A request of the client's. */
export interface Request {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: Members;
}

/** A notification of the client's. */
export interface Notification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Members;
}

/** The client's answer to a request of the server's. */
export interface Response {
  readonly kind: 'response';
  readonly id: RequestId;
  readonly result: unknown;
  readonly error: unknown;
}

/** What a client may send. */
export type Incoming = Request | Notification | Response;

/** Bytes → JSON value. */
export function parse(bytes: Buffer): unknown {
  const bad = invalidUtf8At(bytes);
  if (bad !== undefined) throw raise('parse_error', `Invalid UTF-8 at byte ${bad}`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw raise('parse_error', whatWasWrong(cause), cause);
  }
}

/** V8 quotes the input, which may hold anything; only the position is worth telling. */
function whatWasWrong(cause: unknown): string {
  const said = String(cause);
  const position = /at position (\d+)/.exec(said)?.[1];
  if (position !== undefined) return `Unexpected token at position ${position}`;
  return said.includes('end of JSON') ? 'Unexpected end of input' : 'Unexpected token';
}

/** JSON value → message. */
export function classify(value: unknown): Incoming {
  if (!isMembers(value)) throw raise('invalid_request', 'Message is not an object');
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc === undefined) throw raise('invalid_request', 'Missing required field: jsonrpc');
  if (jsonrpc !== '2.0') throw raise('invalid_request', 'Invalid jsonrpc version (must be 2.0)');
  if (id !== undefined && !isRequestId(id)) throw raise('invalid_request', 'Invalid field type: id');
  if (method === undefined) {
    if (id !== undefined && ('result' in value || 'error' in value))
      return { kind: 'response', id, result: value['result'], error: value['error'] };
    throw raise('invalid_request', 'Missing required field: method');
  }
  if (typeof method !== 'string') throw raise('invalid_request', 'Invalid field type: method');
  if (params !== undefined && !isMembers(params))
    throw raise('invalid_request', 'Invalid field type: params');
  const rest = { method, params: params ?? {} };
  return id === undefined ? { kind: 'notification', ...rest } : { kind: 'request', id, ...rest };
}

/** The id that an answer to this value carries, however broken the value is. */
export function idOf(value: unknown): RequestId | null {
  return isMembers(value) && isRequestId(value['id']) ? value['id'] : null;
}

/** Is it an object, and no list? */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** A member of `params` that must be a string. */
export function requireString(params: Members, name: string): string {
  const value = params[name];
  if (value === undefined) throw raise('invalid_params', { details: `Missing required parameter: ${name}` });
  if (typeof value !== 'string')
    throw raise('invalid_params', { details: `Invalid parameter type: ${name} must be a string` });
  return value;
}

/** A member of `params` that must be an object, if it is there. */
export function optionalMembers(params: Members, name: string): Members {
  const value = params[name] ?? {};
  if (!isMembers(value))
    throw raise('invalid_params', { details: `Invalid parameter type: ${cut(name)} must be an object` });
  return value;
}
