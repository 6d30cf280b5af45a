/** A cursor that nobody gave is no first page, wherever the gateway itself lists: `/mcp`, virtual servers, lazy discovery and APIs. */
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;
const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 's', version: '1' },
};

/** Two pages of everything, and no other cursor than that of the second. */
async function paged(): Promise<string> {
  const { url } = await upstream((body, response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    const cursor = params?.cursor;
    const answer = (said: object): void => json(response, 200, { jsonrpc: '2.0', id, ...said });
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize') return answer({ result: OPENED });
    if (cursor !== undefined && cursor !== 'second')
      return answer({ error: { code: -32602, message: 'Invalid cursor' } });
    const name = cursor ?? 'first';
    const item = {
      name,
      uri: `s://${name}`,
      uriTemplate: `s://${name}/{x}`,
      inputSchema: { type: 'object' },
    };
    const key = method === 'resources/templates/list' ? 'resourceTemplates' : method.split('/')[0];
    answer({ result: { [key]: [item], ...(cursor === undefined ? { nextCursor: 'second' } : {}) } });
  });
  return url;
}

async function gatewayWith(dialect = 'mayday') {
  const url = await paged();
  const spec = fileURLToPath(new URL('../shop.openapi.yaml', import.meta.url));
  const { url: at } = await open({
    dialect: dialect as 'mayday',
    upstreams: {
      s: { url },
      lazy: { url, tools: { discovery: 'lazy' } },
      shop: { openapi: spec, base_url: 'http://127.0.0.1:9' },
    },
    virtual: { v: { tools: ['s/*'] } },
  });
  return async (endpoint: string, method: string, params: object) => {
    const opened = await post(`${at}${endpoint}`, INITIALIZE);
    const session = opened.headers.get('mcp-session-id');
    return post(
      `${at}${endpoint}`,
      call(method, params),
      session === null ? {} : { 'mcp-session-id': session },
    );
  };
}

describe('a cursor that nobody gave', () => {
  it.each([
    ['/mcp', LISTS],
    ['/v/mcp', ['tools/list']],
    ['/lazy/mcp', ['tools/list']],
    ['/shop/mcp', ['tools/list']],
    ['/s/mcp', LISTS],
  ])('is -32602 at %s', async (endpoint, methods) => {
    const ask = await gatewayWith();
    for (const method of methods)
      for (const cursor of ['zzz', '', 'second ']) {
        const { message } = await ask(endpoint, method, { cursor });
        expect([method, cursor, message.error?.code, message.error?.message]).toEqual([
          method,
          cursor,
          -32602,
          'Invalid cursor',
        ]);
      }
  });

  it.each([
    ['mayday', -32602],
    ['mcp', -32602],
    ['erlmcp', -32071],
    ['platica', -32602],
  ])('is a failure of the request in %s', async (dialect, code) => {
    const ask = await gatewayWith(dialect);
    for (const endpoint of ['/mcp', '/shop/mcp', '/lazy/mcp'])
      expect((await ask(endpoint, 'tools/list', { cursor: 'zzz' })).message.error?.code).toBe(code);
  });

  it('is no cursor at all where it is no text', async () => {
    const ask = await gatewayWith();
    for (const endpoint of ['/mcp', '/shop/mcp', '/lazy/mcp'])
      expect((await ask(endpoint, 'tools/list', { cursor: 3 })).message.error).toMatchObject({
        code: -32602,
        message: 'params.cursor: Invalid input: expected string, received number',
      });
  });
});

it('without a cursor, and with one that is said to be none, everything is on one page', async () => {
  const ask = await gatewayWith();
  for (const params of [{}, { cursor: null }]) {
    const { message } = await ask('/mcp', 'prompts/list', params);
    const prompts = message.result?.['prompts'] as { readonly name: string }[];
    expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(['s_first', 's_second']));
    expect(message.result).not.toHaveProperty('nextCursor');
  }
});
