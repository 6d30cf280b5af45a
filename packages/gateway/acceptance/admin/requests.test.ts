/** Requests of the admin API that are none, from docs/admin.md: paths, methods, parameters, bodies, and what is said about them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { admin, follow, fresh, KEYS, made, OPS, refusal } from '../support/admin.ts';
import { scratch, startGateway } from '../support/gateway.ts';
import { keepGateway } from '../support/keep.ts';
import { deep } from '../support/messages.ts';
import { firstWords } from '../support/raw.ts';

const folder = scratch();
afterAll(() => rmSync(folder, { recursive: true }));
const gateway = keepGateway(
  () =>
    startGateway({
      store: `file:${join(folder, 'mayday.db')}`,
      keys: KEYS,
      upstreams: { u: { url: 'http://127.0.0.1:1/mcp' } },
    }),
  [join(folder, 'mayday.db')],
);

describe('a fault', () => {
  it('is the problem document of the page', async () => {
    const { status, headers, body } = await admin(gateway(), '/keys', { nme: 'ann' });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      400,
      expect.stringMatching(/^application\/problem\+json/),
      'no-store',
    ]);
    expect(body).toEqual({
      type: 'https://mayday.dev/faults/invalid_arguments',
      title: 'Invalid arguments',
      status: 400,
      detail: 'name: Required',
      kind: 'invalid_arguments',
      reaction: 'validation',
      retryable: false,
      retry: { when: 'after_change' },
      executed: 'no',
      origin: 'gateway',
      issues: [
        { path: ['name'], message: 'Required', code: 'required' },
        { path: ['nme'], message: 'Unknown field; did you mean name?', code: 'unrecognized_key' },
      ],
      advice: 'Correct the arguments, then call again.',
    });
  });

  it('is told in another dialect where that is asked for', async () => {
    const plain = await admin(gateway(), '/keys', { nme: 'ann' });
    const other = await admin(gateway(), '/keys', { nme: 'ann' }, { dialect: 'onx' });
    expect(other.status).toBe(400);
    expect(other.text).not.toBe(plain.text);
    expect(other.body['reaction']).toBeUndefined();
  });
});

describe('a path', () => {
  it.each([
    ['/key', '/keys'],
    ['/staus', '/status'],
    ['/approval', '/approvals'],
    ['/fault', '/faults'],
    ['/faults/group', '/faults/groups'],
    ['/faults/steam', '/faults/stream'],
    ['/audits', '/audit'],
    ['/openapi', '/openapi.json'],
    ['/keys/000000000000/rotat', '/rotate'],
    ['/keys/000000000000/revke', '/revoke'],
    ['/approvals/3df327bc-59be-4a46-85c2-871d25172748/aprove', '/approve'],
    ['/faults/group/1.e8e254b019cc4907', '/faults/groups/'],
  ])('that there is none of (%s) is not found, with what was meant', async (path, meant) => {
    const { status, body } = await admin(gateway(), path);
    expect([status, body['kind']]).toEqual([404, 'not_found']);
    expect(`${body['detail']} ${body['advice']}`).toContain(meant);
  });

  it.each([
    '',
    '/',
    '/keys/',
    '//keys',
    '/keys//',
    '/./keys',
    '/status/../keys',
    '/%6beys',
    '/keys%2f',
    '/Keys',
    '/KEYS',
    '/keys;x',
    '/keys%00',
    '/keys%20',
    '/keys.json',
    '/..%2f..%2fstatus',
    '/%2e%2e/%2e%2e/status',
    '/../v1/keys',
    '\\keys',
    '/keys/%',
    '/keys/%zz',
    '/keys/%ff',
    '/faults/groups/%',
    '/constructor',
    '/__proto__',
    '/toString',
  ])('written %s answers nothing that its plain form does not', async (path) => {
    const raw = `GET /-/admin/v1${path} HTTP/1.1\r\nhost: 127.0.0.1:${gateway().port}\r\nconnection: close\r\n`;
    const [stranger, operator] = await Promise.all([
      firstWords(gateway().port, `${raw}\r\n`, 5000),
      firstWords(gateway().port, `${raw}authorization: Bearer ${OPS}\r\n\r\n`, 5000),
    ]);
    expect(stranger).toMatch(/^HTTP\/1\.1 40[0134] /);
    expect(stranger).not.toMatch(/"keys":|"upstreams":/);
    expect(operator).toMatch(/^HTTP\/1\.1 (40[04]|200) /);
  });

  it('of another version, or beside it, is none', async () => {
    const told = await Promise.all(
      [
        '/-/admin',
        '/-/admin/',
        '/-/admin/v2/keys',
        '/-/admin/keys',
        '/admin/v1/keys',
        '/-/Admin/v1/keys',
        '//-/admin/v1/keys',
      ].map((path) => admin({ url: `${gateway().url}${path}#` }, '')),
    );
    expect(told.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
  });
});

describe('a method', () => {
  it.each([
    ['/status', 'GET, HEAD'],
    ['/keys', 'GET, HEAD, POST'],
    ['/keys/000000000000', 'GET, HEAD'],
    ['/keys/000000000000/rotate', 'POST'],
    ['/keys/000000000000/revoke', 'POST'],
    ['/approvals', 'GET, HEAD'],
    ['/approvals/x/approve', 'POST'],
    ['/approvals/x/reject', 'POST'],
    ['/faults', 'GET, HEAD'],
    ['/faults/groups', 'GET, HEAD'],
    ['/faults/groups/x', 'GET, HEAD'],
    ['/faults/stream', 'GET, HEAD'],
    ['/audit', 'GET, HEAD'],
    ['/audit/verify', 'GET, HEAD'],
    ['/openapi.json', 'GET, HEAD'],
  ])('that %s has not is 405, and Allow names the others', async (path, allow) => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const { status, headers, body } = await admin(gateway(), path, undefined, { method });
      expect([method, status, body['kind']]).toEqual([method, 405, 'unsupported']);
      expect(String(headers['allow']).split(/,\s*/).sort().join(', ')).toBe(allow);
    }
  });

  it('POST changes nothing where only reading is served', async () => {
    const told = await Promise.all(
      [
        '/status',
        '/approvals',
        '/faults',
        '/faults/groups',
        '/faults/stream',
        '/audit',
        '/audit/verify',
        '/openapi.json',
      ].map((path) => refusal(gateway(), path, {})),
    );
    expect(told).toEqual(Array.from({ length: 8 }, () => '405 unsupported'));
  });

  it('HEAD is GET without a body', async () => {
    for (const path of [
      '/status',
      '/keys',
      '/approvals',
      '/faults',
      '/faults/groups',
      '/audit',
      '/audit/verify',
      '/openapi.json',
    ]) {
      const { status, headers, text } = await admin(gateway(), path, undefined, { method: 'HEAD' });
      expect([path, status, text]).toEqual([path, 200, '']);
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
    const missing = await admin(gateway(), '/keys/000000000000', undefined, { method: 'HEAD' });
    expect([missing.status, missing.text]).toEqual([404, '']);
  });

  it('HEAD is GET without a body, of a stream too, and takes no place of one', async () => {
    for (let i = 0; i < 40; i += 1) {
      const { status, headers, text } = await admin(gateway(), '/faults/stream', undefined, {
        method: 'HEAD',
      });
      expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream', '']);
    }
    expect(await refusal(gateway(), '/faults/stream?after=x', undefined, { method: 'HEAD' })).toMatch(
      /^400 /,
    );
  });
});

