/**
 * The 2026-07-28 envelope over HTTP: what the headers say must be what the body says, because intermediaries
 * route by the headers. Whoever is the HTTP server checks it; here that is the relay in front of a process.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import type { FaultInit } from '@mayday/core';
import { metaOf, paramsOf } from './handshake.ts';
import type { Era } from './link.ts';
import { parse } from './message.ts';

/** Where the body says which revision it follows. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

const NAMED_BY: { readonly [method: string]: string } = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

type Headers = { readonly [name: string]: string | string[] | undefined };

/** The era of a message: what its header says, else what its body says. */
export function eraOf(headers: Headers, body: Buffer): Era {
  const said = headers['mcp-protocol-version'];
  // Revisions are dates: they sort as text.
  if (typeof said === 'string') return said >= '2026-07-28' ? '2026-07-28' : '2025-11-25';
  return body.includes(VERSION_KEY) ? '2026-07-28' : '2025-11-25';
}

/** What is wrong with the envelope, or between it and the headers; `undefined` when nothing is. */
export function checkEnvelope(headers: Headers, body: Buffer, method: string): FaultInit | undefined {
  const message = parse(body);
  const params = paramsOf(message);
  const lacking = REQUIRED.find((key) => metaOf(message)?.[key] === undefined);
  if (lacking !== undefined && (message as { id?: unknown }).id !== undefined) return lacks(lacking);
  const named = NAMED_BY[method];
  return (
    mismatch('MCP-Protocol-Version', headers['mcp-protocol-version'], metaOf(message)?.[VERSION_KEY]) ??
    mismatch('Mcp-Method', headers['mcp-method'], method) ??
    (named === undefined ? undefined : mismatch('Mcp-Name', headers['mcp-name'], params?.[named]))
  );
}

/** What the body of every request must say. */
const REQUIRED: readonly string[] = [VERSION_KEY, 'io.modelcontextprotocol/clientCapabilities'];

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

function mismatch(name: string, header: string | string[] | undefined, body: unknown): FaultInit | undefined {
  if (typeof body !== 'string') return undefined; // what `params` lack, the server itself reports
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

/** Names that do not fit in a header travel as `=?base64?…?=`. */
function decodeHeader(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}
