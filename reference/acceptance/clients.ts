import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Channel, Message, Wire } from './wire.ts';

const INFO = { name: 'acceptance', version: '1.0.0' };

/** Where an official client connects to: an address, or Node's arguments. */
export type Target =
  | { readonly url: string; readonly headers?: Record<string, string> | undefined }
  | { readonly args: readonly string[]; readonly env?: Record<string, string> | undefined };

/** What a program sees that calls through an official client: a result, or the exception's code, words and data. */
async function outcome(promise: Promise<Wire>): Promise<Message> {
  try {
    return { result: await promise };
  } catch (error) {
    const { code, message, data } = error as { code: Wire; message: string; data: Wire };
    return { error: { code, message: message.replace(/^(MCP error -?\d+: )+/, ''), data } };
  }
}

function processOf(target: Extract<Target, { args: readonly string[] }>): Wire {
  return {
    command: process.execPath,
    args: [...target.args],
    env: { ...(process.env as Record<string, string>), ...target.env },
    stderr: 'ignore',
  };
}

/** A channel through SDK 1.x's client. */
export async function connectV1(target: Target): Promise<Channel> {
  const client = new ClientV1(INFO);
  const transport =
    'url' in target
      ? new HttpV1(new URL(target.url), { requestInit: { headers: target.headers ?? {} } })
      : new StdioV1(processOf(target));
  await client.connect(transport as Wire);
  return {
    request: (method, params) =>
      outcome(method === 'tools/call' ? client.callTool(params) : v1Request(client, method, params)),
    close: () => client.close(),
  };
}

function v1Request(client: ClientV1, method: string, params: Wire): Promise<Wire> {
  const methods: Record<string, () => Promise<Wire>> = {
    'tools/list': () => client.listTools(params),
    'resources/read': () => client.readResource(params),
    'prompts/get': () => client.getPrompt(params),
    'resources/list': () => client.listResources(params),
  };
  const known = methods[method];
  return known ? known() : Promise.reject(new Error(`No ${method} in this harness`));
}

/** A channel through SDK 2.x's client; `modern` settles on the stateless revision where the server speaks it. */
export async function connectV2(target: Target, modern = false): Promise<Channel> {
  const client = new ClientV2(INFO, modern ? { versionNegotiation: { mode: 'auto' } } : {});
  const transport =
    'url' in target
      ? new HttpV2(new URL(target.url), { requestInit: { headers: target.headers ?? {} } })
      : new StdioV2(processOf(target));
  await client.connect(transport);
  return {
    request: (method, params) => outcome(v2Request(client, method, params)),
    close: () => client.close(),
  };
}

function v2Request(client: ClientV2, method: string, params: Wire): Promise<Wire> {
  const methods: Record<string, () => Promise<Wire>> = {
    'tools/call': () => client.callTool(params),
    'tools/list': () => client.listTools(params),
    'resources/read': () => client.readResource(params),
    'prompts/get': () => client.getPrompt(params),
    'resources/list': () => client.listResources(params),
  };
  const known = methods[method];
  return known ? known() : Promise.reject(new Error(`No ${method} in this harness`));
}
