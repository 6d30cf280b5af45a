/** Keys over the admin API: each change is made by somebody who is known, and written down. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beforeSecondTry } from '../../../../test/second-try.ts';
import { callTool, cleanUp, post } from '../tools.ts';
import { ANN, type House, OPS, openHouse } from './house.ts';

interface Row {
  readonly seq: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
}

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
beforeSecondTry(async () => {
  await house.close();
  house = await openHouse();
});
afterAll(async () => {
  await house.close();
  await cleanUp();
});

const call = async (key: string): Promise<number> =>
  (await post(`${house.gateway.url}/bank/mcp`, callTool('see'), { authorization: `Bearer ${key}` })).status;

it('makes a key that is good at once, shows it once, exchanges and revokes it, and writes all of it down', async () => {
  const wanted = {
    name: 'bob',
    upstreams: ['bank'],
    tenant: 'acme',
    scopes: ['bank:pay'],
    dialect: 'onx',
    expires_in_ms: 60_000,
  };
  const made = await house.ask('POST', '/keys', { body: wanted });
  const { key, id, ...shown } = made.body;
  expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
  expect(key).toMatch(/^mdy_[0-9a-f]{12}_[\w-]{43}$/);
  expect(shown).toEqual({
    name: 'bob',
    role: 'caller',
    upstreams: ['bank'],
    tenant: 'acme',
    scopes: ['bank:pay'],
    dialect: 'onx',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    expires_at: expect.stringMatching(/Z$/),
    last_used_at: null,
    state: 'good',
  });
  expect(await call(key)).toBe(200);
  const listed = await house.ask('GET', '/keys');
  expect(listed.body.keys.map((one: { id: string }) => one.id)).toEqual([id]);
  expect((await house.ask('GET', `/keys/${id}`)).body).toMatchObject({ id, name: 'bob', state: 'good' });

  const rotated = await house.ask('POST', `/keys/${id}/rotate`, { body: { overlap_ms: 60_000 } });
  expect([rotated.status, rotated.body.id, rotated.body.key === key]).toEqual([200, id, false]);
  expect([await call(key), await call(rotated.body.key)]).toEqual([200, 200]);
  expect((await house.ask('POST', `/keys/${id}/revoke`)).body).toEqual({ id, revoked: true });
  const again = await house.ask('POST', `/keys/${id}/revoke`);
  expect([again.status, again.body.kind]).toEqual([409, 'conflict']);
  const over = await house.ask('POST', `/keys/${id}/rotate`, { body: {} });
  expect([over.status, over.body.detail]).toEqual([409, 'The key is revoked']);

  const { body } = await house.ask('GET', '/audit');
  expect(body.rows.map((row: Row) => [row.seq, row.actor, row.action, row.target])).toEqual([
    [1, 'ops', 'keys.create', id],
    [2, 'ops', 'keys.rotate', id],
    [3, 'ops', 'keys.revoke', id],
  ]);
  expect(body.rows[0].details).toEqual({ ...wanted, role: 'caller', via: 'admin' });
  expect(body.rows[1].details).toEqual({ name: 'bob', overlap_ms: 60_000, via: 'admin' });
  const head = `3:${body.rows[2].hash}`;
  expect(
    (await house.ask('GET', '/audit?after=2&limit=1')).body.rows.map((row: { seq: number }) => row.seq),
  ).toEqual([3]);
  expect((await house.ask('GET', `/audit/verify?known=${head}`)).body).toEqual({
    ok: true,
    rows: 3,
    head: body.rows[2].hash,
  });
  expect((await house.ask('GET', `/audit/verify?known=3:${'0'.repeat(64)}`)).body).toEqual({
    ok: false,
    broken_at: 3,
  });
  const said = JSON.stringify([listed.body, body, house.logs]);
  expect([key, rotated.body.key].filter((secret) => said.includes(secret.slice(17)))).toEqual([]);
});

it('renews a key that has an end with each new secret, for as long as before or as it is told', async () => {
  const { body: made } = await house.ask('POST', '/keys', { body: { name: 'dora', expires_in_ms: 3000 } });
  await sleep(1500);
  const path = `/keys/${made.id}/rotate`;
  const { body: second } = await house.ask('POST', path, { body: { overlap_ms: 60_000 } });
  await sleep(2000);
  expect([await call(made.key), await call(second.key)]).toEqual([401, 200]);
  const body = { overlap_ms: 0, expires_in_ms: 86_400_000 };
  const { status, body: third } = await house.ask('POST', path, { body });
  expect(status).toBe(200);
  const left = Date.parse(third.expires_at) - Date.now();
  expect([left > 86_000_000, left <= 86_400_000]).toEqual([true, true]);
  const { rows } = (await house.ask('GET', '/audit')).body;
  expect(rows.at(-1).details).toEqual({ name: 'dora', ...body, via: 'admin' });
});

it('has one caller under one name, in the file and in the store', async () => {
  const { body: carl } = await house.ask('POST', '/keys', { body: { name: 'carl' } });
  const twin = await house.ask('POST', '/keys', { body: { name: 'carl' } });
  expect([twin.status, twin.body]).toMatchObject([
    409,
    {
      kind: 'conflict',
      detail: `"carl" has a key (${carl.id})`,
      subject: { type: 'key', id: carl.id },
      executed: 'no',
    },
  ]);
  const own = await house.ask('POST', '/keys', { body: { name: 'ann' } });
  expect([own.status, own.body.detail]).toEqual([
    409,
    'the file has a key called "ann"; names tell callers apart',
  ]);
});

it.each([
  [{}, [[['name'], 'Required']]],
  [
    { nam: 'x' },
    [
      [['name'], 'Required'],
      [['nam'], 'Unknown field; did you mean name?'],
    ],
  ],
  [{ name: 'x', role: 'opertor' }, [[['role'], 'Expected one of "caller", "operator"']]],
  [
    { name: ' x' },
    [
      [
        ['name'],
        'Expected who it is: 1 to 100 characters that can be seen, no line breaks, and no blanks around it',
      ],
    ],
  ],
  [
    { name: 'ann\u200b' },
    [
      [
        ['name'],
        'Expected who it is: 1 to 100 characters that can be seen, no line breaks, and no blanks around it',
      ],
    ],
  ],
  [
    { name: 'a\ud800' },
    [
      [
        ['name'],
        'Expected who it is: 1 to 100 characters that can be seen, no line breaks, and no blanks around it',
      ],
    ],
  ],
  [
    { name: 'ann', tenant: '\udc00b' },
    [
      [
        ['tenant'],
        'Expected whom it belongs to, for rules: 1 to 100 characters that can be seen, no line breaks, and no blanks around it',
      ],
    ],
  ],
  [
    { name: 'x\u001b[2J' },
    [
      [
        ['name'],
        'Expected who it is: 1 to 100 characters that can be seen, no line breaks, and no blanks around it',
      ],
    ],
  ],
  [{ name: 'x', expires_in_ms: 0 }, [[['expires_in_ms'], 'Must be >= 1']]],
  [
    { name: 'x', upstreams: ['bnak'] },
    [[['upstreams', 0], 'the file has no upstream "bnak"; did you mean bank?']],
  ],
  [{ name: 'x', dialect: 'onxx' }, [[['dialect'], 'There is no dialect called "onxx"; did you mean onx?']]],
  [
    { name: 'x', scopes: ['a b'] },
    [[['scopes', 0], 'Expected what it may do, for rules: words of visible characters, without blanks']],
  ],
  [
    { name: 'x', __proto__x: 1, constructor: 1 },
    [
      [['__proto__x'], expect.stringContaining('Unknown field; known are name')],
      [['constructor'], expect.stringContaining('Unknown field')],
    ],
  ],
])('takes no key from %j', async (body, issues) => {
  const { status, body: said } = await house.ask('POST', '/keys', { body });
  expect([status, said.kind, said.executed, said.origin]).toEqual([
    400,
    'invalid_arguments',
    'no',
    'gateway',
  ]);
  expect(
    said.issues.map((issue: { path: unknown; message: unknown }) => [issue.path, issue.message]),
  ).toEqual(issues);
  expect(said.advice).toBeTypeOf('string');
});

it('knows what there is not', async () => {
  for (const [method, path] of [
    ['GET', '/keys/nope'],
    ['POST', '/keys/nope/rotate'],
    ['POST', '/keys/%00/revoke'],
    ['GET', '/keys/%E0%A4'],
  ] as const) {
    const { status, body } = await house.ask(method, path);
    expect([status, body.kind, body.subject.type]).toEqual([404, 'not_found', 'key']);
  }
});

it('is for operators', async () => {
  const [nobody, stranger, caller] = await Promise.all([
    house.ask('GET', '/keys', { key: '' }),
    house.ask('GET', '/keys', { key: 'somebodys-key' }),
    house.ask('POST', '/keys', { key: ANN, body: { name: 'eve', role: 'operator' } }),
  ]);
  expect([nobody.status, nobody.body.kind, stranger.status]).toEqual([401, 'unauthenticated', 401]);
  expect(nobody.body).toEqual(stranger.body);
  expect([caller.status, caller.body.kind, caller.body.advice]).toEqual([
    403,
    'forbidden',
    'Use a key with the role operator.',
  ]);
  expect((await house.ask('GET', '/keys')).body.keys.map((one: { name: string }) => one.name)).not.toContain(
    'eve',
  );
  const { body: made } = await house.ask('POST', '/keys', { body: { name: 'olga', role: 'operator' } });
  expect((await house.ask('GET', '/status', { key: made.key })).status).toBe(200);
  expect((await house.ask('GET', '/status', { key: OPS })).status).toBe(200);
});
