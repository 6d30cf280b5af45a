/** Keys over the admin API, from docs/admin.md: made, shown once, listed, exchanged, revoked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { admin, EVE, fresh, made, OPS, refusal } from '../support/admin.ts';
import { keepHouse } from '../support/admin-house.ts';
import { tried, use } from '../support/policy.ts';

const { gateway, folder } = keepHouse((url) => ({
  upstreams: { u: { url: url }, v: { url: url } },
}));

/** Whether somebody with this key is let in at an endpoint: the status. */
async function door(key: string, endpoint = 'u'): Promise<number> {
  return (await use(gateway(), endpoint, 'echo', { text: 'hi' }, { key })).status;
}

describe('a key that is made', () => {
  it('is told with its secret, as the page shows', async () => {
    const name = fresh('page');
    const { status, headers, body } = await admin(gateway(), '/keys', {
      name,
      upstreams: ['u'],
      expires_in_ms: 7_776_000_000,
    });
    expect(status).toBe(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual([
      'key',
      'id',
      'name',
      'role',
      'upstreams',
      'tenant',
      'scopes',
      'dialect',
      'created_at',
      'expires_at',
      'last_used_at',
      'state',
    ]);
    expect(body).toMatchObject({
      name,
      role: 'caller',
      upstreams: ['u'],
      tenant: null,
      scopes: [],
      dialect: null,
      last_used_at: null,
      state: 'good',
    });
    expect(body['id']).toMatch(/^[0-9a-f]{12}$/);
    expect(body['key']).toMatch(new RegExp(`^mdy_${body['id']}_\\S{16,}$`));
    expect(Date.parse(body['expires_at']) - Date.parse(body['created_at'])).toBe(7_776_000_000);
    expect(Math.abs(Date.parse(body['created_at']) - Date.now())).toBeLessThan(30_000);
  });

  it('is good at once, for its upstreams alone', async () => {
    const { key } = await made(gateway(), { name: fresh('once'), upstreams: ['v'] });
    expect(await tried(gateway(), 'v', 'echo', {}, { key })).toBe('fine');
    expect(await door(key, 'v')).toBe(200);
    expect(await door(key, 'u')).toBe(403);
    expect(await door(key, '')).toBe(403);
  });

  it('has what it was given', async () => {
    const wishes = {
      name: fresh('much'),
      role: 'operator',
      tenant: 'acme',
      scopes: ['a:b', 'c'],
      dialect: 'onx',
    };
    const { key, id } = await made(gateway(), wishes);
    const { body } = await admin(gateway(), `/keys/${id}`);
    expect(body).toMatchObject({ ...wishes, upstreams: null, expires_at: null, id });
    expect(await refusal(gateway(), '/keys', undefined, { key })).toBe('200 fine');
  });

  it('is shown in no other answer, nor in the log, nor in the store', async () => {
    const { key, id } = await made(gateway(), { name: fresh('secret') });
    const secret = String(key).slice(`mdy_${id}_`.length);
    expect(secret.length).toBeGreaterThan(15);
    expect(await door(key)).toBe(200);
    const paths = ['/keys', `/keys/${id}`, '/audit', '/status', '/approvals', '/faults', '/faults/groups'];
    const told = await Promise.all(paths.map((path) => admin(gateway(), path)));
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    const said = told.map(({ text }) => text).join('') + gateway().log();
    expect(said).toContain(id);
    for (const each of [secret, OPS, EVE]) expect(said).not.toContain(each);
    for (const file of ['mayday.db', 'mayday.db-wal'])
      expect(readFileSync(join(folder, file), 'latin1')).not.toContain(secret);
  });

  it('is over when its time is', async () => {
    const name = fresh('short');
    const { key, id } = await made(gateway(), { name, expires_in_ms: 1500 });
    await expect.poll(() => door(key), { timeout: 8000 }).toBe(401);
    expect((await admin(gateway(), `/keys/${id}`)).body['state']).toBe('expired');
    expect(await refusal(gateway(), `/keys/${id}/rotate`, {})).toBe('409 conflict');
    expect(await made(gateway(), { name })).toMatchObject({ state: 'good' });
  });
});

describe('a name', () => {
  it('that has a good key, in the store or in the file, is a conflict', async () => {
    const name = fresh('twice');
    const { id } = await made(gateway(), { name });
    expect(await refusal(gateway(), '/keys', { name })).toBe('409 conflict');
    expect(await refusal(gateway(), '/keys', { name: 'ann' })).toBe('409 conflict');
    expect(await refusal(gateway(), '/keys', { name: 'ops', role: 'operator' })).toBe('409 conflict');
    expect(await refusal(gateway(), `/keys/${id}/revoke`, {})).toBe('200 fine');
    expect(await made(gateway(), { name })).toMatchObject({ name });
  });

  it('is given to one of those who ask for it at the same time', async () => {
    const name = fresh('race');
    const all = await Promise.all(Array.from({ length: 8 }, () => refusal(gateway(), '/keys', { name })));
    expect(all.sort()).toEqual(['201 fine', ...Array.from({ length: 7 }, () => '409 conflict')]);
  });
});

describe('keys that are listed', () => {
  it('are all of the store, the oldest first, revoked ones too, and none of the file', async () => {
    const [first, second] = [
      await made(gateway(), { name: fresh('l1') }),
      await made(gateway(), { name: fresh('l2') }),
    ];
    await admin(gateway(), `/keys/${first['id']}/revoke`, {});
    const { body } = await admin(gateway(), '/keys');
    const found: { id: string; name: string; state: string; created_at: string }[] = body['keys'];
    expect(found.slice(-2).map(({ id, state }) => [id, state])).toEqual([
      [first['id'], 'revoked'],
      [second['id'], 'good'],
    ]);
    const times = found.map((each) => Date.parse(each.created_at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(found.filter(({ name }) => ['ops', 'eve', 'ann'].includes(name))).toEqual([]);
    expect((await admin(gateway(), `/keys/${second['id']}`)).body).toEqual(found.at(-1));
  });

  it.each(['nonesuch', '000000000000', "'%20OR%201=1--", '*', '%00', 'ops'])(
    '%s is none of them',
    async (id) => {
      expect(await refusal(gateway(), `/keys/${id}`)).toBe('404 not_found');
      expect(await refusal(gateway(), `/keys/${id}/rotate`, {})).toBe('404 not_found');
      expect(await refusal(gateway(), `/keys/${id}/revoke`, {})).toBe('404 not_found');
    },
  );
});

describe('a key that is exchanged', () => {
  it('has two good secrets, the old one for the overlap', async () => {
    const name = fresh('turn');
    const { key: old, id } = await made(gateway(), { name, tenant: 'acme' });
    const { status, body } = await admin(gateway(), `/keys/${id}/rotate`, { overlap_ms: 2500 });
    expect([status, body['id'], body['name'], body['tenant']]).toEqual([200, id, name, 'acme']);
    expect(body['key']).not.toBe(old);
    expect(body['key']).toMatch(new RegExp(`^mdy_${id}_`));
    expect(await door(body['key'])).toBe(200);
    await expect.poll(() => door(old), { timeout: 10_000 }).toBe(401);
    expect(await door(body['key'])).toBe(200);
  });

  it('without an overlap ends the old one at once; with nothing said it stays', async () => {
    const { key: first, id } = await made(gateway(), { name: fresh('turned') });
    const second = (await admin(gateway(), `/keys/${id}/rotate`, '')).body['key'];
    expect([await door(first), await door(second)]).toEqual([200, 200]);
    const third = (await admin(gateway(), `/keys/${id}/rotate`, { overlap_ms: 0 })).body['key'];
    expect([await door(second), await door(third)]).toEqual([401, 200]);
  });

  it('has five good secrets at most, the newest', async () => {
    const { key, id } = await made(gateway(), { name: fresh('turns') });
    const secrets = [key];
    for (const _ of [1, 2, 3, 4, 5])
      secrets.push((await admin(gateway(), `/keys/${id}/rotate`, {})).body['key']);
    const told = await Promise.all(secrets.map((secret) => door(secret)));
    expect(told).toEqual([401, 200, 200, 200, 200, 200]);
  });
});

describe('a key that is revoked', () => {
  it('is refused at once, with all its secrets', async () => {
    const { key: first, id } = await made(gateway(), { name: fresh('gone') });
    const second = (await admin(gateway(), `/keys/${id}/rotate`, {})).body['key'];
    expect([await door(first), await door(second)]).toEqual([200, 200]);
    const { status, body } = await admin(gateway(), `/keys/${id}/revoke`, {});
    expect([status, body]).toEqual([200, { id, revoked: true }]);
    expect([await door(first), await door(second)]).toEqual([401, 401]);
    expect((await admin(gateway(), `/keys/${id}`)).body['state']).toBe('revoked');
  });

  it('can be neither exchanged nor revoked again', async () => {
    const { id } = await made(gateway(), { name: fresh('gone for good') });
    const both = await Promise.all([1, 2].map(() => refusal(gateway(), `/keys/${id}/revoke`, {})));
    expect(both.sort()).toEqual(['200 fine', '409 conflict']);
    expect(await refusal(gateway(), `/keys/${id}/rotate`, {})).toBe('409 conflict');
  });

  it('of an operator opens nothing here any more', async () => {
    const { key, id } = await made(gateway(), { name: fresh('chief'), role: 'operator' });
    expect(await refusal(gateway(), '/keys', undefined, { key })).toBe('200 fine');
    expect(await refusal(gateway(), `/keys/${id}/revoke`, {}, { key })).toBe('200 fine');
    await expect
      .poll(() => refusal(gateway(), '/keys', undefined, { key }), { timeout: 4000 })
      .toBe('401 unauthenticated');
    await expect
      .poll(() => refusal(gateway(), '/keys', { name: 'by-chief' }, { key }), { timeout: 4000 })
      .toBe('401 unauthenticated');
  });
});

describe('a wish that is none', () => {
  it.each([
    ['no name', {}, ['name']],
    ['an empty name', { name: '' }, ['name']],
    ['blanks around', { name: ' x' }, ['name']],
    ['a line break', { name: 'x\ny' }, ['name']],
    ['a long name', { name: 'x'.repeat(101) }, ['name']],
    ['a name that is no text', { name: 7 }, ['name']],
    ['a role that there is none of', { name: 'w', role: 'admin' }, ['role']],
    ['no upstreams at all', { name: 'w', upstreams: [] }, ['upstreams']],
    ['upstreams that are no list', { name: 'w', upstreams: 'u' }, ['upstreams']],
    ['a tenant that is empty', { name: 'w', tenant: '' }, ['tenant']],
    ['a scope with a blank', { name: 'w', scopes: ['a b'] }, ['scopes']],
    ['no time at all', { name: 'w', expires_in_ms: 0 }, ['expires_in_ms']],
    ['half a millisecond', { name: 'w', expires_in_ms: 0.5 }, ['expires_in_ms']],
    ['a time as text', { name: 'w', expires_in_ms: '90d' }, ['expires_in_ms']],
    ['a dialect that there is none of', { name: 'w', dialect: 'nonesuch' }, ['dialect']],
  ])('%s', async (_, wishes, path) => {
    const { status, body } = await admin(gateway(), '/keys', wishes);
    expect([status, body['kind'], body['executed']]).toEqual([400, 'invalid_arguments', 'no']);
    expect(body['issues'][0].path.slice(0, 1)).toEqual(path);
    expect((await admin(gateway(), '/keys')).text).not.toContain('"name":"w"');
  });

  it.each([
    ['negative', { overlap_ms: -1 }],
    ['text', { overlap_ms: '1h' }],
    ['another name', { overlap: 5 }],
  ])('an overlap that is %s', async (_, wishes) => {
    const { id } = await made(gateway(), { name: fresh('overlap') });
    expect(await refusal(gateway(), `/keys/${id}/rotate`, wishes)).toBe('400 invalid_arguments');
  });
});
