/** One tool call as one REST request. */
import { FaultError } from '@mayday/core';
import { restError as platicaError } from '@mayday/core/dialects/platica';
import { reach } from '@mayday/reference-shared';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Tool } from './tools.ts';

/** The REST interface, and the key to it. */
export interface Upstream {
  readonly url: string;
  readonly authorization: string;
  readonly signal: AbortSignal;
}

/** How long the interface may take to answer, to the last byte. */
const PATIENCE_MS = 30_000;

/** Calls the endpoint. Whatever is not 2xx is an execution error with the body as it came. */
export async function callEndpoint(
  tool: Tool,
  args: { [name: string]: unknown },
  upstream: Upstream,
): Promise<CallToolResult> {
  // A redirect is not 2xx either: it is shown, not followed.
  const { response, bytes } = await reach(addressOf(tool, args, upstream.url), {
    method: tool.method,
    headers: { authorization: upstream.authorization, 'content-type': 'application/json' },
    ...(tool.method === 'GET' || tool.method === 'DELETE'
      ? {}
      : { body: JSON.stringify({ ...args, id: undefined }) }),
    signal: AbortSignal.any([upstream.signal, AbortSignal.timeout(PATIENCE_MS)]),
  });
  // `text()` would take a byte order mark away, and the body goes out as it came.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const failure = platicaError(response.status, text);
  if (failure !== undefined) throw new FaultError(failure);
  if (text === '') return { content: [{ type: 'text', text: 'Done.' }] };
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text.replace(/^\uFEFF/, '')) as { [key: string]: unknown },
  };
}

function addressOf({ method, path }: Tool, args: { [name: string]: unknown }, base: string): URL {
  const url = new URL(`${base}/api/v1${path.replace(':id', encodeURIComponent(String(args['id'])))}`);
  const { workspace } = args;
  if ((method === 'GET' || method === 'DELETE') && typeof workspace === 'string')
    url.searchParams.set('workspace', workspace);
  return url;
}
