import { read } from '@mayday/core';
import { CLIENTS, command, connect, tempFolder } from '@mayday/reference-shared/testing';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpServer } from '../test/app.ts';

const INFO = { name: 'official', version: '1.0.0' };
const CAPABILITIES = { sampling: {}, elicitation: { url: {} } };

/** What a client throws for a call. */
function thrownBy(call: Promise<unknown>): Promise<{ code: number; data: unknown }> {
  return call.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as { code: number; data: unknown },
  );
}

describe.each(CLIENTS)('the official client %s', (name) => {
  it.each(['stdio', 'http'] as const)('reads what went wrong over %s', async (transport) => {
    const flags = ['--data', tempFolder(), '--max-message-bytes', '5000'];
    const server = {
      stdio: async () => command('erlmcp', flags),
      http: () => httpServer({ maxMessageBytes: 5000 }),
    };
    const client = await connect(name, await server[transport]());
    expect((await client.listTools()).tools).toHaveLength(10);
    expect(await client.callTool({ name: 'calculate', arguments: { a: 1, b: 2 } })).toMatchObject({
      content: [{ text: '3' }],
    });
    const unknown = await thrownBy(client.callTool({ name: 'nonexistent_tool' }));
    expect([unknown.code, unknown.data]).toEqual([-32002, { tool: 'nonexistent_tool' }]);
    expect(read(unknown, { from: 'erlmcp' })).toMatchObject({
      fault: { kind: 'not_found', subject: { type: 'tool', id: 'nonexistent_tool' } },
    });
    const large = { name: 'save_note', arguments: { name: 'a', text: 'x'.repeat(5000) } };
    expect((await thrownBy(client.callTool(large))).code).toBe(-32012);
    const bad = await thrownBy(client.callTool({ name: 'calculate', arguments: { a: 'one' } }));
    expect(read(bad, { from: 'erlmcp' })).toMatchObject({ fault: { kind: 'invalid_arguments' } });
    expect((await client.listTools()).tools).toHaveLength(10);
  });
});

describe('a client that declines', () => {
  it('ER-50 ER-72 v1 over HTTP: sampling and elicitation fail with a reason', async () => {
    const { url } = await httpServer();
    const client = new ClientV1(INFO, { capabilities: CAPABILITIES });
    let asked: unknown;
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
      asked = params.messages;
      throw new McpError(-1, 'User rejected sampling request');
    });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' as const }));
    await client.connect(new HttpV1(new URL('/mcp', url)) as never);
    onTestFinished(() => client.close());
    await client.callTool({ name: 'save_note', arguments: { name: 'n', text: 'Long ago' } });
    const sampling = await thrownBy(client.callTool({ name: 'summarize_note', arguments: { name: 'n' } }));
    expect([sampling.code, sampling.data]).toEqual([-32046, { reason: 'user_rejected' }]);
    expect(JSON.stringify(asked)).toContain('Long ago');
    const elicitation = await thrownBy(client.callTool({ name: 'link_account', arguments: {} }));
    expect([elicitation.code, elicitation.data]).toEqual([1090, { reason: 'declined' }]);
  });

  it('ER-50 ER-72 v2 over HTTP: a client that can answers, one that cannot is not asked', async () => {
    const { url } = await httpServer();
    const able = new ClientV2(INFO, { capabilities: CAPABILITIES });
    able.setRequestHandler('sampling/createMessage', async () => ({
      model: 'm',
      role: 'assistant' as const,
      content: { type: 'text' as const, text: 'In short' },
    }));
    able.setRequestHandler('elicitation/create', async () => ({ action: 'accept' as const }));
    const unable = new ClientV2(INFO);
    await able.connect(new HttpV2(new URL('/mcp', url)));
    await unable.connect(new HttpV2(new URL('/mcp', url)));
    onTestFinished(async () => void (await Promise.all([able.close(), unable.close()])));
    await able.callTool({ name: 'save_note', arguments: { name: 'n', text: 'Long ago' } });
    const summarize = { name: 'summarize_note', arguments: { name: 'n' } };
    expect(await able.callTool(summarize)).toMatchObject({ content: [{ text: 'In short' }] });
    expect(await able.callTool({ name: 'link_account' })).toMatchObject({ content: [{ text: 'Linked' }] });
    expect((await thrownBy(unable.callTool(summarize))).data).toEqual({ reason: 'not_supported_by_client' });
    expect((await thrownBy(unable.callTool({ name: 'link_account' }))).code).toBe(1090);
  });
});
