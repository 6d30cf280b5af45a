/** What users of each SDK write in TypeScript: the same lines as an ES module and, compiled to CommonJS, as what `require` gets. */

const V2 = `
import { httpTransport, mendFetch, type ResilientClient, resilient } from '@mayday/client';
import { guard } from '@mayday/server';
import { guardHandler, nodeHandler } from '@mayday/server/http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Other } from '@modelcontextprotocol/sdk/client/index.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
const server: McpServer = guard(new McpServer({ name: 'orders', version: '1.0.0' }));
export const handler = nodeHandler(guardHandler(createMcpHandler(() => server)));
`;

const V1 = `
import { httpTransport, mendFetch, type ResilientClient, resilient } from '@mayday/client/v1';
import { guard } from '@mayday/server/v1';
import { Client as Other } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
export const server: McpServer = guard(new McpServer({ name: 'orders', version: '1.0.0' }));
`;

const EITHER = `
class Agent extends Client {
  readonly owner = 'ann';
}
const me = { name: 'agent', version: '1.0.0' };
const url = 'https://example.com/mcp';

export const agent = resilient(new Agent(me), { transport: () => httpTransport(url), attempts: 2 });
export const same: ResilientClient<Agent> = agent;
export const plain: Client = agent;
export const owner: 'ann' = agent.owner;
const fetch = mendFetch();
export const other: ResilientClient<Client> = resilient(new Client(me), {
  transport: () => new StreamableHTTPClientTransport(new URL(url), { fetch }),
});

export async function calls(): Promise<string> {
  await agent.connect();
  await other.connect(new StreamableHTTPClientTransport(new URL(url)), { timeout: 1000 });
  const { tools } = await agent.listTools();
  const name: string = tools[0]?.name ?? 'search';
  const { isError } = await agent.callTool({ name, arguments: {} });
  const outcome = await agent.call({ name, arguments: { isError: isError === true } }, { once: true });
  if (!outcome.ok) return outcome.text;
  const [first] = outcome.result.content;
  return first?.type === 'text' ? first.text : agent.upstream.name;
}

export async function mistakes(): Promise<void> {
  // @ts-expect-error: a call has a name
  await agent.call({ arguments: {} });
  // @ts-expect-error: there is no such option
  await agent.call({ name: 'search' }, { onec: true });
  // @ts-expect-error: so many seconds are a number
  await agent.connect(httpTransport(url), { timeout: '1000' });
  // @ts-expect-error: an address is no transport
  await agent.connect(url);
  // @ts-expect-error: a client of the other SDK
  resilient(new Other(me));
  // @ts-expect-error: a URL makes no transport
  resilient(new Client(me), { transport: () => new URL(url) });
}
`;

/** By their names, in a folder where the packages and both SDKs are installed. */
export const SOURCES: { readonly [file: string]: string } = {
  'v2.mts': V2 + EITHER,
  'v2.cts': V2 + EITHER,
  'v1.mts': V1 + EITHER,
  'v1.cts': V1 + EITHER,
};

/** As strict as it gets. */
export const CONFIGURATION: string = JSON.stringify({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    noEmit: true,
    skipLibCheck: true, // that of the SDKs takes ten times as long
  },
  files: Object.keys(SOURCES),
});
