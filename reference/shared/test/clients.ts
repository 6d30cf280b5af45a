import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterFile } from '../../../test/after-file.ts';
import type { Command } from './processes.ts';

/** The official clients: v1, v2 as it is, and v2 with the stateless revision. */
export const CLIENTS = ['v1', 'v2', 'v2 stateless'] as const;

/** One of the official clients. */
export type ClientName = (typeof CLIENTS)[number];

/** A client of either SDK, as far as tests use it. */
export interface AnyClient {
  callTool(call: { name: string; arguments?: { [name: string]: unknown } }): Promise<{
    [member: string]: unknown;
  }>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  close(): Promise<void>;
}

const INFO = { name: 'reference-test', version: '1.0.0' };

/** Connects an official client, to a URL or to a process that it starts; it closes with the tests. */
export async function connect(
  name: ClientName,
  to:
    | { readonly url: string; readonly headers?: { readonly [name: string]: string } }
    | (Command & {
        readonly env?: { readonly [name: string]: string };
      }),
): Promise<AnyClient> {
  const client =
    name === 'v1'
      ? new ClientV1(INFO)
      : new ClientV2(INFO, name === 'v2' ? {} : { versionNegotiation: { mode: 'auto' } });
  await client.connect(transportTo(name, to) as never);
  afterFile(() => client.close());
  return client as unknown as AnyClient;
}

function transportTo(name: ClientName, to: Parameters<typeof connect>[1]): unknown {
  if ('url' in to) {
    const options = { requestInit: { headers: { ...to.headers } } };
    const url = new URL('/mcp', to.url);
    return name === 'v1' ? new HttpV1(url, options) : new HttpV2(url, options);
  }
  const { env, ...command } = to;
  const parameters = { ...command, stderr: 'ignore' as const, env: { ...env } };
  return name === 'v1' ? new StdioV1(parameters) : new StdioV2(parameters);
}
