/** An HTTP API behind the gateway. */
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, json, later, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const DOCUMENT = fileURLToPath(new URL('../../test/shop.openapi.yaml', import.meta.url));

type Answer = Parameters<typeof upstream>[0];

async function shop(answer: Answer, config = {}) {
  const api = await upstream(answer);
  const gateway = await open({
    upstreams: {
      shop: {
        openapi: DOCUMENT,
        base_url: api.url.replace('/mcp', '/v1'),
        retry: { attempts: 1 },
        ...config,
      },
    },
  });
  return { url: `${gateway.url}/shop/mcp`, gateway, seen: api.seen };
}

const ok: Answer = (_body, response, request) =>
  json(response, 200, { path: request.url, method: request.method });

it('shows operations as tools', async () => {
  const { url } = await shop(ok);
  const tools = (await post(url, call('tools/list'))).message.result?.['tools'] as {
    name: string;
    inputSchema: object;
    annotations: object;
  }[];
  expect(tools.map(({ name }) => name)).toEqual(['getOrder', 'cancelOrder', 'createOrder']);
  expect(tools[0]).toMatchObject({ annotations: { readOnlyHint: true }, inputSchema: { required: ['id'] } });
  expect(tools[2]?.inputSchema).toMatchObject({
    properties: { body: { properties: { note: { type: ['string', 'null'] }, parts: { items: {} } } } },
  });
});

it('calls an operation with its arguments in their places', async () => {
  const { url, seen } = await shop(ok, { headers: { authorization: 'Bearer shop-token' } });
  const { message } = await post(
    url,
    callTool('getOrder', { id: 'A-1 ?#&2', fields: ['a', 'b&c'], 'X-Trace': 'one two: 3' }),
  );
  expect(message.result?.['structuredContent']).toEqual({
    path: '/v1/orders/A-1%20%3F%23%262?fields=a&fields=b%26c',
    method: 'GET',
  });
  expect(seen[0]?.headers).toMatchObject({
    authorization: 'Bearer shop-token',
    'x-trace': 'one two: 3',
    'user-agent': 'mayday-gateway',
  });
  await post(url, callTool('createOrder', { body: { item: 'x', quantity: 1 } }));
  expect(seen[1]).toMatchObject({ body: '{"item":"x","quantity":1}' });
});

it('reports everything that is wrong with the arguments, without calling', async () => {
  const { url, seen } = await shop(ok);
  const fault = faultIn(
    await post(url, callTool('createOrder', { body: { item: '', quantity: 'many' }, extra: 1 })),
  );
  expect(fault).toMatchObject({ kind: 'invalid_arguments', origin: 'caller' });
  const issues = fault?.['issues'] as { code: string }[] | undefined;
  expect(issues?.map(({ code }) => code).sort()).toEqual(['invalid_type', 'too_small', 'unrecognized_key']);
  expect(seen).toHaveLength(0);
});

const PROBLEM = { type: 'about:blank', title: 'Conflict', status: 409, detail: 'The order was shipped' };

it.each<[string, number, unknown, string]>([
  ['a problem document', 409, PROBLEM, 'conflict'],
  [
    'a Stripe body',
    402,
    { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } },
    'quota_exhausted',
  ],
  [
    'a Google body',
    403,
    { error: { code: 403, message: 'Permission denied', status: 'PERMISSION_DENIED' } },
    'forbidden',
  ],
  ['a bare status', 404, '', 'not_found'],
  ['a page of a proxy', 502, '<html>nginx</html>', 'upstream_failed'],
  ['a redirect', 302, '', 'upstream_failed'],
])('never takes a failure for a success: %s', async (_what, status, body, kind) => {
  const { url } = await shop((_body, response) => json(response, status, body));
  const posted = await post(url, callTool('cancelOrder', { id: 'A-1' }));
  expect([posted.message.result?.['isError'], faultIn(posted)?.['kind']]).toEqual([true, kind]);
});

