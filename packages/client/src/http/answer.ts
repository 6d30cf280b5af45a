/** What a server may answer with, brought into the one form that the SDK accepts. */
import { type Fault, makeFault, read } from '@mayday/core';
import { namesTwice } from '@mayday/core/prose';
import { ERROR_KEY } from '@mayday/core/protocol';
import { nameFor, type Refusal, takeRefusal } from './refusals.ts';
import { errorReply, isObject, type RequestId, withRefusal } from './reply.ts';

/** A message that answers the request, or the fault that stands in for it. */
export function mendMessage(text: string, id: RequestId): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return errorReply(id, unusable('The answer is not JSON'));
  }
  const messages = Array.isArray(parsed) ? parsed : [parsed];
  const said =
    messages.find((message) => isAnswer(message, id)) ??
    messages.find((message) => isObject(message) && message['error'] != null && message['id'] == null);
  if (said !== undefined) {
    const mended = mendAnswer(said, id);
    const refusal = doubted(mended, id);
    // Nobody puts a refusal into a list who was asked one thing.
    const isAll = refusal === undefined || (parsed === said && !namesTwice(text, parsed) && isRefusal(said));
    return isAll ? mended : refusal;
  }
  return errorReply(id, unusable('The answer belongs to no request, or to another one'));
}

/** Does the message refuse as it came? The SDK's schema leaves no room for what else it says, nor for another version. */
function isRefusal(message: unknown): boolean {
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return false;
  const reading = read(message);
  return reading.failure && reading.fault.executed === 'no';
}

/** Does the message say that it is of another version of JSON-RPC? What that refuses, nobody has defined. */
export function isOfAnotherVersion(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text);
    return isObject(message) && message['jsonrpc'] !== undefined && message['jsonrpc'] !== '2.0';
  } catch {
    return false; // a page, or nothing at all
  }
}

/** Does the message answer this request? */
export function isAnswer(message: unknown, id: RequestId): boolean {
  return isObject(message) && message['id'] === id && ('result' in message || 'error' in message);
}

/** Is it an error about a notification of ours, which nobody should answer? It names it. */
export function isAboutNotification(message: unknown): boolean {
  const error = isObject(message) ? message['error'] : undefined;
  const said = isObject(error) ? error['message'] : error;
  return typeof said === 'string' && /\bnotifications\/\w/.test(said);
}

/** An answer in the form that the SDK's strict schema takes: no null id, nothing beside result or error, no missing words. */
function mendAnswer(message: unknown, id: RequestId): unknown {
  if (!isObject(message)) return message;
  const { error, result } = message;
  // Some say that there is no error.
  if (error === undefined || (error === null && result !== undefined)) {
    if (!isObject(result)) return errorReply(id, unusable('The answer has no result'));
    return { jsonrpc: '2.0', id, result };
  }
  const { code, message: said, data } = isObject(error) ? error : { message: error };
  const text = typeof said === 'string' ? said : 'The server failed without saying why';
  // -32603 where the code is no integer: the specification leaves no other number for "it failed".
  const number = Number.isInteger(code) ? code : -32603;
  const failed = { code: number as number, message: text, ...(data === undefined ? {} : { data }) };
  return isObject(result) ? besideResult(failed, result, id) : { jsonrpc: '2.0', id, error: failed };
}

/** An answer that is both: it came of work, so the error refuses nothing, and what the work came to is told. */
function besideResult(
  error: JsonRpcError,
  result: { readonly [key: string]: unknown },
  id: RequestId,
): unknown {
  const said = wordsIn(result);
  const message = said === '' ? error.message : `${error.message}. The server also said: ${said}`;
  const data = { ...(isObject(error.data) ? error.data : {}), result };
  return inDoubt({ jsonrpc: '2.0', id, error: { ...error, message, data } }, id);
}

interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The answer of a server that has told of its work, or that says more than its answer: whatever it refuses, it may have
 * begun. A success, and what leaves doubt anyway, stays as it is.
 */
export function inDoubt(answer: unknown, id: RequestId): unknown {
  return doubted(answer, id) ?? answer;
}

/** A refusal with doubt in it; `undefined` for an answer that is none. */
export function doubted(answer: unknown, id: RequestId): unknown {
  if (!isObject(answer)) return undefined;
  if (isObject(answer['error'])) return errorInDoubt(answer['error'] as unknown as JsonRpcError, id);
  const { result } = answer;
  const reading = isObject(result) && result['isError'] === true ? read({ result }) : undefined;
  if (!isObject(result) || reading?.failure !== true || reading.fault.executed !== 'no') return undefined;
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  const told = isObject(meta[ERROR_KEY]) ? meta[ERROR_KEY] : {};
  const _meta = { ...meta, [ERROR_KEY]: { ...told, happened: 'maybe' } };
  return { ...answer, result: { ...result, _meta } };
}

/** The refusal with its name in it, as long as it refuses as much with that; those of the protocol's own nobody makes again. */
export function named(answer: unknown, id: RequestId, refused: () => Refusal): unknown {
  const name = nameFor(refused());
  const said = withRefusal(answer, name);
  if (doubted(said, id) !== undefined) return said;
  takeRefusal(name);
  return answer;
}

function errorInDoubt({ code, message, data }: JsonRpcError, id: RequestId): unknown {
  const wire = { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
  const plain = read(wire);
  if (!plain.failure || plain.fault.executed !== 'no') return undefined;
  const reading = read(wire, { began: true });
  const fault: Fault = { ...(reading.failure ? reading.fault : plain.fault), executed: 'maybe' };
  return errorReply(id, fault, { error: { code, data }, isProven: true });
}

/** What a result says to a model, as far as a sentence goes. */
export function wordsIn(result: { readonly [key: string]: unknown }): string {
  const content = Array.isArray(result['content']) ? result['content'] : [];
  return content
    .map((block: unknown) => (isObject(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .filter((text) => text !== '')
    .join(' ')
    .slice(0, 1000);
}

/** It ran, perhaps; what came back cannot be used. */
export function unusable(message: string): Fault {
  return makeFault({ kind: 'invalid_output', origin: 'server', executed: 'maybe', message });
}

/** The stream or the connection ended before the answer. */
export function streamLost(): Fault {
  return makeFault({
    kind: 'disconnected',
    origin: 'transport',
    message: 'The response stream ended before the answer came',
  });
}

/** Is it an error under no id, and about no notification? */
export function isNamelessError(message: unknown): boolean {
  if (!isObject(message) || message['error'] == null || message['method'] !== undefined) return false;
  return message['id'] == null && !isAboutNotification(message);
}
