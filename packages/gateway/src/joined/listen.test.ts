/** One subscription to many servers of 2026-07-28, with the official client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, expect, it } from 'vitest';
import { serveStateless } from '../../test/sdk-server.ts';
import { cleanUp, later, open, until } from '../../test/tools.ts';

afterEach(cleanUp);

const make = (capabilities: object) => (): McpServer => {
  const server = new McpServer({ name: 'changing', version: '1' }, { capabilities });
  server.registerTool('go', {}, async () => ({ content: [] }));
  server.registerResource('r', 'mem://r', {}, async () => ({ contents: [] }));
  return server;
};
const changing = make({ tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } });
const still = make({ tools: { listChanged: false }, resources: { listChanged: false } });

async function listener(url: string): Promise<{ client: Client; heard: string[]; troubles: string[] }> {
  const heard: string[] = [];
  const troubles: string[] = [];
  const mode = { pin: '2026-07-28' };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  client.onerror = ({ message }) => troubles.push(message);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(params.uri),
  );
  later(() => client.close());
  return { client, heard, troubles };
}

it('hears all of them', async () => {
  const [a, b] = [await serveStateless(changing), await serveStateless(changing)];
  const gateway = await open({ upstreams: { a: { url: a.url }, b: { url: b.url } } });
  const { client, heard, troubles } = await listener(`${gateway.url}/mcp`);
  expect(client.getServerCapabilities()?.tools?.listChanged).toBe(true);
  const filter = { toolsListChanged: true, resourceSubscriptions: ['mem://r'] };
  const subscription = await client.listen(filter);
  expect(subscription.honoredFilter).toEqual(filter);
  a.notify.toolsChanged();
  b.notify.resourceUpdated('mem://r');
  await until(() => heard.length === 2);
  expect(heard.sort()).toEqual(['mem://r', 'tools']);
  await subscription.close();
  expect(troubles).toEqual([]);
});

it('is acknowledged with what any of them tells, and closed when none tells anything', async () => {
  const [a, b] = [await serveStateless(still), await serveStateless(changing)];
  const gateway = await open({ upstreams: { a: { url: a.url }, b: { url: b.url } } });
  const { client } = await listener(`${gateway.url}/mcp`);
  const some = await client.listen({ toolsListChanged: true, promptsListChanged: true });
  expect(some.honoredFilter).toEqual({ toolsListChanged: true });
  const none = await client.listen({ promptsListChanged: true });
  expect([none.honoredFilter, await none.closed]).toEqual([{}, 'graceful']);
});

it('hears one again that was away, and that something may have changed', async () => {
  const [a, b] = [await serveStateless(changing), await serveStateless(changing)];
  const gateway = await open({ upstreams: { a: { url: a.url }, b: { url: b.url } } });
  const { client, heard } = await listener(`${gateway.url}/mcp`);
  await client.listen({ toolsListChanged: true });
  await b.stop();
  a.notify.toolsChanged();
  await until(() => heard.length === 1);
  await b.start();
  await until(() => heard.length === 2);
  b.notify.toolsChanged();
  await until(() => heard.length === 3);
  expect(gateway.faults.list(5).map(({ upstream }) => upstream)).toContain('b');
});

it('does without one that is down', async () => {
  const a = await serveStateless(changing);
  const gateway = await open({ upstreams: { a: { url: a.url }, dead: { url: 'http://127.0.0.1:9/mcp' } } });
  const { client, heard } = await listener(`${gateway.url}/mcp`);
  await client.listen({ toolsListChanged: true });
  a.notify.toolsChanged();
  await until(() => heard.length === 1);
});

it.each(['/a/mcp', '/mcp'])('tells nobody of resources that they may not read, at %s', async (path) => {
  const server = (): McpServer => {
    const made = changing();
    made.registerResource('s', 'mem://secret', {}, async () => ({ contents: [] }));
    return made;
  };
  const [a, b] = [await serveStateless(server), await serveStateless(changing)];
  const gateway = await open({
    access: { rules: [{ deny: ['*/mem://secret', 'b/*'] }] },
    upstreams: { a: { url: a.url }, b: { url: b.url } },
  });
  const { client, heard } = await listener(`${gateway.url}${path}`);
  const subscription = await client.listen({ resourceSubscriptions: ['mem://r', 'mem://secret'] });
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: ['mem://r'] });
  for (const one of [a, b]) one.notify.resourceUpdated('mem://secret');
  a.notify.resourceUpdated('mem://r');
  await until(() => heard.length > 0);
  expect(heard).toEqual(['mem://r']);
  await expect(client.listen({ resourceSubscriptions: ['mem://secret'] })).rejects.toThrow('may not use');
});

it('waits for nobody who may not be asked', async () => {
  const [a, b] = [await serveStateless(still), await serveStateless(changing)];
  const gateway = await open({
    access: { rules: [{ deny: ['b/*'] }] },
    upstreams: { a: { url: a.url }, b: { url: b.url } },
  });
  const { client } = await listener(`${gateway.url}/mcp`);
  const none = await client.listen({ resourceSubscriptions: ['mem://r'] });
  expect([none.honoredFilter, await none.closed]).toEqual([{}, 'graceful']);
});

it('hears of tools alone at a virtual server', async () => {
  const a = await serveStateless(changing);
  const virtual = { desk: { tools: ['a/go'] } };
  const gateway = await open({ upstreams: { a: { url: a.url } }, virtual });
  const { client, heard } = await listener(`${gateway.url}/desk/mcp`);
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a_go']);
  const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['mem://r'] });
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
  a.notify.resourceUpdated('mem://r');
  a.notify.toolsChanged();
  await until(() => heard.length > 0);
  expect(heard).toEqual(['tools']);
});

it('finds, describes and calls tools where discovery is lazy', async () => {
  const a = await serveStateless(changing);
  const gateway = await open({ joined: { discovery: 'lazy' }, upstreams: { a: { url: a.url } } });
  const { client } = await listener(`${gateway.url}/mcp`);
  expect((await client.listTools()).tools).toHaveLength(3);
  const found = await client.callTool({ name: 'search_tools', arguments: { query: 'go' } });
  expect(found.structuredContent).toMatchObject({ tools: [{ name: 'a_go' }] });
  const called = await client.callTool({ name: 'call_tool', arguments: { name: 'a_go' } });
  expect([called.isError, called.content]).toEqual([undefined, []]);
});
