/**
 * The 2026-07-28 envelope over HTTP: what the headers say must be what the body says, because intermediaries
 * route by the headers. Whoever is the HTTP server checks it; here that is the relay in front of a process.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import type { FaultInit } from '@mayday/core';
import { CLIENT_CAPABILITIES_KEY, PROTOCOL_VERSION_KEY } from '@mayday/core/protocol';
import { isMembers, type Members } from '../framing/json.ts';
import { locate, textAt } from '../framing/members.ts';
import type { Peek } from '../framing/peek.ts';
import { decodeHeader, encodeHeader, type HttpHeaders, namedBy } from './headers.ts';
import { versionIn } from './revisions.ts';

/** A message, and what was seen of it. */
interface Message {
  readonly body: Buffer;
  readonly peek: Peek;
}

/** What is wrong with the envelope, or between it and the headers; `undefined` when nothing is. */
export function checkEnvelope(headers: HttpHeaders, { body, peek }: Message): FaultInit | undefined {
  if (peek.kind === 'invalid' || peek.kind === 'response') return undefined;
  const lacking = REQUIRED.find((key) => locate(body, peek.paramsStart, '_meta', key) === undefined);
  if (lacking !== undefined && peek.kind === 'request') return lacks(lacking);
  // The official client sends its notifications without these headers, and the official server takes them.
  const isRequired = peek.kind === 'request';
  const check = (name: string, inBody: string | undefined): FaultInit | undefined => {
    const header = headers[name.toLowerCase()];
    return header === undefined && !isRequired ? undefined : mismatch(name, header, inBody);
  };
  return (
    check('MCP-Protocol-Version', versionIn(body, peek)) ??
    check('Mcp-Method', peek.method) ??
    check('Mcp-Name', nameIn(body, peek))
  );
}

/** What 2026-07-28 has in every request, of another type: it says nothing then, and no revision has such a request. */
export function mistypedEnvelope(meta: Members): FaultInit | undefined {
  const { [PROTOCOL_VERSION_KEY]: version, [CLIENT_CAPABILITIES_KEY]: capabilities } = meta;
  if (version !== undefined && typeof version !== 'string')
    return mistyped(PROTOCOL_VERSION_KEY, 'must be a string');
  return capabilities === undefined || isMembers(capabilities)
    ? undefined
    : mistyped(CLIENT_CAPABILITIES_KEY, 'must be an object');
}

function mistyped(key: string, message: string): FaultInit {
  const path = ['params', '_meta', key];
  return {
    kind: 'invalid_arguments',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'message' },
    message: `${path.join('.')}: ${message}`,
    issues: [{ path, message, code: 'invalid_type' }],
  };
}

/** What headers repeat of a message, and say otherwise: whoever routes by them would see another one, in any revision. */
export function contradicted(headers: HttpHeaders, { body, peek }: Message): FaultInit | undefined {
  if (peek.kind === 'response') return undefined;
  const check = (name: string, inBody: string | undefined): FaultInit | undefined => {
    const header = headers[name.toLowerCase()];
    return header === undefined ? undefined : mismatch(name, header, inBody);
  };
  return check('Mcp-Method', peek.method) ?? check('Mcp-Name', nameIn(body, peek));
}

/** What the headers of a message must say. */
export function envelopeHeaders({ body, peek }: Message): { [name: string]: string } {
  const headers: { [name: string]: string } = {
    'mcp-protocol-version': encodeHeader(versionIn(body, peek) ?? '2026-07-28'),
    'mcp-method': encodeHeader(peek.method),
  };
  const name = nameIn(body, peek);
  if (name !== undefined) headers['mcp-name'] = encodeHeader(name);
  return headers;
}

/** What a message is about, where its method says that it is about something. */
export function nameIn(body: Buffer, seen: Peek): string | undefined {
  const param = namedBy(seen.method);
  return param === undefined ? undefined : textAt(body, seen.deciding[param]);
}

/** What the body of every request must say. */
const REQUIRED: readonly string[] = [PROTOCOL_VERSION_KEY, CLIENT_CAPABILITIES_KEY];

function lacks(key: string): FaultInit {
  return {
    kind: 'invalid_arguments',
    origin: 'caller',
    // Only a request can get this wrong, so it is a protocol error whatever the method.
    subject: { type: 'protocol_version' },
    message: `The request lacks _meta["${key}"]`,
    issues: [{ path: ['_meta', key], message: 'Required', code: 'required' }],
  };
}

function mismatch(
  name: string,
  header: string | string[] | undefined,
  body: string | undefined,
): FaultInit | undefined {
  if (body === undefined) return undefined; // what `params` lack, the server itself reports
  const said = typeof header === 'string' ? decodeHeader(header) : undefined;
  if (said === body) return undefined;
  const what =
    header === undefined ? `The header ${name} is missing` : `The header ${name} does not match the body`;
  return {
    kind: 'invalid_request',
    origin: 'caller',
    subject: { type: 'header', id: name },
    message: what,
    details: { mismatch: { header: said ?? '', body } },
  };
}
