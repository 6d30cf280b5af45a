/** A server that answers everything with a status of HTTP is in trouble, and the operator and the lists say so. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

async function house(status: number, headers: { [name: string]: string } = {}) {
  const broken = await upstream((_body, response) => response.writeHead(status, headers).end());
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
