/** A server whose endpoint is gone, as behind a proxy without its backend: nobody's argument is wrong. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

/** A shop that works until its proxy answers in its place. */
async function shop() {
  let gone: { readonly status: number; readonly body: string } | undefined;
  const { url } = await upstream((body, response) => {
    if (gone !== undefined) return void response.writeHead(gone.status).end(gone.body);
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const tools = [
      { name: 'get_order', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    ];
    const results: { [method: string]: object } = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'shop', version: '1' },
      },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: 'order o1' }] },
    };
    json(response, 200, { jsonrpc: '2.0', id, result: results[method] ?? {} });
  });
  const gateway = await open({
    upstreams: { shop: { url, retry: { attempts: 1 } } },
    virtual: { counter: { tools: ['shop/get_order'] } },
  });
  const answers = (status: number, body: string): void => {
    gone = { status, body };
  };
  return { gateway, answers };
}

const PLACES = [
  ['/shop/mcp', 'get_order'],
  ['/mcp', 'shop_get_order'],
  ['/counter/mcp', 'shop_get_order'],
] as const;

it.each(
  PLACES.flatMap(([path, tool]) =>
    [
      [404, '404 page not found\n', 'unavailable', 'no', 'is not there (HTTP 404: 404 page not found)'],
      [404, '', 'unavailable', 'no', 'is not there (HTTP 404)'],
      [
        404,
        'default backend - 404',
        'unavailable',
        'maybe',
        'is not there (HTTP 404: default backend - 404)',
      ],
      [410, 'Gone', 'unavailable', 'maybe', 'is gone (HTTP 410: Gone)'],
      [405, '', 'misconfigured', 'no', 'does not take messages (HTTP 405)'],
    ].map(
      ([status, body, kind, executed, says]) => [path, status, body, { tool, kind, executed, says }] as const,
    ),
  ),
)('%s: HTTP %i %j is told of the server', async (path, status, body, { tool, kind, executed, says }) => {
  const { gateway, answers } = await shop();
  const place = `${gateway.url}${path}`;
  expect((await post(place, callTool(tool, { id: 'o1' }))).text).toContain('order o1');
  answers(status as number, body as string);
  const fault = faultIn(await post(place, callTool(tool, { id: 'o1' })));
  expect(fault).toMatchObject({ kind, executed, origin: 'upstream' });
  expect(fault?.['message']).toContain(`The endpoint of the server ${says}`);
  expect(fault?.['advice']).toContain('check its `url`');
});

it('a message under 404, and words about a tool, keep their meaning', async () => {
  const { gateway, answers } = await shop();
  const place = `${gateway.url}/shop/mcp`;
  answers(404, '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: get_order"}}');
  expect(faultIn(await post(place, callTool('get_order')))?.['kind']).not.toBe('unavailable');
  answers(404, 'Tool get_order not found');
  expect(faultIn(await post(place, callTool('get_order')))).toMatchObject({ kind: 'not_found' });
});

it('the opening says it too', async () => {
  const { gateway, answers } = await shop();
  answers(404, 'Cannot POST /');
  const { text } = await post(`${gateway.url}/shop/mcp`, INITIALIZE);
  expect(text).toContain('HTTP 404: Cannot POST /');
  expect(text).toContain('check its `url`');
});

it.each([
  [403, '<html><title>Access denied</title></html>', 'correct `url` or the credential'],
  [404, 'Cannot POST /', 'check its `url`'],
  [405, '', 'check its `url`'],
  [502, '<h1>502 Bad Gateway</h1>', 'the proxy before it'],
])(
  'an opening that is answered HTTP %i names status, address and what to do',
  async (status, body, advice) => {
    const { gateway, answers } = await shop();
    answers(status, body);
    const { text } = await post(`${gateway.url}/shop/mcp`, INITIALIZE);
    expect(text).toContain(`HTTP ${status}`);
    expect(text).toContain('its address is http://127.0.0.1:');
    expect(text).toContain(advice);
  },
);
