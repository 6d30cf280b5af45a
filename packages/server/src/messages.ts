/** JSON-RPC messages: bytes → value → message, and what is wrong with what is none. */
import { FaultError, fault, makeFault } from '@mayday/core';
import { badMeta } from '@mayday/core/protocol';
import type { Message, RequestId } from './shapes.ts';
import { invalidUtf8At } from './utf8.ts';

/** What was sent in place of a message: on a line, in a body, in a batch. */
export interface BadLine {
  readonly thrown: FaultError;
  /** The code, where the specification fixes it. */
  readonly code?: number | undefined;
  readonly id?: RequestId | undefined;
}

/** A value, or why the bytes hold none. Bytes that are no text are refused: somebody else may read them otherwise. */
export function parseBytes(bytes: Buffer): { readonly value: unknown } | BadLine {
  const byte = invalidUtf8At(bytes);
  if (byte === undefined) return parseText(bytes.toString('utf8').trim());
  return { thrown: fault.parseError(`Invalid UTF-8 at byte ${byte}`), code: -32700 };
}

function parseText(text: string): { readonly value: unknown } | BadLine {
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    const details = positionIn(cause);
    return { thrown: fault.parseError('The line is not valid JSON', { cause, details }), code: -32700 };
  }
}

/** A message, or why it is none: a line on a stream, or the body of a request. */
export function parseLine(line: string): Message | BadLine {
  const parsed = parseText(line);
  return 'thrown' in parsed ? parsed : readMessage(parsed.value);
}

/** A message, or why a value is none. */
export function readMessage(value: unknown): Message | BadLine {
  if (isMessage(value)) return badRequest(value) ?? value;
  const { params, ...rest } = (value ?? {}) as { [key: string]: unknown };
  const id = knownAgain(rest['id']);
  if (params !== undefined && isMessage(rest))
    return { thrown: fault.invalidArguments('The field params must be an object'), code: -32602, id };
  return { thrown: fault.invalidRequest(whyNot(value)), code: -32600, id };
}

/** A request that nobody would take; a notification is nobody's to be answered. */
function badRequest({ id, method, params }: Message): BadLine | undefined {
  const wrong = id === undefined || method === undefined ? undefined : badMeta(params?.['_meta']);
  return wrong === undefined ? undefined : { thrown: new FaultError(makeFault(wrong)), code: -32602, id };
}

/** Where the parser stopped, if it says so. */
function positionIn(cause: unknown): { readonly position: number } | undefined {
  const at = /at position (\d{1,9})/.exec(String(cause))?.[1];
  return at === undefined ? undefined : { position: Number(at) };
}

/** The first thing that is wrong with something that is JSON, and no message. */
function whyNot(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'It is not a JSON-RPC 2.0 message';
  const { jsonrpc, method, result, error, id } = value as { [key: string]: unknown };
  if (jsonrpc === undefined) return 'Missing required field: jsonrpc';
  if (jsonrpc !== '2.0') return 'The field jsonrpc must be "2.0"';
  if (method === undefined && result === undefined && error === undefined)
    return 'Missing required field: method';
  if (method !== undefined && typeof method !== 'string') return 'The field method must be a string';
  if (id !== undefined && !isId(id)) return 'The field id must be a string or a whole number';
  return 'The fields of the message do not go together';
}

/** An id that can be given back as it came: beyond 2⁵³, a number that was sent is not the number that was read. */
export function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** What an answer can carry so that its reader knows the request again: an id, or a fraction that was taken for one. */
export function knownAgain(id: unknown): RequestId | undefined {
  const isNear = typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER;
  return typeof id === 'string' || isNear ? id : undefined;
}

/** Is it wrong? */
export function isBadLine(parsed: object): parsed is BadLine {
  return 'thrown' in parsed;
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { jsonrpc, id, method, params, result, error } = value as { [key: string]: unknown };
  if (jsonrpc !== '2.0') return false;
  const named = isId(id);
  if (method === undefined)
    return named ? (result !== undefined) !== (error !== undefined) : error !== undefined;
  if (typeof method !== 'string' || (id !== undefined && !named)) return false;
  if (result !== undefined || error !== undefined) return false;
  return params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params));
}

/** A message without members that JSON-RPC does not know: the SDKs drop what has one, and nobody would be answered. */
export function withoutExtras(message: Message): Message {
  if (Object.keys(message).every((key) => MEMBERS.includes(key))) return message;
  const known = Object.entries(message).filter(([key]) => MEMBERS.includes(key));
  return Object.fromEntries(known) as unknown as Message;
}

const MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/** Why a message beyond the limit is not read, and whom to tell. */
export function tooLarge(size: number, maxBytes: number, id: RequestId | undefined): BadLine {
  const details = { max_bytes: maxBytes, actual_bytes: size };
  return {
    thrown: fault.tooLarge('The message is too large', { subject: { type: 'message' }, details }),
    id,
  };
}
