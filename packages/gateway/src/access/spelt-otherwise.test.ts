/** A URI in another spelling is no way round what is decided about it. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, json, open, type Posted, post, upstream } from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

/** A server that reads whatever it is asked for, and what it was asked. */
async function server(): Promise<{ readonly url: string; readonly asked: unknown[] }> {
  const asked: unknown[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: unknown };
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize')
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { resources: { subscribe: true }, completions: {} },
          serverInfo: { name: 'demo', version: '1' },
        },
      });
    else {
      asked.push(params);
      const completion = { values: [] };
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        result: { contents: [{ uri: 'x', text: 'x' }], completion },
      });
    }
  });
  return { url, asked };
}

async function gatewayWith(more: Partial<SettingsFile>) {
  const { url, asked } = await server();
  const gateway = await open({ upstreams: { demo: { url } }, ...more });
  return { url: gateway.url, asked };
}

const kindIn = (posted: Posted): string =>
  posted.message.result !== undefined && posted.message.result['isError'] !== true
    ? 'done'
    : String(faultIn(posted)?.['kind']);

const OTHERWISE = [
  'demo://r/static/a.md',
  'DEMO://r/static/a.md',
  'de\tmo://r/static/a.md',
  ' demo://r/static/a.md',
  'demo://r/x/../static/a.md',
  'demo://r/./static/a.md',
  'demo://r/%73tatic/a.md',
  'demo://r/static%2Fa.md',
  'demo://r/x/..%2Fstatic/a.md',
  'demo://r//static/a.md',
  'demo://x/../r/static/a.md',
];

it.each(OTHERWISE)('denies %j, at every endpoint and for every method', async (uri) => {
  const { url, asked } = await gatewayWith({ access: { rules: [{ deny: ['demo/demo://r/static/*'] }] } });
  for (const path of ['/demo/mcp', '/mcp'])
    for (const message of [
      call('resources/read', { uri }),
      call('resources/subscribe', { uri }),
      call('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: 'x', value: '' } }),
    ])
      expect(kindIn(await post(`${url}${path}`, message))).toBe('forbidden');
  expect(asked).toEqual([]);
});

it.each(['https://secret.example./a', 'https://u@secret.example:8443/a', 'demo://u@Payroll:80/a'])(
  'denies the host of %j, at every endpoint and for every method',
  async (uri) => {
    const deny = ['demo/https://secret.example/*', 'demo/demo://Payroll/*'];
    const { url, asked } = await gatewayWith({ access: { rules: [{ deny }] } });
    for (const path of ['/demo/mcp', '/mcp'])
      for (const [method, params] of [
        ['resources/read', { uri }],
        ['resources/subscribe', { uri }],
        ['completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: 'x', value: '' } }],
      ] as const)
        expect(kindIn(await post(`${url}${path}`, call(method, params)))).toBe('forbidden');
    expect(asked).toEqual([]);
  },
);

it.each([
  ['demo://r/static/a.md', 'done'],
  ['demo://r/static/my%20file.md', 'done'],
  ['demo://r/static/a%2Fb?c=d%2Fe', 'done'],
  ['demo://r/static/../dynamic/1', 'forbidden'],
  ['demo://r/static/%2e%2e/dynamic/1', 'forbidden'],
  ['demo://r/static/..%2fdynamic/1', 'forbidden'],
  ['demo://r/one%20file.md', 'done'],
  ['demo://r/one file.md', 'forbidden'],
  ['https://example.com', 'done'],
  ['https://example.com/', 'done'],
  ['https://example.com/a', 'forbidden'],
])('with default: deny, %j is %s', async (uri, kind) => {
  const allow = ['demo/demo://r/static/*', 'demo/demo://r/one%20file.md', 'demo/https://example.com'];
  const { url } = await gatewayWith({ access: { default: 'deny', rules: [{ allow }] } });
  expect(kindIn(await post(`${url}/demo/mcp`, call('resources/read', { uri })))).toBe(kind);
});

it('asks for consent to whatever may need it', async () => {
  const { url, asked } = await gatewayWith({
    store: 'memory:',
    access: { rules: [{ approve: ['demo/demo://r/blob/*'] }] },
  });
  for (const uri of ['demo://r/blob/1', 'DEMO://r/blob/1', 'demo://r/static/../blob/1'])
    expect(kindIn(await post(`${url}/demo/mcp`, call('resources/read', { uri })))).toBe('approval_required');
  expect(asked).toEqual([]);
});

it('denies before it asks for consent, and does not name scopes that would not help', async () => {
  const { url } = await gatewayWith({
    store: 'memory:',
    access: {
      rules: [
        { approve: ['demo/D*'] },
        { deny: ['demo/demo://r/a'] },
        { allow: ['demo/demo://r/b'], scopes: ['read'] },
        { deny: ['demo/*/c'] },
      ],
    },
  });
  const read = async (uri: string) => faultIn(await post(`${url}/demo/mcp`, call('resources/read', { uri })));
  expect(await read('DEMO://r/a')).toMatchObject({
    kind: 'forbidden',
    message: 'You may not use the resource DEMO://r/a',
  });
  expect((await read('demo://r/b/../c'))?.['message']).not.toContain('read');
});

it('lets tools keep their capitals', async () => {
  const { url } = await gatewayWith({
    access: { default: 'deny', rules: [{ allow: ['demo/Notes:Add'] }] },
  });
  const kinds = [];
  for (const name of ['Notes:Add', 'notes:Add'])
    kinds.push(kindIn(await post(`${url}/demo/mcp`, call('tools/call', { name }))));
  expect(kinds).toEqual(['done', 'forbidden']);
});

it('counts all spellings together, by the limit that is meant', async () => {
  const { url } = await gatewayWith({
    limits: { rates: [{ calls: 2, per_ms: 60_000, by: ['tool'], tools: ['demo/demo://r/blob/*'] }] },
  });
  const kinds = [];
  for (const uri of ['demo://r/blob/1', 'DEMO://r/blob/1', 'demo://r/a/../blob/1', 'demo://r/other'])
    kinds.push(kindIn(await post(`${url}/demo/mcp`, call('resources/read', { uri }))));
  expect(kinds).toEqual(['done', 'done', 'rate_limited', 'done']);
});

it('counts for as much as the dearest reading costs', async () => {
  const { url } = await gatewayWith({
    limits: { rates: [{ calls: 5, per_ms: 60_000, costs: { 'demo/demo://r/blob/*': 5 } }] },
  });
  const kinds = [];
  for (const uri of ['DEMO://r/blob/1', 'demo://r/other'])
    kinds.push(kindIn(await post(`${url}/demo/mcp`, call('resources/read', { uri }))));
  expect(kinds).toEqual(['done', 'rate_limited']);
});
