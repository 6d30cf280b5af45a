/** The official client of v2 in front of a guarded server, over loopback HTTP and in memory. */

import { read } from '@mayday/core';
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, InMemoryTransport } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardHandler } from '../src/http.ts';
import { failingServer, SECRET } from './fixture.ts';
import { listen } from './wire.ts';

let endpoint: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  endpoint = await listen(guardHandler(createMcpHandler(() => failingServer({ deadlineMs: 200 }))));
});
afterAll(() => endpoint.close());

const WIRES: { readonly [name: string]: (client: Client) => Promise<void> } = {
  'loopback HTTP': (client) => client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url))),
  memory: async (client) => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await failingServer({ deadlineMs: 200 }).connect(far);
    await client.connect(near);
  },
};

describe.each(Object.entries(WIRES))('over %s', (_name, connect) => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ name: 'v2', version: '1' });
    await connect(client);
    await client.listTools();
  });
  afterAll(() => client.close());

  it('a tool’s fault is a result that the model can read, and a program too', async () => {
    const result = await client.callTool({ name: 'fault' });
    expect(result.content).toEqual([
      { type: 'text', text: 'No order 4711. Check the identifier; do not repeat the same call.' },
    ]);
    expect(read({ result })).toMatchObject({ dialect: 'mayday', certainty: 1, fault: { kind: 'not_found' } });
  });

  it('an exception is masked', async () => {
    expect(JSON.stringify(await client.callTool({ name: 'error' }))).not.toContain(SECRET);
    await expect(client.readResource({ uri: 'fails://error' })).rejects.toMatchObject({
      code: -32603,
      message: 'Internal error',
    });
  });

  it('an unknown tool is a protocol error with the fault in its data', async () => {
    const error = await client.callTool({ name: 'nope' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({
      code: -32602,
      data: { kind: 'not_found', subject: { type: 'tool', id: 'nope' } },
    });
  });

  it('an unknown resource names its URI', async () => {
    await expect(client.readResource({ uri: 'nowhere://x' })).rejects.toMatchObject({
      data: { uri: 'nowhere://x' },
    });
  });

  it('a tool with an output schema fails without breaking the client', async () => {
    const result = await client.callTool({ name: 'typed', arguments: { how: 'throw' } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('already shipped') }],
    });
  });

  it('a handler that hangs is answered before the client gives up', async () => {
    expect(await client.callTool({ name: 'forever' })).toMatchObject({
      isError: true,
      _meta: { 'dev.mayday/fault': { kind: 'timeout', executed: 'maybe' } },
    });
  });
});
