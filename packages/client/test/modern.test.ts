import { Client, type ClientOptions, type FetchLike } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { httpTransport, resilient } from '../src/index.ts';

/** A 2026-07-28 server of the SDK, reached without a network. */
function modern(failures: readonly string[] = [], options: ClientOptions = {}) {
  const left = [...failures];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'modern', version: '1.0.0' });
    server.registerTool('flaky', { inputSchema: z.object({}) }, async () => {
      const text = left.shift();
      return { content: [{ type: 'text', text: text ?? 'done' }], isError: text !== undefined };
    });
    const region = z.string().meta({ 'x-mcp-header': 'Region' });
    server.registerTool('regional', { inputSchema: z.object({ region }) }, async (args) => ({
      content: [{ type: 'text', text: args.region }],
    }));
    return server;
  });
  const fetch: FetchLike = (url, init) => handler.fetch(new Request(url, init));
  const info = { name: 'agent', version: '1.0.0' };
  const client = resilient(
    new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } }, ...options }),
    {
      transport: () => httpTransport('http://127.0.0.1/mcp', { fetch }),
      upstream: { random: () => 0 },
    },
  );
  return { client, handler };
}

it('speaks the 2026-07-28 revision, and retries in it', async () => {
  const { client } = modern(['The backend is temporarily unavailable']);
  await client.connect();
  expect(await client.call({ name: 'flaky' }, { repeatable: true })).toMatchObject({ ok: true, attempts: 2 });
  await client.close();
});

it('unwraps the 404 that the revision demands for an unknown method', async () => {
  const { client } = modern();
  await client.connect();
  const unknown = client.request({ method: 'x/unknown' }, z.looseObject({}));
  await expect(unknown).rejects.toMatchObject({ fault: { kind: 'unsupported' } });
  await client.close();
});

it('lets the SDK mend a missing header', async () => {
  const { client } = modern();
  await client.connect();
  expect(await client.call({ name: 'regional', arguments: { region: 'eu' } })).toMatchObject({
    ok: true,
    result: { content: [{ text: 'eu' }] },
  });
  await client.close();
});

it('lets it do so for a call that waits for the connection, too', async () => {
  const { client } = modern();
  const opening = client.connect();
  const call = client.call({ name: 'regional', arguments: { region: 'eu' } });
  expect(await call).toMatchObject({ ok: true, result: { content: [{ text: 'eu' }] } });
  await opening;
  await client.close();
});

it('does not let it send a call again that may have been done, or that is to be sent once', async () => {
  const handedOn =
    'Bad Request: the request headers and body disagree: the body carries region="eu" but the Mcp-Param-Region header is absent';
  for (const [message, once, status] of [
    ['Payment made; header mismatch', false, 400],
    ['Header mismatch', true, 400],
    [handedOn, false, 200],
  ] as const) {
    let calls = 0;
    const { handler } = modern();
    const fetch: FetchLike = async (url, init) => {
      const body = typeof init?.body === 'string' ? init.body : await new Response(init?.body).text();
      if (!body.includes('"tools/call"'))
        return handler.fetch(new Request(url, { ...init, body: body === '' ? null : body }));
      calls += 1;
      const { id } = JSON.parse(body) as { id: number };
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32020, message } }, { status });
    };
    const info = { name: 'agent', version: '1.0.0' };
    const client = resilient(new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), {
      transport: () => httpTransport('http://127.0.0.1/mcp', { fetch }),
    });
    await client.connect();
    expect(await client.call({ name: 'regional', arguments: { region: 'eu' } }, { once })).toMatchObject({
      ok: false,
      fault: { kind: 'invalid_request' },
    });
    expect(calls).toBe(1);
    await client.close();
  }
});

it('reads an unknown tool as one', async () => {
  const { client } = modern();
  await client.connect();
  expect(await client.call({ name: 'nope' })).toMatchObject({
    ok: false,
    attempts: 1,
    fault: { kind: 'not_found', executed: 'no' },
  });
  await client.close();
});

it('listens while it connects and afterwards, as the SDK and whoever uses it ask', async () => {
  const { client } = modern([], { listChanged: { tools: { onChanged: () => undefined } } });
  const opening = client.connect();
  const own = await client.listen({ toolsListChanged: true });
  await opening;
  expect(client.autoOpenedSubscription).toBeDefined();
  expect(own.honoredFilter).toMatchObject({ toolsListChanged: true });
  await own.close();
  await client.close();
  await expect(client.listen({ toolsListChanged: true })).rejects.toMatchObject({
    fault: { kind: 'disconnected', executed: 'no' },
  });
});
