/** Who may use the admin API, from docs/admin.md: operators with a key in `Authorization`, and no web page for them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ANN, admin, fresh, KEYS, made, OPS, refusal } from '../support/admin.ts';
import { scratch, startGateway } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { keepGateway } from '../support/keep.ts';

const folder = scratch();
afterAll(() => rmSync(folder, { recursive: true }));
const gateway = keepGateway(
  () =>
    startGateway({
      store: `file:${join(folder, 'mayday.db')}`,
      keys: KEYS,
      listen: { allowed_origins: ['https://console.example', '*'] },
      upstreams: { u: { url: 'http://127.0.0.1:1/mcp' } },
    }),
  [join(folder, 'mayday.db')],
);

const READS = [
  '/status',
  '/keys',
  '/keys/000000000000',
  '/approvals',
  '/faults',
  '/faults/groups',
  '/faults/groups/1.0000000000000000',
  '/faults/stream',
  '/audit',
  '/audit/verify',
  '/openapi.json',
];
const CHANGES = [
  '/keys',
  '/keys/000000000000/rotate',
  '/keys/000000000000/revoke',
  '/approvals/00000000-0000-0000-0000-000000000000/approve',
  '/approvals/00000000-0000-0000-0000-000000000000/reject',
];

describe('without the key of an operator', () => {
  it.each(READS)('GET %s is refused', async (path) => {
    const told = await Promise.all([
      refusal(gateway(), path, undefined, { key: undefined }),
      refusal(gateway(), path, undefined, { key: 'nobody-0123456789abcdef' }),
      refusal(gateway(), path, undefined, { key: ANN }),
    ]);
    expect(told).toEqual(['401 unauthenticated', '401 unauthenticated', '403 forbidden']);
  });

  it.each(CHANGES)('POST %s is refused', async (path) => {
    const told = await Promise.all([
      refusal(gateway(), path, { name: 'x' }, { key: undefined }),
      refusal(gateway(), path, { name: 'x' }, { key: 'nobody-0123456789abcdef' }),
      refusal(gateway(), path, { name: 'x' }, { key: ANN }),
    ]);
    expect(told).toEqual(['401 unauthenticated', '401 unauthenticated', '403 forbidden']);
  });

  it('of a caller of the store, too', async () => {
    const { key } = await made(gateway(), { name: fresh('caller') });
    expect(await refusal(gateway(), '/keys', undefined, { key })).toBe('403 forbidden');
    expect(await refusal(gateway(), '/keys', { name: 'y' }, { key })).toBe('403 forbidden');
    expect((await admin(gateway(), '/keys')).text).not.toMatch(/"name":"[xy]"/);
  });

  it('wherever else a key is put', async () => {
    const address = `${gateway().url}/-/admin/v1/keys`;
    const basic = Buffer.from(`ops:${OPS}`).toString('base64');
    const told = await Promise.all([
      send(`${address}?key=${OPS}`, undefined),
      send(`${address}?access_token=${OPS}`, undefined),
      send(address, undefined, { headers: { cookie: `key=${OPS}; authorization=Bearer ${OPS}` } }),
      send(address, undefined, { headers: { authorization: `Basic ${basic}` } }),
      send(address, undefined, { headers: { authorization: `Bearer ${OPS}x` } }),
      send(address, undefined, { headers: { authorization: `Bearer ${OPS.slice(0, -1)}` } }),
      send(address, undefined, { headers: { authorization: `Bearer ${OPS.toUpperCase()}` } }),
      send(address, undefined, { headers: { authorization: `Bearer ${ANN}, Bearer ${OPS}` } }),
      send(address, undefined, { headers: { authorization: 'Bearer ' } }),
      send(address, undefined, { headers: { authorization: `Bearer ${'x'.repeat(8000)}` } }),
    ]);
    expect(told.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 401));
    expect(told.map(({ headers }) => headers['set-cookie'])).toEqual(
      Array.from({ length: 10 }, () => undefined),
    );
    expect(gateway().log()).not.toContain(OPS);
  });

  it('bad keys are told alike', async () => {
    const { id } = await made(gateway(), { name: fresh('alike'), role: 'operator' });
    const keys = [
      'nobody-0123456789abcdef',
      `mdy_${id}_${'x'.repeat(32)}`,
      `mdy_000000000000_${'x'.repeat(32)}`,
    ];
    const told = await Promise.all(keys.map((key) => admin(gateway(), '/keys', undefined, { key })));
    expect(new Set(told.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(told[0]?.status).toBe(401);
  });
});

describe('a page of', () => {
  it.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1:1',
    'http://127.0.0.1',
    'http://localhost:3000',
    'http://[::1]:3000',
    'https://console.example.evil.example',
    'https://console.example:8443',
    'http://console.example',
    'file://',
    '',
    'x',
    '*',
  ])('another origin (%s) is refused, whatever it asks', async (origin) => {
    const headers = { origin };
    const name = fresh('paged');
    expect([
      await refusal(gateway(), '/keys', undefined, { headers }),
      await refusal(gateway(), '/status', undefined, { headers }),
      await refusal(gateway(), '/faults/stream', undefined, { headers }),
      await refusal(gateway(), '/keys', { name }, { headers }),
    ]).toEqual(['403 forbidden', '403 forbidden', '403 forbidden', '403 forbidden']);
    expect((await admin(gateway(), '/keys')).text).not.toContain(name);
  });

  it('the gateway itself, or an origin that is named, is served', async () => {
    for (const origin of [gateway().url, 'https://console.example']) {
      const headers = { origin };
      expect(await refusal(gateway(), '/keys', undefined, { headers })).toBe('200 fine');
      expect(await refusal(gateway(), '/keys', { name: fresh('own') }, { headers })).toBe('201 fine');
    }
  });

  it('another port of the same host is another origin', async () => {
    const headers = { origin: `http://127.0.0.1:${gateway().port + 1}` };
    expect(await refusal(gateway(), '/keys', undefined, { headers })).toBe('403 forbidden');
  });

  it.each(['cross-site', 'same-site'])('%s, says a browser without Origin: refused', async (site) => {
    const headers = { 'sec-fetch-site': site };
    expect(await refusal(gateway(), '/keys', undefined, { headers })).toBe('403 forbidden');
    expect(await refusal(gateway(), '/keys', { name: fresh('site') }, { headers })).toBe('403 forbidden');
  });

  it.each(['none', 'same-origin'])('%s, says a browser without Origin: served', async (site) => {
    const headers = { 'sec-fetch-site': site };
    expect(await refusal(gateway(), '/keys', undefined, { headers })).toBe('200 fine');
  });

  it('is told nothing before it asks', async () => {
    for (const path of [...READS, ...CHANGES]) {
      const { status, headers } = await admin(gateway(), path, undefined, {
        method: 'OPTIONS',
        headers: { origin: 'https://console.example', 'access-control-request-method': 'POST' },
      });
      expect([path, status]).toEqual([path, 405]);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('another host that is made to look like this one', async () => {
    const headers = { host: 'evil.example', origin: 'http://evil.example' };
    expect((await admin(gateway(), '/keys', undefined, { headers })).status).toBe(403);
    expect((await admin(gateway(), '/keys', { name: fresh('host') }, { headers })).status).toBe(403);
    const forwarded = {
      origin: 'http://evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    };
    expect((await admin(gateway(), '/keys', undefined, { headers: forwarded })).status).toBe(403);
  });
});

describe('a change', () => {
  it.each([
    undefined,
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json-patch+json',
    'application/problem+json',
    'text/json',
    '',
    'application/json, text/plain',
  ])('with %s as its type is refused, also when it says nothing', async (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const address = `${gateway().url}/-/admin/v1`;
    const { id } = await made(gateway(), { name: fresh('typed') });
    const name = fresh('untyped');
    const told = await Promise.all([
      send(`${address}/keys`, JSON.stringify({ name }), { method: 'POST', key: OPS, headers }),
      send(`${address}/keys/${id}/revoke`, undefined, { method: 'POST', key: OPS, headers }),
    ]);
    expect(told.map(({ status, messages }) => [status, messages[0]?.['kind']])).toEqual([
      [415, 'unsupported_media'],
      [415, 'unsupported_media'],
    ]);
    expect((await admin(gateway(), '/keys')).text).not.toContain(name);
    expect((await admin(gateway(), `/keys/${id}`)).body['state']).toBe('good');
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;charset=UTF-8'])(
    'with %s is made',
    async (type) => {
      const headers = { 'content-type': type };
      expect(await refusal(gateway(), '/keys', { name: fresh('typed') }, { headers })).toBe('201 fine');
    },
  );

  it('is no GET and no HEAD', async () => {
    const { id } = await made(gateway(), { name: fresh('read') });
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await admin(gateway(), `/keys/${id}/revoke`, undefined, { method });
      expect([method, status, headers['allow']]).toEqual([method, 405, 'POST']);
    }
    for (const method of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const { status } = await admin(gateway(), `/keys/${id}/revoke`, undefined, {
        headers: { [method]: 'POST' },
      });
      expect(status).toBe(405);
    }
    expect((await admin(gateway(), `/keys/${id}?_method=POST`)).status).toBe(400);
    expect((await admin(gateway(), `/keys/${id}`)).body['state']).toBe('good');
  });
});
