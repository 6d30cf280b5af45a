/** Who may use the admin API, how often, from where and in what form. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanUp } from '../tools.ts';
import { type Answered, type House, OPS, openHouse } from './house.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({
    admin: { requests_per_minute: 120 },
    listen: { allowed_origins: ['*', 'https://ops.example'] },
  });
});
afterAll(async () => {
  await house.close();
  await cleanUp();
});

it.each([
  ['https://evil.example', 403],
  ['http://localhost:3000', 403],
  ['null', 403],
  ['https://ops.example', 200],
])('a page of %s is answered %i', async (origin, status) => {
  const answered = await house.ask('GET', '/keys', { headers: { origin } });
  expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([status, null]);
});

it.each([
  ['cross-site', 403],
  ['same-site', 403],
  ['same-origin', 200],
  ['none', 200],
])('what a browser says is %s is answered %i', async (site, status) => {
  expect((await house.ask('GET', '/keys', { headers: { 'sec-fetch-site': site } })).status).toBe(status);
});

it('a page of the gateway itself may ask', async () => {
  expect((await house.ask('GET', '/keys', { headers: { origin: house.gateway.url } })).status).toBe(200);
});

it.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/jsonx', 415],
  ['application/json; charset=utf-8', 400],
])('a change as %s is answered %i', async (type, status) => {
  const { status: said, body } = await house.ask('POST', '/keys', {
    body: {},
    headers: { 'content-type': type },
  });
  expect([said, body.executed]).toEqual([status, 'no']);
});

it.each([
  ['{"name": ', 400, 'parse_error'],
  ['[]', 400, 'invalid_arguments'],
  ['null', 400, 'invalid_arguments'],
  [`{"name":"${'x'.repeat(300_000)}"}`, 413, 'too_large'],
  ['['.repeat(100_000), 400, 'parse_error'],
])('takes no %.20s', async (body, status, kind) => {
  const answered = await house.ask('POST', '/keys', { body });
  expect([answered.status, answered.body.kind]).toEqual([status, kind]);
});

it.each([
  ['GET', '/kyes', 404, 'Did you mean /-/admin/v1/keys?'],
  ['GET', '', 404, '/-/admin/v1/openapi.json describes what there is.'],
  ['GET', '/keys/', 404, 'Did you mean /-/admin/v1/keys?'],
  ['GET', '/faults/grups', 404, 'Did you mean /-/admin/v1/faults/groups?'],
  ['GET', '/faults/grups/1.e8e254b019cc4907', 404, 'Did you mean /-/admin/v1/faults/groups/{fingerprint}?'],
  ['POST', '/keys/3fa91c20b7de/rotat', 404, 'Did you mean /-/admin/v1/keys/{id}/rotate?'],
  ['POST', '/key/3fa91c20b7de/revok', 404, 'Did you mean /-/admin/v1/keys/{id}/revoke?'],
  ['POST', `/approvals/${'x'.repeat(90)}/aprove`, 404, 'Did you mean /-/admin/v1/approvals/{id}/approve?'],
  ['POST', '/keys/3fa91c20b7de/destroy', 404, '/-/admin/v1/openapi.json describes what there is.'],
])('%s %s is not there', async (method, path, status, advice) => {
  const { status: said, body } = await house.ask(method, path);
  expect([said, body.kind, body.advice]).toEqual([status, 'not_found', expect.stringContaining(advice)]);
});

it.each([
  ['POST', '/status', 'GET, HEAD'],
  ['DELETE', '/keys', 'GET, HEAD, POST'],
  ['PUT', '/keys/a', 'GET, HEAD'],
  ['OPTIONS', '/keys/a/rotate', 'POST'],
  ['POST', '/faults/stream', 'GET, HEAD'],
])('%s %s is not served', async (method, path, allow) => {
  const { status, headers } = await house.ask(method, path);
  expect([status, headers.get('allow')]).toEqual([405, allow]);
});

it.each([
  ['/faults?limt=1', 'limt: Unknown parameter; did you mean limit?'],
  ['/faults?limit=0', 'limit: Must be >= 1'],
  ['/faults?limit=x', 'limit: Must be integer'],
  ['/faults?limit=1&limit=2', 'limit: It is here twice'],
  [
    '/faults?after=x',
    'after: Expected the id of a failure: only those that came after it, the oldest first.',
  ],
  ['/keys?x=1', 'x: Unknown parameter; none is taken here'],
  [
    '/audit/verify?known=3',
    'known: Expected the number and the hash of a row that was noted elsewhere, as N:HASH',
  ],
  [
    '/faults/groups/x?since=yesterday',
    'since: Expected counts since this time, such as 2026-01-31T12:00:00Z; of the last day, if absent.',
  ],
])('%s is told what is wrong', async (path, detail) => {
  const { status, body } = await house.ask('GET', path);
  expect([status, body.kind, body.detail]).toEqual([400, 'invalid_arguments', detail]);
});

it('speaks the dialect that is asked for', async () => {
  const { headers, body } = await house.ask('GET', '/kyes', { headers: { 'mayday-dialect': 'mayday' } });
  expect([headers.get('content-type'), body.error.data.kind]).toEqual(['application/json', 'not_found']);
});

it('says how it is, as the status endpoint does', async () => {
  const { body } = await house.ask('GET', '/status');
  const plain = await fetch(`${house.gateway.url}/-/status`, { headers: { authorization: `Bearer ${OPS}` } });
  expect(body).toEqual(await plain.json());
  expect(body.upstreams).toMatchObject([{ name: 'bank', type: 'url', circuit: 'closed' }]);
  const head = await house.ask('HEAD', '/status');
  expect([head.status, head.body]).toEqual([200, undefined]);
});

it('lets an operator ask so often, and tells how long to wait', async () => {
  let refused: Answered | undefined;
  // As slow as it may be, it asks more often than the limit allows.
  for (let i = 0; refused === undefined && i < 20; i += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => house.ask('GET', '/keys')));
    refused = answers.find(({ status }) => status === 429);
  }
  expect(refused?.body).toMatchObject({ kind: 'rate_limited', executed: 'no', retryable: true });
  expect(refused?.body.retry.after_ms).toBeGreaterThan(0);
  expect(refused?.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect(refused?.headers.get('ratelimit-policy')).toBe('"120-per-minute";q=120;w=60');
});
