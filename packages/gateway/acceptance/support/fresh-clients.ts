/** The official clients of both SDKs over HTTP, each request of theirs on a connection of its own. */
import { request } from 'node:http';
import { Readable } from 'node:stream';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** Which client, and what it speaks. */
export type Kind = 'SDK 1' | 'SDK 2, 2025-11-25' | 'SDK 2, 2026-07-28';

// biome-ignore lint/suspicious/noExplicitAny: two SDKs whose types differ and whose methods do not
type Any = any;

const INFO = { name: 'acceptance', version: '1' };

/** A client, not connected yet, and its transport. */
export function freshClient(
  kind: Kind,
  url: string,
  key: string,
  capabilities: object = {},
): { readonly client: Any; readonly transport: Any } {
  const options = { fetch: freshFetch, requestInit: { headers: { authorization: `Bearer ${key}` } } };
  if (kind === 'SDK 1')
    return {
      client: new Client(INFO, { capabilities }),
      transport: new StreamableHTTPClientTransport(new URL(url), options as Any),
    };
  const mode = kind === 'SDK 2, 2025-11-25' ? 'legacy' : 'auto';
  return {
    client: new ModernClient(INFO, { capabilities, versionNegotiation: { mode } }),
    transport: new ModernTransport(new URL(url), options as Any),
  };
}

/** Like `fetch`, but no connection is used twice: whoever spreads connections spreads requests. */
function freshFetch(url: URL | string, init: RequestInit = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers, body, signal } = init;
    const sent = request(url, { method, headers: Object.fromEntries(new Headers(headers)), agent: false });
    sent.once('error', reject);
    sent.once('response', (incoming) => {
      const { statusCode: status = 0 } = incoming;
      const has = status !== 202 && status !== 204 && status !== 405;
      if (!has) incoming.resume();
      const stream = has ? (Readable.toWeb(incoming) as ReadableStream) : null;
      incoming.on('error', () => undefined);
      resolve(new Response(stream, { status, headers: incoming.headers as Record<string, string> }));
    });
    signal?.addEventListener('abort', () => sent.destroy(new Error('aborted')));
    sent.end(typeof body === 'string' ? body : undefined);
  });
}
