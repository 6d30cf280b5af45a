/** Both official clients at shaped, virtual and lazy endpoints of docs/shaping.md. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { keepGateway } from '../support/keep.ts';
import '../support/policy.ts';
import { PATIENT, tool } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const TOOLS = ['echo', 'pay', 'a.b', 'late'].map((name) => tool(name, { description: `Does ${name}.` }));
const gateway = keepGateway(() =>
  startGateway({
    joined: PATIENT,
    upstreams: {
      s: stdio({ tools: TOOLS }, { tools: { deny: ['pay'], rename: { echo: 'say' } } }),
      t: stdio({ tools: TOOLS }),
    },
    virtual: {
      desk: { tools: ['s/*', 't/late'], rename: { 't/late': 'late' } },
      lazy: { tools: ['s/*'], discovery: 'lazy' },
    },
  }),
);

/** What both clients have in common. */
interface Caller {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}
async function first(url: URL): Promise<Caller> {
  const client = new Client({ name: 'acceptance', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client as unknown as Caller;
}
async function second(url: URL, mode: 'legacy' | 'auto'): Promise<Caller> {
  const client = new ModernClient({ name: 'acceptance', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(url));
  return client as unknown as Caller;
}
const CLIENTS: [string, (url: URL) => Promise<Caller>][] = [
  ['SDK 1', first],
  ['SDK 2, legacy', (url) => second(url, 'legacy')],
  ['SDK 2, auto', (url) => second(url, 'auto')],
];

describe.each(CLIENTS)('%s', (_name, connect) => {
  it.each([
    ['s', ['say', 'a.b', 'late'], 'say', 'echo'],
    [
      '',
      ['s_say', 's_a_b_d53e299c', 's_late', 't_echo', 't_pay', 't_a_b_af3a7747', 't_late'],
      's_say',
      's_echo',
    ],
    ['desk', ['s_say', 's_a_b_d53e299c', 's_late', 'late'], 's_say', 's_pay'],
  ])('at /%s lists, calls, and is refused what is hidden', async (endpoint, expected, shown, hidden) => {
    const client = await connect(new URL(at(gateway(), endpoint)));
    const { tools } = await client.listTools();
    const fine = await client.callTool({ name: shown, arguments: { text: 'hi' } });
    const refused = await client.callTool({ name: hidden, arguments: {} }).then(JSON.stringify, String);
    await client.close();
    expect(tools.map(({ name }) => name)).toEqual(expected);
    expect(fine).toMatchObject({ content: [{ type: 'text', text: 'echo: hi' }] });
    expect(refused).toContain(`Unknown tool: ${hidden}`);
  });

  it('finds and calls lazily', async () => {
    const client = await connect(new URL(at(gateway(), 'lazy')));
    const { tools } = await client.listTools();
    const found = await client.callTool({ name: 'search_tools', arguments: { query: 'say' } });
    const described = await client.callTool({ name: 'describe_tools', arguments: { names: ['s_say'] } });
    const fine = await client.callTool({
      name: 'call_tool',
      arguments: { name: 's_say', arguments: { text: 'hi' } },
    });
    await client.close();
    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'describe_tools', 'call_tool']);
    expect(found).toMatchObject({
      structuredContent: { tools: [{ name: 's_say', description: 'Does echo.' }], found: 1, total: 3 },
    });
    expect(described).toMatchObject({
      structuredContent: { tools: [{ name: 's_say', inputSchema: { type: 'object' } }] },
    });
    expect(fine).toMatchObject({ content: [{ type: 'text', text: 'echo: hi' }] });
  });
});