it.each<[number, unknown, string]>([
  [400, { error: { message: 'Invalid integer: abc', param: 'n', type: 'invalid_request_error' } }, 'n: '],
  [400, { name: ['This field is required.'] }, 'name: This field is required.'],
  [400, { error: 'invalid_request', error_description: 'missing grant_type' }, 'missing grant_type'],
  [400, { message: 'Order 17 cannot be shipped', code: 'E17' }, 'Order 17 cannot be shipped'],
  [400, { message: 'Parse error: not JSON' }, 'Parse error: not JSON'],
  [400, { message: 'Invalid message' }, 'Invalid message'],
  [400, { message: 'Missing header: X-Shop' }, 'Missing header: X-Shop'],
  [400, { message: 'Invalid cursor' }, 'Invalid cursor'],
  [400, { error: { code: -32600, message: 'Invalid request' } }, 'Invalid request'],
  [400, null, ''],
  [400, 5, ''],
  [411, { message: 'Length Required' }, 'Length Required'],
  [421, '', ''],
  [422, { errors: { status: ['is not a status'] } }, 'status: is not a status'],
  [422, { message: 'must be positive', field: 'amount' }, 'amount: must be positive'],
])('takes no %i for a request that was none: %j', async (status, body, words) => {
  const { url } = await shop((_body, response) => json(response, status, body));
  for (const dialect of ['mayday', 'mcp', 'mcp@2025-11-25', 'tool-failure']) {
    const { message } = await post(url, callTool('cancelOrder', { id: 'A-1' }), {
      'mayday-dialect': dialect,
    });
    const { isError, content } = (message.result ?? {}) as {
      isError?: boolean;
      content?: { text: string }[];
    };
    expect([dialect, isError, message.error]).toEqual([dialect, true, undefined]);
    expect(content?.[0]?.text).toContain(words);
  }
  const posted = await post(url, callTool('cancelOrder', { id: 'A-1' }));
  expect(faultIn(posted)?.['kind']).not.toMatch(/invalid_request|parse_error/);
});

it('takes a host that is not served for a setting that is wrong', async () => {
  const { url } = await shop((_body, response) => response.writeHead(421).end());
  expect(faultIn(await post(url, callTool('getOrder', { id: 'A-1' })))).toMatchObject({
    kind: 'misconfigured',
    executed: 'no',
    advice: expect.stringContaining('base_url'),
  });
});

it.each(['Session not found', 'Unknown tool: hammer', 'Resource not found: file:///a'])(
  'takes what an API says of its own things for no word about the protocol: %s',
  async (error) => {
    const { url, seen } = await shop((_body, response) => json(response, 404, { error }));
    const params = { name: 'createOrder', arguments: { body: { item: 'x', quantity: 1 } } };
    const message = call('tools/call', { ...params, _meta: { 'dev.mayday/idempotency-key': 'k-1' } });
    const posted = await post(url, message);
    expect(posted.message.result?.['isError']).toBe(true);
    expect(faultIn(posted)).toMatchObject({ kind: 'not_found', executed: 'maybe' });
    expect(faultIn(posted)).not.toHaveProperty('subject');
    await post(url, message);
    expect(seen).toHaveLength(1);
  },
);

it.each([400, 401, 403, 404, 405, 407, 413, 421, 426, 429, 431])(
  'takes no answer to what changes something for a proof that nothing happened: a bare %i',
  async (status) => {
    const { url, seen } = await shop((_body, response) => response.writeHead(status).end());
    const params = { name: 'createOrder', arguments: { body: { item: 'x', quantity: 1 } } };
    const message = call('tools/call', { ...params, _meta: { 'dev.mayday/idempotency-key': 'k-1' } });
    expect(faultIn(await post(url, message))).toMatchObject({ executed: 'maybe' });
    await post(url, message);
    expect(seen).toHaveLength(1);
    expect(faultIn(await post(url, callTool('getOrder', { id: 'A-1' })))).toMatchObject({ executed: 'no' });
  },
);

