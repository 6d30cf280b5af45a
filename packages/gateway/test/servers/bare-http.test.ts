/** A server that answers everything with a status of HTTP is in trouble, and the operator and the lists say so. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

async function house(status: number, headers: { [name: string]: string } = {}, body?: object) {
  const broken = await upstream((said, response) => {
    const { id, method } = JSON.parse(said || '{}') as { id?: number; method?: string };
    if (body === undefined) response.writeHead(status, headers).end();
    else if (!('unless' in body) || body.unless !== method)
      json(response, status, {
        ...body,
        unless: undefined,
        ...('id' in body && body.id === 1 ? { id } : {}),
      });
    else json(response, 200, { jsonrpc: '2.0', id, result: { content: [] } });
  });
  const well = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    const opened = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 's', version: '1' },
    };
    const result = method === 'initialize' ? opened : { tools: [] };
    if (id === undefined) response.writeHead(202).end();
    else json(response, 200, { jsonrpc: '2.0', id, result });
  });
  const upstreams = { mod: { url: broken.url, retry: { attempts: 1 } }, well: { url: well.url } };
  const gateway = await open({ upstreams });
  const trouble = async (): Promise<unknown> => {
    const { upstreams: all } = (await (await fetch(`${gateway.url}/-/status`)).json()) as {
      upstreams: { name: string; trouble?: unknown }[];
    };
    return all.find(({ name }) => name === 'mod')?.trouble;
  };
  return { gateway, trouble, broken };
}

it.each([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'unavailable'],
  [405, 'misconfigured'],
  [500, 'internal'],
  [501, 'unsupported'],
])('HTTP %i to everything', async (status, kind) => {
  const { gateway, trouble } = await house(status);
  const { message } = await post(`${gateway.url}/mcp`, call('tools/list'));
  expect(message.result?._meta?.['dev.mayday/unavailable']).toEqual(['mod']);
  await post(`${gateway.url}/mod/mcp`, callTool('do'));
  expect(await trouble()).toMatchObject({ kind });
  expect(gateway.logs.join('\n')).toContain('upstream=mod');
});

describe.each([
  [404, { error: 'no such endpoint' }, 'unavailable'],
  [404, { error: { message: 'no such endpoint' } }, 'unavailable'],
  [401, { error: 'invalid_token' }, 'unauthenticated'],
  [500, { error: 'database is down' }, 'internal'],
])('HTTP %i %j is no answer of MCP', (status, body, kind) => {
  it.each(['initialize', 'tools/list', 'tools/call'])('%s', async (method) => {
    const { gateway, trouble } = await house(status, {}, body);
    const asked = { initialize: INITIALIZE, 'tools/list': call('tools/list'), 'tools/call': callTool('do') };
    await post(`${gateway.url}/mod/mcp`, asked[method as keyof typeof asked]);
    expect(await trouble()).toMatchObject({ kind });
  });

  it('at /mcp', async () => {
    const { gateway, trouble } = await house(status, {}, body);
    await post(`${gateway.url}/mcp`, call('tools/list'));
    expect(await trouble()).toMatchObject({ kind });
  });
});

function refusing(message: string, code = -32000): object {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

describe.each([
  [403, refusing('Invalid Host header: gateway.example'), 'misconfigured'],
  [403, refusing('Forbidden'), 'forbidden'],
  [401, refusing('Unauthorized'), 'unauthenticated'],
  [500, refusing('Internal error', -32603), 'internal'],
])('an `initialize` that is refused with %i %j', (status, body, kind) => {
  it('at its own endpoint', async () => {
    const { gateway, trouble } = await house(status, {}, body);
    await post(`${gateway.url}/mod/mcp`, INITIALIZE);
    expect(await trouble()).toMatchObject({ kind });
  });

  it('at /mcp', async () => {
    const { gateway, trouble } = await house(status, {}, body);
    await post(`${gateway.url}/mcp`, call('tools/list'));
    expect(await trouble()).toMatchObject({ kind });
  });
});

it('a Host that is refused in the middle of a conversation is trouble, until it answers', async () => {
  const refused = { ...refusing('Invalid Host header: gateway.example'), unless: 'prompts/get' };
  const { gateway, trouble } = await house(403, {}, refused);
  await post(`${gateway.url}/mod/mcp`, callTool('do'));
  expect(await trouble()).toMatchObject({ kind: 'misconfigured' });
  await post(`${gateway.url}/mod/mcp`, call('prompts/get', { name: 'a' }));
  expect(await trouble()).toBeUndefined();
});

it.each([
  [400, refusing('Invalid params', -32602), INITIALIZE],
  [400, refusing('Unsupported protocol version', -32022), INITIALIZE],
  [429, refusing('Too many requests'), INITIALIZE],
  [403, { ...refusing('You may not do this'), id: 1 }, callTool('do')],
  [500, { ...refusing('API_KEY is not configured'), id: 1 }, callTool('do')],
])('HTTP %i %j to %j says nothing of the server', async (status, body, asked) => {
  const { gateway, trouble } = await house(status, {}, body);
  await post(`${gateway.url}/mod/mcp`, asked);
  expect(await trouble()).toBeUndefined();
});

it.each([
  [301, 'http://elsewhere.example/secret-path?key=1', 'http://elsewhere.example'],
  [308, '/mcp/', 'another path'],
])(
  'a redirect is a setting that is wrong, and is not followed (HTTP %i)',
  async (status, location, where) => {
    const { gateway, trouble, broken } = await house(status, { location });
    const { text, message } = await post(`${gateway.url}/mod/mcp`, callTool('do'));
    const words = `The server redirects to ${where} (HTTP ${status}), which is not followed; its \`url\` may have to change`;
    expect(message.result?._meta?.['dev.mayday/fault']).toMatchObject({
      kind: 'misconfigured',
      retryable: false,
      message: words,
    });
    expect(text).not.toContain('secret-path');
    expect(broken.seen).toHaveLength(1);
    expect(await trouble()).toMatchObject({ kind: 'misconfigured', message: words });
  },
);

it('an answer takes the trouble away, and one that is asked too often has none', async () => {
  let status = 404;
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    if (status !== 200) response.writeHead(status).end();
    else json(response, 200, { jsonrpc: '2.0', id, result: { content: [] } });
  });
  const gateway = await open({ upstreams: { mod: { url, retry: { attempts: 1 } } } });
  const troubles: unknown[] = [];
  for (status of [404, 200, 429]) {
    await post(`${gateway.url}/mod/mcp`, callTool('do'));
    const { upstreams } = (await (await fetch(`${gateway.url}/-/status`)).json()) as {
      upstreams: { trouble?: { kind: string } }[];
    };
    troubles.push(upstreams[0]?.trouble?.kind);
  }
  expect(troubles).toEqual(['unavailable', undefined, undefined]);
});

it('keeps a sentence of what a failing server says at length, not the page', async () => {
  const page = 'no seat is left on this flight '.repeat(10_000);
  const { url } = await upstream((_body, response) => response.writeHead(500).end(page));
  const gateway = await open({ upstreams: { mod: { url, retry: { attempts: 1 } } } });
  await post(`${gateway.url}/mod/mcp`, callTool('do'));
  const { upstreams } = (await (await fetch(`${gateway.url}/-/status`)).json()) as {
    upstreams: { trouble: { message: string } }[];
  };
  expect(upstreams[0]?.trouble.message).toMatch(/^no seat is left on this flight /);
  expect(upstreams[0]?.trouble.message.length).toBeLessThanOrEqual(4000);
});