describe('a parameter', () => {
  it.each([
    ['/faults?limt=3', 'limit'],
    ['/faults?Limit=3', 'limit'],
    ['/faults?groups=x', 'group'],
    ['/faults?aftr=1', 'after'],
    ['/faults/groups?limits=1', 'limit'],
    ['/audit?afer=1', 'after'],
    ['/audit/verify?know=1', 'known'],
    ['/faults/stream?afte=1', 'after'],
  ])('that is unknown (%s) is refused, with what was meant', async (path, meant) => {
    const { status, body } = await admin(gateway(), path);
    expect([status, body['kind']]).toEqual([400, 'invalid_arguments']);
    expect(body['issues'][0].message).toContain(`did you mean ${meant}?`);
  });

  it.each([
    '/status?x=1',
    '/keys?x=1',
    '/approvals?limit=1',
    '/openapi.json?x',
    '/faults?limit=1&limit=2',
    '/faults?limit=0',
    '/faults?limit=-1',
    '/faults?limit=10001',
    '/faults?limit=1.5',
    '/faults?limit=1e2',
    '/faults?limit=0x10',
    '/faults?limit=',
    '/faults?limit',
    '/faults?limit=%201',
    '/faults?limit=NaN',
    '/faults?limit[]=1',
    '/faults?__proto__=1',
    '/faults?after=1&after=1',
    '/faults/groups?limit=99999999999999999999',
    '/faults/groups/x?since=yesterday',
    '/faults/groups/x?since=1&since=2',
    '/audit?after=-1',
    '/audit?after=x',
    '/audit?after=9007199254740993',
    '/audit?limit=0',
    '/audit/verify?known=1',
    '/audit/verify?known=0:00',
    '/audit/verify?known=1:xyz',
  ])('that is wrong or there twice (%s) is refused', async (path) => {
    expect(await refusal(gateway(), path)).toBe('400 invalid_arguments');
  });

  it('of a change is refused too, and nothing is done', async () => {
    const name = fresh('query');
    expect(await refusal(gateway(), `/keys?name=${name}`, { name })).toBe('400 invalid_arguments');
    expect((await admin(gateway(), '/keys')).text).not.toContain(name);
  });
});