it('names where a redirect leads, and does not go there', async () => {
  const headers = { location: 'https://login.example/start?token=hunter2' };
  const { url, seen } = await shop((_body, response) => json(response, 302, {}, headers));
  const posted = await post(url, callTool('cancelOrder', { id: 'A-1' }));
  expect(faultIn(posted)).toMatchObject({ kind: 'misconfigured', executed: 'maybe' });
  expect(posted.text).toContain(
    'a redirect (HTTP 302) that leads to https://login.example, and what changes something is not sent twice',
  );
  expect([seen.length, posted.text.includes('hunter2')]).toEqual([1, false]);
});

it('tells the model what a page says, without its markup and not without end', async () => {
  const page = '<!doctype html><html><head><title>503 Backend\n fetch failed</title></head><body><h1>Guru';
  const { url, gateway } = await shop((_body, response) => {
    response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`${page}${' Meditation'.repeat(1000)}</h1>`);
  });
  const posted = await post(url, callTool('cancelOrder', { id: 'A-1' }));
  expect(faultIn(posted)?.['kind']).toBe('unavailable');
  expect(posted.text).toContain('Guru Meditation');
  expect(posted.text).not.toMatch(/doctype|<h1>/);
  expect(posted.text.length).toBeLessThan(4000);
  expect(gateway.faults.list()[0]?.original).toContain('Guru Meditation');
});

it.each([[429], [500], [502], [503], [504]])(
  'sends a POST once, whatever it is answered: %d',
  async (status) => {
    const answer: Answer = (_body, response) => json(response, status, {}, { 'retry-after': '0' });
    const { url, seen } = await shop(answer, { retry: { attempts: 3, max_wait_ms: 5000 } });
    await post(url, call('tools/list'));
    const posted = await post(url, callTool('createOrder', { body: { item: 'x', quantity: 1 } }));
    expect([posted.message.result?.['isError'], seen.length]).toEqual([true, 1]);
  },
);

it('passes the key of a call on to an operation that takes one', async () => {
  const { url, seen } = await shop(ok);
  const params = { name: 'createOrder', arguments: { body: { item: 'x', quantity: 1 } } };
  await post(url, call('tools/call', { ...params, _meta: { 'dev.mayday/idempotency-key': 'k-1' } }));
  await post(url, call('tools/call', params));
  expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['k-1', undefined]);
});

it.each(['', ' ', 'mine'])('lets nobody say the key of an operation as an argument: %j', async (said) => {
  const { url, seen } = await shop(ok);
  const args = { body: { item: 'x', quantity: 1 }, 'Idempotency-Key': said };
  const _meta = { 'dev.mayday/idempotency-key': 'k-1' };
  const posted = await post(url, call('tools/call', { name: 'createOrder', arguments: args, _meta }));
  expect(faultIn(posted)).toMatchObject({
    kind: 'invalid_arguments',
    executed: 'no',
    issues: [{ path: ['Idempotency-Key'] }],
  });
  expect(seen).toHaveLength(0);
});

it.each<[string, object, string]>([
  ['cancelOrder', { id: 'A-..%2f..' }, 'id'],
  ['getOrder', { id: 'A-1', 'X-Trace': 'one\r\ntwo: 3' }, 'X-Trace'],
  ['getOrder', { id: 'A-1', 'X-Trace': '\u0001' }, 'X-Trace'],
  ['getOrder', { id: 'A-\ud800' }, 'id'],
  ['getOrder', { id: 'A-1', fields: ['\udfff'] }, 'fields'],
])('sends nothing for %s %j, and holds nothing against the API', async (tool, args, field) => {
  const { url, seen } = await shop(ok, { breaker: { failures: 1 } });
  for (let i = 0; i < 3; i++) {
    expect(faultIn(await post(url, callTool(tool, args)))).toMatchObject({
      kind: 'invalid_arguments',
      executed: 'no',
      issues: [{ path: [field] }],
    });
  }
  expect(seen).toHaveLength(0);
  expect((await post(url, callTool('getOrder', { id: 'A-1' }))).message.result?.['isError']).toBeUndefined();
});

