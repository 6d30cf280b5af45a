/** What stands behind a failing HTTP status: is it about the request that was asked? */

import { isRecord, parseJson } from './json.ts';
import { eventMessages } from './wire/http.ts';

/** What the SDKs for Python and C# have in place of no id. */
const OF_NO_REQUEST: readonly unknown[] = ['server-error', ''];

/** Is it the id of an error about a request that its server has not taken? */
export function isOfNoRequest(id: unknown): boolean {
  return id === undefined || id === null || OF_NO_REQUEST.includes(id);
}

/** Nobody says in a megabyte what went wrong. */
const LOOKED_AT = 1_000_000;

/**
 * Is a body an answer to some other request, or more than one answer? Then it proves nothing about this one, and its words may be for
 * somebody else. A page, a plain problem and an error without an id are about the request that they came for.
 */
export function isAboutAnother(body: string, id: string | number | undefined): boolean {
  if (!body.includes('"jsonrpc"')) return false;
  if (body.length > LOOKED_AT) return true;
  const messages = messagesIn(body);
  const [first] = messages;
  if (messages.length !== 1 || first === undefined || 'method' in first) return true;
  const said = first['id'];
  if (isOfNoRequest(said)) return !('error' in first);
  const isId = typeof said === 'string' || typeof said === 'number';
  return !isId || String(said) !== String(id);
}

type Message = { readonly [key: string]: unknown };

/** The JSON-RPC messages in a body: alone, in a batch, or in the events of a stream. */
function messagesIn(body: string): readonly Message[] {
  const whole = parseJson(body);
  const values = whole === undefined ? eventMessages(body) : [whole].flat();
  return values.filter((value): value is Message => isRecord(value) && 'jsonrpc' in value);
}