describe('a body', () => {
  it.each([
    ['nothing', '', ['invalid_arguments', 'parse_error']],
    ['no JSON', 'name=ann', ['parse_error']],
    ['half of it', '{"name":"ann"', ['parse_error']],
    ['more than one', '{"name":"a1"} {"name":"a2"}', ['parse_error']],
    ['a comma too many', '{"name":"a1",}', ['parse_error']],
    ['UTF-16', Buffer.from('{"name":"wide"}', 'utf16le'), ['parse_error']],
    ['bytes that are no UTF-8', Buffer.from('{"name":"a\xff\xfe"}', 'latin1'), ['parse_error']],
    ['a list', '[]', ['invalid_arguments']],
    ['a field twice', '{"name":"d1","name":"d2"}', ['invalid_arguments']],
    ['a field twice, once in other letters', '{"name":"d1","n\\u0061me":"d2"}', ['invalid_arguments']],
    ['null', 'null', ['invalid_arguments']],
    ['a number', '1', ['invalid_arguments']],
    ['a text', '"name"', ['invalid_arguments']],
    ['a prototype', '{"name":"pr","__proto__":{"role":"operator"}}', ['invalid_arguments']],
    ['a constructor', '{"name":"co","constructor":{"prototype":{"role":"operator"}}}', ['invalid_arguments']],
    ['an id of its own', '{"name":"own-id","id":"000000000000"}', ['invalid_arguments']],
    ['a key of its own', '{"name":"own-key","key":"mdy_000000000000_x"}', ['invalid_arguments']],
    ['many brackets', deep(100_000), ['invalid_arguments', 'parse_error']],
    [
      'many brackets inside',
      `{"name":"deep","scopes":${deep(100_000)}}`,
      ['invalid_arguments', 'parse_error'],
    ],
  ])('that is %s is refused', async (_, bytes, kinds) => {
    const { status, body } = await admin(gateway(), '/keys', bytes);
    expect([status, kinds]).toEqual([400, expect.arrayContaining([body['kind']])]);
    const { text } = await admin(gateway(), '/keys');
    expect(text).not.toMatch(/"name":"(ann|a1|a2|a\ufffd\ufffd|d1|d2|pr|co|own-id|own-key|deep|wide)"/);
  });

  it.each([
    ['compressed', { 'content-encoding': 'gzip' }],
    ['UTF-16', { 'content-type': 'application/json; charset=utf-16' }],
  ])('that says it is %s is not read as if it were not', async (_, headers) => {
    const name = fresh('odd');
    expect(await refusal(gateway(), '/keys', { name }, { headers })).toBe('415 unsupported_media');
    expect((await admin(gateway(), '/keys')).text).not.toContain(name);
  });

  it.each([
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'Application/JSON;charset="UTF-8"' },
    { 'content-encoding': 'identity' },
  ])('with %j is read', async (headers) => {
    expect(await refusal(gateway(), '/keys', { name: fresh('plain') }, { headers })).toBe('201 fine');
  });

  it('of a change that takes none is empty, or an empty object', async () => {
    const { id } = await made(gateway(), { name: fresh('bodied') });
    for (const body of ['[]', 'null', '{"reason":"x"}', '{', '0'])
      expect(await refusal(gateway(), `/keys/${id}/revoke`, body)).toMatch(/^400 /);
    expect((await admin(gateway(), `/keys/${id}`)).body['state']).toBe('good');
    expect(await refusal(gateway(), `/keys/${id}/revoke`, '')).toBe('200 fine');
  });

  it('has 256 KiB at most', async () => {
    const padded = (size: number): string => {
      const start = `{"name":"${fresh('size')}"`;
      return `${start}${' '.repeat(size - start.length - 1)}}`;
    };
    expect(await refusal(gateway(), '/keys', padded(256 * 1024))).toBe('201 fine');
    expect(await refusal(gateway(), '/keys', padded(256 * 1024 + 1))).toBe('413 too_large');
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(await refusal(gateway(), '/keys', padded(256 * 1024 + 1), { headers: chunked })).toBe(
      '413 too_large',
    );
    expect(await refusal(gateway(), '/keys', padded(20_000_000)).catch(() => '413 too_large')).toBe(
      '413 too_large',
    );
  });

  it('that is announced and never comes holds nothing up', async () => {
    const head = `POST /-/admin/v1/keys HTTP/1.1\r\nhost: 127.0.0.1:${gateway().port}\r\nauthorization: Bearer ${OPS}\r\ncontent-type: application/json\r\n`;
    const waiting = Array.from({ length: 50 }, () =>
      firstWords(gateway().port, `${head}content-length: 20\r\n\r\n{`, 1500),
    );
    expect(await refusal(gateway(), '/keys')).toBe('200 fine');
    await Promise.all(waiting);
    expect(await firstWords(gateway().port, `${head}content-length: 999999999\r\n\r\n{`, 5000)).toMatch(
      /^HTTP\/1\.1 413 /,
    );
    expect(
      await firstWords(
        gateway().port,
        `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
        5000,
      ),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('what is answered', () => {
  it('is not to be kept on the way, of a stream neither', async () => {
    const stream = await follow(gateway());
    stream.leave();
    const told = [stream.headers, (await admin(gateway(), '/keys')).headers];
    expect(told.map((headers) => String(headers['cache-control']).split(/,\s*/))).toEqual([
      expect.arrayContaining(['no-store']),
      ['no-store'],
    ]);
  });
});
