/** Gateways that lack something, from docs/admin.md: a store, keys, or the admin API itself. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { admin, fresh, KEYS, OPS, refusal } from '../support/admin.ts';
import { scratch, startGateway } from '../support/gateway.ts';
import { keepGateway } from '../support/keep.ts';

const upstreams = { u: { url: 'http://127.0.0.1:1/mcp' } };
const folder = scratch();
afterAll(() => rmSync(folder, { recursive: true }));
const READS = [
  '/keys',
  '/keys/x',
  '/approvals',
  '/faults',
  '/faults/groups',
  '/faults/groups/x',
  '/faults/stream',
  '/audit',
  '/audit/verify',
];
const CHANGES = ['/keys', '/keys/x/rotate', '/keys/x/revoke', '/approvals/x/approve', '/approvals/x/reject'];

describe('without a store', () => {
  const gateway = keepGateway(() => startGateway({ keys: KEYS, upstreams }));

  it('the status and the document are told', async () => {
    expect(await refusal(gateway(), '/status')).toBe('200 fine');
    expect((await admin(gateway(), '/openapi.json')).body['openapi']).toMatch(/^3\.1/);
  });

  it('the rest is unsupported', async () => {
    const told = await Promise.all([
      ...READS.map((path) => refusal(gateway(), path)),
      ...CHANGES.map((path) => refusal(gateway(), path, path === '/keys' ? { name: 'x' } : {})),
    ]);
    expect(told).toEqual(told.map(() => '501 unsupported'));
    expect(told).toHaveLength(14);
    expect(await refusal(gateway(), '/keys', undefined, { key: undefined })).toBe('401 unauthenticated');
  });
});

describe('where nobody needs a key', () => {
  const gateway = keepGateway(
    () => startGateway({ store: `file:${join(folder, 'open.db')}`, upstreams }),
    [join(folder, 'open.db')],
  );

  it('everybody may read', async () => {
    const told = await Promise.all(
      [
        '/status',
        '/keys',
        '/approvals',
        '/faults',
        '/faults/groups',
        '/audit',
        '/audit/verify',
        '/openapi.json',
      ].map((path) => refusal(gateway(), path, undefined, { key: undefined })),
    );
    expect(told).toEqual(told.map(() => '200 fine'));
  });

  it('nobody may change anything', async () => {
    const told = await Promise.all(
      CHANGES.map((path) =>
        refusal(gateway(), path, path === '/keys' ? { name: fresh('open') } : {}, { key: undefined }),
      ),
    );
    expect(told).toEqual(told.map(() => '403 forbidden'));
    expect((await admin(gateway(), '/keys', undefined, { key: undefined })).body).toEqual({ keys: [] });
    expect((await admin(gateway(), '/audit', undefined, { key: undefined })).body).toEqual({ rows: [] });
  });

  it('pages of other origins may not even read', async () => {
    const ask = (headers: Record<string, string>): Promise<string> =>
      refusal(gateway(), '/keys', undefined, { key: undefined, headers });
    expect([
      await ask({ origin: 'http://localhost:3000' }),
      await ask({ origin: 'null' }),
      await ask({ 'sec-fetch-site': 'cross-site' }),
    ]).toEqual(['403 forbidden', '403 forbidden', '403 forbidden']);
  });
});

describe('with admin: false', () => {
  const gateway = keepGateway(
    () => startGateway({ store: `file:${join(folder, 'off.db')}`, keys: KEYS, admin: false, upstreams }),
    [join(folder, 'off.db')],
  );

  it('there is none', async () => {
    const told = await Promise.all([
      ...['/status', '/keys', '/openapi.json', '/faults/stream'].map((path) =>
        admin(gateway(), path, undefined, { key: OPS }),
      ),
      admin(gateway(), '/keys', { name: fresh('off') }),
    ]);
    expect(told.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});
