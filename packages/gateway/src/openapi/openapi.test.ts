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
    callTool('getOrder', { id: 'A-1/2', fields: ['a', 'b'], 'X-Trace': 'one\r\ntwo: 3' }),
  );
  expect(message.result?.['structuredContent']).toEqual({
    path: '/v1/orders/A-1%2F2?fields=a&fields=b',
    method: 'GET',
  });
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer shop-token', 'x-trace': 'one two: 3' });
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

it('never shows the raw body, and keeps it for the operator', async () => {
  const { url, gateway } = await shop((_body, response) =>
    json(response, 500, { trace: 'at db.connect (/srv/app/db.js:1:1)', dsn: 'postgres://app:hunter2@db/x' }),
  );
  const posted = await post(url, callTool('cancelOrder', { id: 'A-1' }));
  expect(posted.text).not.toMatch(/hunter2|db\.js|postgres/);
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
