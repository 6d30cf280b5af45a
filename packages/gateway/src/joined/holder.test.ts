/** A resource that nobody has listed: not found means that nobody has it, and nothing else does. */
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, it } from 'vitest';
import { serveSessions } from '../../test/sdk-server.ts';
import { call, cleanUp, faultIn, INITIALIZE, open, type Posted, post, upstream } from '../../test/tools.ts';
import type { Gateway } from '../index.ts';

afterEach(cleanUp);

/** Reads `store://…`, or fails with it. */
function store(read: (uri: string) => Promise<string>): () => McpServer {
  return () => {
    const server = new McpServer({ name: 'store', version: '1' });
    const template = new ResourceTemplate('store://{item}', { list: undefined });
    server.registerResource('store', template, {}, async ({ href }) => ({
      contents: [{ uri: href, text: await read(href) }],
    }));
    return server;
  };
}

function empty(): McpServer {
  const server = new McpServer({ name: 'empty', version: '1' });
  server.registerResource('one', 'other://one', {}, async () => ({ contents: [] }));
  return server;
}

const broken = store(async () => {
  throw new Error('the disk is on fire');
});
const hanging = store(() => new Promise<string>(() => {}));
const working = store(async (uri) => `this is ${uri}`);

async function house(...make: readonly (() => McpServer)[]): Promise<Gateway> {
  const names = ['a', 'b', 'c'];
  const upstreams: { [name: string]: { url: string } } = {};
  for (const [at, each] of make.entries())
    upstreams[names[at] ?? ''] = { url: (await serveSessions(each)).url };
  return open({ upstreams, joined: { part_timeout_ms: 1500 } });
}

const read = (gateway: Gateway, uri = 'store://x'): Promise<Posted> =>
  post(`${gateway.url}/mcp`, call('resources/read', { uri }));

it('is not found when all of them say so', async () => {
  const posted = await read(await house(empty, working), 'nowhere://x');
  expect(posted.message.error?.code).toBe(-32002);
  expect(faultIn(posted)).toMatchObject({ kind: 'not_found', executed: 'no' });
});

it('is read from the one that has it, whoever else fails', async () => {
  const gateway = await house(broken, working);
  expect((await read(gateway)).text).toContain('this is store://x');
  expect(gateway.faults.list(1)[0]).toMatchObject({ upstream: 'a', method: 'resources/read' });
});

it.each([
  ['failed inside', broken, 'internal'],
  ['did not answer', hanging, 'timeout'],
] as const)('is what the server says that %s', async (_, make, kind) => {
  const gateway = await house(empty, make, empty);
  expect(faultIn(await read(gateway))).toMatchObject({ kind });
  expect(gateway.faults.list(1)[0]).toMatchObject({ upstream: 'b', fault: { kind } });
});

it('is what keeps a server from answering that is down', async () => {
  const { url } = await serveSessions(empty);
  const gateway = await open({ upstreams: { a: { url }, dead: { url: 'http://127.0.0.1:9/mcp' } } });
  expect(faultIn(await read(gateway))).toMatchObject({ kind: 'unavailable' });
  expect(gateway.faults.list(1)[0]).toMatchObject({ upstream: 'dead' });
});

it('is never an answer to the gateway’s own question that is of no use', async () => {
  const odd = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}');
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
    const result = method === 'resources/read' ? null : { protocolVersion: '2025-11-25', capabilities: {} };
    response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const { url } = await serveSessions(empty);
  const posted = await read(await open({ upstreams: { a: { url }, odd: { url: odd.url } } }));
  expect(posted.message.id).toBe(1);
  expect(faultIn(posted)).toMatchObject({ kind: 'invalid_output', executed: 'maybe' });
});

it('hears the one that failed with it rather than one that is down', async () => {
  const { url } = await serveSessions(broken);
  const gateway = await open({ upstreams: { dead: { url: 'http://127.0.0.1:9/mcp' }, b: { url } } });
  expect(faultIn(await read(gateway))).toMatchObject({ kind: 'internal' });
});

it('goes to the one with a template for it, which takes the time it needs', async () => {
  const slow = store(async (uri) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return `this is ${uri}`;
  });
  const gateway = await house(empty, slow);
  await post(`${gateway.url}/mcp`, call('resources/templates/list'));
  expect((await read(gateway)).text).toContain('this is store://x');
});

/** Two servers with a template that takes the same URIs, each of which says who it is. */
async function twoShelves(first: string, second: string) {
  const subscribed: string[] = [];
  const shelf = (name: string, template: string) => () => {
    const server = new McpServer(
      { name, version: '1' },
      { capabilities: { resources: { subscribe: true }, completions: {} } },
    );
    const complete = { id: () => [`of ${name}`] };
    server.registerResource(
      't',
      new ResourceTemplate(template, { list: undefined, complete }),
      {},
      (uri) => ({
        contents: [{ uri: uri.href, text: `at ${name}` }],
      }),
    );
    server.server.setRequestHandler(SubscribeRequestSchema, () => {
      subscribed.push(name);
      return {};
    });
    return server;
  };
  const one = await serveSessions(shelf('one', first));
  const two = await serveSessions(shelf('two', second));
  const gateway = await open({ upstreams: { one: { url: one.url }, two: { url: two.url } } });
  const opened = await post(`${gateway.url}/mcp`, INITIALIZE);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const ask = (method: string, params: object = {}) =>
    post(`${gateway.url}/mcp`, call(method, params), session);
  return { ask, subscribed, logs: gateway.logs };
}

const READ = { uri: 'res://t/5' };
const COMPLETE = { ref: { type: 'ref/resource', uri: 'res://t/{id}' }, argument: { name: 'id', value: '' } };

it.each([
  ['before their list', 0],
  ['after it', 1],
  ['after it was listed twice', 2],
])('a template that two have is the first’s in the file, %s', async (_, times) => {
  const { ask, subscribed, logs } = await twoShelves('res://t/{id}', 'res://t/{id}');
  for (let i = 0; i < times; i++) await ask('resources/templates/list');
  expect((await ask('completion/complete', COMPLETE)).text).toContain('of one');
  await ask('resources/subscribe', READ);
  expect((await ask('resources/read', READ)).text).toContain('at one');
  expect(subscribed).toEqual(['one']);
  const told = logs.filter((line) => line.includes('upstream=two') && line.includes('templates'));
  expect(told).toHaveLength(times === 0 ? 0 : 1);
  if (times > 0) expect(told[0]).toContain('of one');
});

it.each([0, 1])('of templates that overlap the first in the file is asked, after %i lists', async (times) => {
  const { ask, subscribed, logs } = await twoShelves('res://{+path}', 'res://t/{id}');
  for (let i = 0; i < times; i++) await ask('resources/templates/list');
  await ask('resources/subscribe', READ);
  expect((await ask('resources/read', READ)).text).toContain('at one');
  expect(subscribed).toEqual(['one']);
  expect(logs.filter((line) => line.includes('upstream=two') && line.includes('templates'))).toHaveLength(
    times,
  );
});

it('and what the first does not have is read at the other', async () => {
  const { ask } = await twoShelves('res://t/{id}/x', 'res://t/{id}');
  await ask('resources/templates/list');
  expect((await ask('resources/read', READ)).text).toContain('at two');
});
