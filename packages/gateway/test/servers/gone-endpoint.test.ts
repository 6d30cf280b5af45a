/** A server whose endpoint is gone, as behind a proxy without its backend: nobody's argument is wrong. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, INITIALIZE, idIn, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

/** A shop that works until its proxy answers in its place. */
async function shop(settings: object = { retry: { attempts: 1 } }) {
  let gone: { readonly status: number; readonly body: string; readonly type: string } | undefined;
  const { url, seen } = await upstream((body, response) => {
    if (gone !== undefined)
      return void response
        .writeHead(gone.status, { 'content-type': gone.type })
        .end(gone.body.replace('ASKED', () => String(idIn(body))));
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const tools = [
      { name: 'get_order', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
      { name: 'pay', inputSchema: { type: 'object' } },
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
    upstreams: { shop: { url, ...settings } },
    virtual: { counter: { tools: ['shop/get_order'] } },
  });
  const answers = (status: number, body: string, type = 'text/plain'): void => {
    gone = { status, body, type };
  };
  const calls = (): number => seen.filter(({ body }) => body.includes('"tools/call"')).length;
  return { gateway, answers, calls };
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
      [404, 'default backend - 404', 'unavailable', 'no', 'is not there (HTTP 404: default backend - 404)'],
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

const PROBLEM = 'application/problem+json';
const problem = (status: number): string =>
  JSON.stringify({ type: 'about:blank', title: 'Odd', status, detail: 'No route matches this path' });

it.each(
  PLACES.flatMap(([path, tool]) =>
    [
      [404, 'unavailable', 'dependency', 'backoff'],
      [410, 'unavailable', 'dependency', 'backoff'],
      [405, 'misconfigured', 'terminal', 'never'],
    ].map(([status, kind, reaction, when]) => [path, status, { tool, kind, reaction, when }] as const),
  ),
)('%s: a problem document under HTTP %i is told of the server', async (path, status, expected) => {
  const { tool, kind, reaction, when } = expected;
  const { gateway, answers } = await shop();
  const place = `${gateway.url}${path}`;
  await post(place, callTool(tool, { id: 'o1' }));
  answers(status as number, problem(status as number), PROBLEM);
  const fault = faultIn(await post(place, callTool(tool, { id: 'o1' })));
  expect(fault).toMatchObject({ kind, reaction, origin: 'upstream', retry: { when } });
  expect(fault?.['message']).toContain(`(HTTP ${status}: No route matches this path)`);
  expect(fault?.['advice']).toContain('check its `url`');
});

it.each([
  ['a code of its own', { code: 'ORDER_NOT_FOUND' }, {}],
  ['members of a fault', { kind: 'not_found', reaction: 'terminal' }, {}],
  ['a server that is said to speak so', {}, { from: 'problem' }],
])('a problem document with %s keeps its word', async (_, members, settings) => {
  const { gateway, answers } = await shop({ retry: { attempts: 1 }, ...settings });
  answers(404, JSON.stringify({ title: 'Not found', status: 404, ...members }), PROBLEM);
  const fault = faultIn(await post(`${gateway.url}/shop/mcp`, callTool('get_order')));
  expect(fault).toMatchObject({ kind: 'not_found' });
});

it.each([
  ['get_order', 'Not Found', 3],
  ['get_order', 'Nobody home', 3],
  ['pay', 'Not Found', 3],
  ['pay', 'Nobody home', 1],
  ['pay', 'Order o1 not found', 1],
  ['pay', 'Cannot POST /mcp', 3],
  ['pay', 'Cannot POST /mail/mcp', 1],
  ['pay', '{"error":"Not Found","path":"/mcp"}', 3],
  ['pay', '{"error":"Not Found","path":"/mail/mcp"}', 1],
])('%s that is answered 404 %j is sent %i times', async (tool, body, times) => {
  const { gateway, answers, calls } = await shop({ retry: { attempts: 3 } });
  const place = `${gateway.url}/shop/mcp`;
  await post(place, call('tools/list'));
  answers(404, body);
  const before = calls();
  await post(place, callTool(tool));
  expect(calls() - before).toBe(times);
});

const TOLD_PAGE = `<html><head><title>Error</title></head><body><h1>Not here</h1>
<p>Refused for ada@example.com, password: hunter2-swordfish</p></body></html>`;

it.each(
  [404, 403, 502].flatMap((status) =>
    (
      [
        ['standard', false, false],
        ['secrets', false, true],
        ['off', true, true],
      ] as const
    ).map((expected) => [status, ...expected] as const),
  ),
)(
  'the line of a page under %i, redaction %s: secrets %s, people %s',
  async (status, redaction, secret, person) => {
    const { gateway, answers } = await shop({ retry: { attempts: 1 }, redaction });
    answers(status, TOLD_PAGE, 'text/html');
    const line = String(faultIn(await post(`${gateway.url}/shop/mcp`, callTool('get_order')))?.['message']);
    expect(line).toContain('Not here');
    expect([line.includes('hunter2-swordfish'), line.includes('ada@example.com')]).toEqual([secret, person]);
    const kept = await (await fetch(`${gateway.url}/-/faults?limit=100`)).text();
    expect(kept).toContain('Not here');
    expect(kept).not.toMatch(/hunter2-swordfish|ada@example/);
  },
);

it('leaves the repetitions to whoever counts them', async () => {
  const { gateway, answers, calls } = await shop({ retry: { attempts: 3 } });
  answers(404, '');
  await post(
    `${gateway.url}/shop/mcp`,
    call('tools/call', { name: 'pay', arguments: {}, _meta: { 'dev.mayday/attempt': 1 } }),
  );
  expect(calls()).toBe(1);
});

it('a message under 404, and words about a tool, keep their meaning', async () => {
  const { gateway, answers } = await shop();
  const place = `${gateway.url}/shop/mcp`;
  answers(404, '{"jsonrpc":"2.0","id":ASKED,"error":{"code":-32602,"message":"Unknown tool: get_order"}}');
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
  [410, 'Gone', 'check its `url`'],
  [502, '<h1>502 Bad Gateway</h1>', 'the proxy before it'],
  [
    503,
    '<html><head><title>Down</title></head><body>\n<p>Down for\nnow</p></body></html>',
    'the proxy before it',
  ],
])(
  'an opening that is answered HTTP %i names status, address and what to do',
  async (status, body, advice) => {
    const { gateway, answers } = await shop();
    answers(status, body);
    const { text } = await post(`${gateway.url}/shop/mcp`, INITIALIZE);
    expect(text).toContain(`HTTP ${status}`);
    expect(text).not.toMatch(/<|\\n/);
    expect(text).toContain('"executed":"no"');
    expect(text).toContain('its address is http://127.0.0.1:');
    expect(text).toContain(advice);
  },
);

it.each([
  [403, 'Forbidden', 'Forbidden (HTTP 403)'],
  [502, '{"message":"Bad Gateway"}', 'Bad Gateway (HTTP 502)'],
  [503, 'no healthy upstream.', 'no healthy upstream (HTTP 503)'],
  [502, '<html><body><h1>502 Bad Gateway</h1></body></html>', '502 Bad Gateway'],
  [500, '<html><body><p>Out of\n<b>order</b></p></body></html>', 'Out of order (HTTP 500)'],
])('HTTP %i %j in the middle of a conversation is told with its status', async (status, body, message) => {
  const { gateway, answers } = await shop();
  answers(status, body);
  const told = await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  expect([told.status, faultIn(told)]).toMatchObject([200, { message }]);
});

it('names all where the endpoints of all are gone', async () => {
  const { url } = await upstream((_body, response) => response.writeHead(404).end());
  const gateway = await open({ upstreams: { north: { url }, south: { url } } });
  const { message } = await post(`${gateway.url}/mcp`, call('tools/list'));
  expect(message.error?.message).toMatch(
    /^None of north and south could be asked\. (?:north|south): The endpoint of the server is not there \(HTTP 404\)/,
  );
});
