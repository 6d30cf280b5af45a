/** A server that opens its conversations, and does not answer one question: only the client that finds it out waits for it. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, post, until, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const WAIT_MS = 1500;

const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {}, resources: {}, logging: {}, completions: {} },
  serverInfo: { name: 's', version: '1' },
};

interface Asked {
  readonly id?: number;
  readonly method?: string;
}

/** Answers everything at once with all that anybody asks for; `delayMs`: what is asked later than others. */
function server(delayMs: (method: string) => number): Promise<{ readonly url: string }> {
  const all = {
    tools: [{ name: 'go', inputSchema: { type: 'object' } }],
    prompts: [{ name: 'say' }],
    resources: [],
    resourceTemplates: [],
    tasks: [],
  };
  return upstream((body, response) => {
    const { id, method = '' } = JSON.parse(body || '{}') as Asked;
    if (id === undefined) return void response.writeHead(body === '' ? 405 : 202).end();
    const result = method === 'initialize' ? OPENED : all;
    const ms = delayMs(method);
    if (ms < Infinity) setTimeout(() => json(response, 200, { jsonrpc: '2.0', id, result }), ms);
  });
}

async function house(delayMs: (method: string) => number) {
  const [odd, well] = [await server(delayMs), await server(() => 0)];
  return open({
    joined: { part_timeout_ms: WAIT_MS },
    upstreams: { odd: { url: odd.url }, well: { url: well.url } },
  });
}

async function client(url: string) {
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  return async (method: string, params: object = {}) => {
    const began = performance.now();
    const { message } = await post(url, call(method, params), session);
    const missing: unknown = (message.result?._meta as { [key: string]: unknown } | undefined)?.[
      'dev.mayday/unavailable'
    ];
    return { ms: performance.now() - began, missing };
  };
}

it.each([
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['tasks/list', {}],
  ['logging/setLevel', { level: 'info' }],
])('%s of one that hangs at it costs the next client nothing', async (method, params) => {
  const { url } = await house((asked) => (asked === method ? Infinity : 0));
  const first = await client(`${url}/mcp`);
  expect((await first(method, params)).ms).toBeGreaterThan(WAIT_MS - 50);
  for (const next of [await client(`${url}/mcp`), await client(`${url}/mcp`), first]) {
    await next('ping');
    expect((await next(method, params)).ms).toBeLessThan(WAIT_MS - 100);
  }
});

it('asks who is known to hang last of all, where one of many has what is asked for', async () => {
  const { url } = await house((asked) => (asked === 'completion/complete' ? Infinity : 0));
  const params = { ref: { type: 'ref/resource', uri: 'x://{y}' }, argument: { name: 'y', value: 'z' } };
  const first = await client(`${url}/mcp`);
  expect((await first('completion/complete', params)).ms).toBeGreaterThan(WAIT_MS - 50);
  const second = await client(`${url}/mcp`);
  expect((await second('completion/complete', params)).ms).toBeLessThan(WAIT_MS - 100);
});

it('waits again for one that lists in time again, be it that nobody waited for that', async () => {
  let ms = Infinity;
  const { url } = await house((method) => (method === 'tools/list' ? ms : 0));
  const first = await client(`${url}/mcp`);
  expect((await first('tools/list')).missing).toEqual(['odd']);
  ms = 300;
  const second = await client(`${url}/mcp`);
  expect((await second('tools/list')).missing).toEqual(['odd']);
  await until(async () => {
    const next = await client(`${url}/mcp`);
    return (await next('tools/list')).missing === undefined;
  });
});
