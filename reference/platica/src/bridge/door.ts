/** What stands before `/mcp`: requests that cannot even be executed get one of the document's protocol codes. */
import { type FaultError, fault, write } from '@mayday/core';
import { MAX_BODY_BYTES } from '@mayday/reference-shared';
import { readRequestBody } from '@modelcontextprotocol/server';
import { hasKey } from './bridge.ts';

type Fetch = (request: Request) => Promise<Response>;

/** Serves POSTs with a key and a JSON-RPC call in them; refuses all others. */
export async function atTheDoor(request: Request, mcp: Fetch): Promise<Response> {
  if (new URL(request.url).pathname !== '/mcp') return new Response(null, { status: 404 });
  if (request.method !== 'POST') {
    const subject = { type: 'method', id: request.method };
    return refuse(405, fault.unsupported('Method not allowed.', { subject }), { allow: 'POST' });
  }
  const read = await readRequestBody(request, MAX_BODY_BYTES);
  const message = read.tooLarge ? undefined : parse(read.text);
  const id = idOf(message);
  if (!hasKey(request.headers.get('authorization')))
    return refuse(401, fault.unauthenticated(), { 'www-authenticate': 'Bearer' }, id);
  if (read.tooLarge) return refuse(413, fault.invalidRequest('The JSON-RPC call is too large'), {});
  if (!isCall(message)) return refuse(400, fault.invalidRequest('The JSON-RPC call is malformed'), {}, id);
  return mcp(new Request(request, { method: 'POST', body: read.text }));
}

function refuse(
  status: number,
  thrown: FaultError,
  headers: { [name: string]: string },
  id?: string | number,
): Response {
  const { wire } = write(thrown.fault, 'platica', {
    placement: 'protocol',
    ...(id === undefined ? {} : { id }),
  });
  return Response.json({ id: null, ...wire }, { status, headers });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no call, and said so
  }
}

function idOf(message: unknown): string | number | undefined {
  const id = (message as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** A JSON-RPC message: its version, a method or an answer, and parameters by name. */
function isCall(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  const { jsonrpc, method, params = {} } = message as { [member: string]: unknown };
  const isNamed = typeof params === 'object' && params !== null && !Array.isArray(params);
  return (
    jsonrpc === '2.0' && isNamed && (typeof method === 'string' || 'result' in message || 'error' in message)
  );
}