it('keeps bytes that are no text as they are', async () => {
  const { url } = await shop((_body, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    response.end(Buffer.from([0xff, 0xfe, 0x00]));
  });
  expect((await post(url, callTool('getOrder', { id: 'A-1' }))).message.result?.['content']).toEqual([
    { type: 'resource', resource: { uri: 'attachment:answer', mimeType: 'application/pdf', blob: '//4A' } },
  ]);
});

it('says that it is done when there is nothing to show', async () => {
  const { url } = await shop((_body, response) => response.writeHead(204).end());
  expect((await post(url, callTool('cancelOrder', { id: 'A-1' }))).message.result).toEqual({
    content: [{ type: 'text', text: 'Done (HTTP 204)' }],
  });
});

it.each<[number, Record<string, string>, string]>([
  [201, { location: '/orders/9', etag: '"v7"' }, 'Done (HTTP 201)\nLocation: /orders/9\nETag: "v7"'],
  [
    202,
    { location: '/jobs/1', 'retry-after': '5' },
    'Accepted, not done yet (HTTP 202)\nLocation: /jobs/1\nRetry-After: 5',
  ],
  [202, {}, 'Accepted, not done yet (HTTP 202)'],
])('says what was made where there is no body: %i %j', async (status, headers, text) => {
  const { url } = await shop((_body, response) => response.writeHead(status, headers).end());
  const answer = await post(url, callTool('createOrder', { body: { item: 'x', quantity: 1 } }));
  expect(answer.message.result).toEqual({ content: [{ type: 'text', text }] });
});

it('warns of what a keyed call may have done: whoever calls again makes another key', async () => {
  const { url } = await shop((_body, response) => json(response, 503, ''));
  await post(url, call('tools/list'));
  const args = { body: { item: 'x', quantity: 1 } };
  const _meta = { 'dev.mayday/idempotency-key': 'k-1' };
  const posted = await post(url, call('tools/call', { name: 'createOrder', arguments: args, _meta }));
  expect(faultIn(posted)).toMatchObject({ executed: 'maybe' });
  expect(posted.text).toContain('It may have happened; check before you repeat a change.');
  const read = await post(url, callTool('getOrder', { id: 'A-1' }));
  expect([faultIn(read)?.['kind'], read.text.includes('may have happened')]).toEqual(['unavailable', false]);
});

it('lists an operation that takes keys as one that does', async () => {
  const { url } = await shop(ok);
  const { message } = await post(url, call('tools/list'));
  const tools = message.result?.['tools'] as readonly { name: string; _meta?: object }[];
  expect(tools.filter(({ _meta }) => _meta !== undefined)).toMatchObject([
    { name: 'createOrder', _meta: { 'dev.mayday/idempotency-key': true } },
  ]);
});

it('tells the operator which operations are not there', async () => {
  const { url, gateway } = await shop(ok, { operations: ['getOrdr', 'createOrder'] });
  const { message } = await post(url, call('tools/list'));
  expect(message.result?.['tools']).toMatchObject([{ name: 'createOrder' }]);
  expect(gateway.logs).toContain('upstream=shop There is no operation getOrdr; did you mean getOrder?');
});

it('shows a body without what it must not show, and keeps it for the operator', async () => {
  const { url, gateway } = await shop((_body, response) =>
    json(response, 500, { trace: 'at db.connect (/srv/app/db.js:1:1)', dsn: 'postgres://app:hunter2@db/x' }),
  );
  const posted = await post(url, callTool('cancelOrder', { id: 'A-1' }));
  expect(posted.text).not.toMatch(/hunter2|db\.js/);
  expect(posted.text).toContain('[stack:1]');
  const [entry] = gateway.faults.list();
  expect(entry?.original).toContain('dsn');
  expect(entry?.original).not.toContain('hunter2');
});

it('repeats what only reads', async () => {
  let failures = 1;
  const { url, seen } = await shop(
    (_body, response) => (failures-- > 0 ? json(response, 503, {}) : json(response, 200, {})),
    { retry: { attempts: 2 } },
  );
  await post(url, call('tools/list'));
  expect((await post(url, callTool('getOrder', { id: 'A-1' }))).message.result?.['isError']).toBeUndefined();
  expect(seen).toHaveLength(2);
});

it('knows no tool that the document does not have', async () => {
  const { url } = await shop(ok);
  const posted = await post(url, callTool('getOrders'));
  expect(posted.message.error?.code).toBe(-32602);
  expect(posted.text).toContain('Did you mean getOrder?');
});

it('says what is wrong with a document that cannot be used', async () => {
  const gateway = await open({
    upstreams: { shop: { openapi: '/nowhere.yaml' }, fine: { url: 'http://127.0.0.1:9/mcp' } },
  });
  later(() => undefined);
  const posted = await post(`${gateway.url}/shop/mcp`, call('tools/list'));
  expect(faultIn(posted)).toMatchObject({ kind: 'misconfigured', origin: 'gateway' });
  expect(posted.text).not.toContain('/nowhere.yaml');
});

it.each([
  ['names no server', {}],
  ['has one beside itself', { servers: [{ url: '/v1' }] }],
  [
    'has operations beside itself',
    { paths: { '/x': { servers: [{ url: '/v1' }], get: { operationId: 'x' } } } },
  ],
  ['is of Swagger 2.0', { openapi: undefined, swagger: '2.0', basePath: '/v1' }],
])(
  'calls the API where the operator said, though its document is elsewhere by now and %s',
  async (_, more) => {
    const info = { title: 'T', version: '1' };
    const document = { openapi: '3.1.0', info, paths: { '/x': { get: { operationId: 'x' } } }, ...more };
    const elsewhere = await upstream((_body, response) => json(response, 200, document));
    const api = await upstream((_body, response, { url }) => {
      if (url === '/mcp') response.writeHead(302, { location: elsewhere.url }).end();
      else json(response, 200, { fine: true });
    });
    const secrets = { headers: { authorization: 'Bearer own' }, query: { key: 'q' } };
    const gateway = await open({ upstreams: { a: { openapi: api.url, ...secrets } } });
    const { message } = await post(`${gateway.url}/a/mcp`, callTool('x'));
    expect(message.result?.['structuredContent']).toEqual({ fine: true });
    expect(api.seen.at(-1)?.headers['authorization']).toBe('Bearer own');
    expect(elsewhere.seen.map(({ headers }) => headers['authorization'])).toEqual([undefined]);
    const { origin } = new URL(elsewhere.url);
    expect(gateway.logs.join('\n')).toContain(
      `upstream=a the document is at ${origin} by now; the API is called at ${new URL(api.url).origin}, unless base_url says otherwise`,
    );
  },
);

it('an operation that always says no is held back alone: the API answers', async () => {
  const { url, seen } = await shop((_body, response, { method }) =>
    method === 'DELETE' ? json(response, 503, { error: 'the ledger is down' }) : json(response, 200, {}),
  );
  for (let again = 0; again < 8; again += 1) await post(url, callTool('cancelOrder', { id: 'A-1' }));
  expect(seen.length).toBeLessThan(8);
  expect(faultIn(await post(url, callTool('cancelOrder', { id: 'A-1' })))).toMatchObject({
    origin: 'gateway',
  });
  const { message } = await post(url, callTool('getOrder', { id: 'A-1' }));
  expect(message.result?.['isError']).toBeUndefined();
  expect(message.result?.['structuredContent']).toEqual({});
});
