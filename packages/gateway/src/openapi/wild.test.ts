/** APIs and documents as they are outside: what callers say to them, and what goes out. */
import { expect, it } from 'vitest';
import { call, faultIn, post } from '../../test/tools.ts';
import { ask, elsewhere, gateway, seen, toolsOf, withWildApi } from '../../test/wild-api.ts';

withWildApi();

it('shows what callers have to say, and nothing that the operator or the API says', async () => {
  const tools = await toolsOf('wild');
  expect(tools.map(({ name }) => name)).toEqual(['upload', 'putRaw', 'list', 'look', 'byName', 'order']);
  expect(Object.keys(tools[2]?.inputSchema.properties ?? {})).toEqual(['page', 'filter', 'theme']);
  expect(tools[2]?.inputSchema.required).toEqual([]);
  expect(tools[5]?.inputSchema.properties['body']).toEqual({
    allOf: [
      {
        type: 'object',
        properties: { note: { anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] } },
      },
      { type: 'object', required: ['item'], properties: { item: { type: 'string' } } },
    ],
  });
  expect(tools.filter(({ _meta }) => _meta !== undefined).map(({ name }) => name)).toEqual([
    'upload',
    'order',
  ]);
  const { message } = await ask('order', { body: { item: 'x', note: null } });
  expect(message.result?.['structuredContent']).toEqual({ ok: true });
});

it('sends files as parts of a form, whatever they are called', async () => {
  const file = { base64: 'AAH/', filename: 'a"\r\nX-Evil: 1.bin', type: 'image/png' };
  const about = { a: 1 };
  await ask('upload', { body: { file, pages: [{ text: 'ä' }], purpose: 'p', tags: ['x', 'y'], about } });
  const [{ headers, body: sent } = { headers: {}, body: Buffer.alloc(0) }] = seen;
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1];
  const part = (head: string, content: string): string => `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`;
  const named = (name: string): string => `Content-Disposition: form-data; name="${name}"`;
  expect(sent.toString('latin1')).toBe(
    [
      part(
        `${named('file')}; filename="a%22%0D%0AX-Evil: 1.bin"\r\nContent-Type: image/png`,
        '\u0000\u0001\u00ff',
      ),
      part(`${named('pages')}; filename="pages"\r\nContent-Type: application/octet-stream`, '\u00c3\u00a4'),
      part(named('purpose'), 'p'),
      part(named('tags'), 'x'),
      part(named('tags'), 'y'),
      part(`${named('about')}\r\nContent-Type: application/json`, '{"a":1}'),
      `--${boundary}--\r\n`,
    ].join(''),
  );
});

it.each<[object, readonly (string | number)[], string]>([
  [{ file: { text: 'a', base64: 'aa' } }, ['body', 'file'], 'either text or base64'],
  [{ file: { base64: 'no base64!' } }, ['body', 'file', 'base64'], 'Expected base64'],
  [{ file: { text: 'a', type: 'x\r\ny: z' } }, ['body', 'file', 'type'], 'Expected a media type'],
  [{ file: { text: 'a' }, pages: [{ text: 'b' }, {}] }, ['body', 'pages', 1], 'either text or base64'],
  [{ file: { text: 'a' }, purpose: '\ud800' }, ['body', 'purpose'], 'half a character'],
])('names the field of a file that is none: %j', async (sent, path, message) => {
  expect(faultIn(await ask('upload', { body: sent }))).toMatchObject({
    kind: 'invalid_arguments',
    issues: [{ path, message: expect.stringContaining(message) }],
  });
  expect(seen).toEqual([]);
});

it('sends bytes as they are', async () => {
  await ask('putRaw', { body: { base64: 'AAH/', type: 'image/gif' } });
  expect(seen).toMatchObject([
    { what: expect.stringContaining('PUT /v1/raw'), headers: { 'content-type': 'image/gif' } },
  ]);
  expect([...(seen[0]?.body ?? [])]).toEqual([0, 1, 255]);
});

it('adds what the operator gives, at the places of the API alone', async () => {
  await ask('list', { page: 2, theme: 'dark; sid=mine', filter: { a: 'b c' } });
  expect(seen[0]).toMatchObject({
    what: 'home GET /v1/list?page=2&a=b%20c&api_key=key-of-the-query',
    headers: {
      authorization: 'Bearer shop-token',
      'x-tenant': 'acme',
      cookie: 'sid=operators; theme=dark%3B%20sid=mine',
      'user-agent': 'mayday-gateway',
    },
  });
  await ask('upload', { body: { file: { text: 'a' } } });
  expect(seen[1]?.what).toBe('elsewhere POST /files');
  expect(Object.keys(seen[1]?.headers ?? {})).not.toContain('authorization');
  expect(JSON.stringify(seen[1]?.headers)).not.toMatch(/operators|acme/);
  await ask('upload', { body: { file: { text: 'a' } } }, 'trusting');
  expect(seen[2]).toMatchObject({
    what: 'elsewhere POST /files?api_key=key-of-the-query',
    headers: {
      authorization: 'Bearer shop-token',
      'content-type': expect.stringContaining('multipart/form-data; boundary='),
    },
  });
  expect(gateway.logs.filter((line) => line.includes('POST /files'))).toEqual([
    expect.stringContaining(`upstream=wild POST /files is at ${elsewhere}, says the document`),
  ]);
});

it('lets nobody but the operator say what the operator says', async () => {
  expect(faultIn(await ask('list', { filter: { api_key: 'mine' } }))).toMatchObject({
    issues: [{ path: ['filter'], message: 'api_key is set by the operator' }],
  });
  expect(faultIn(await ask('list', { 'X-Tenant': 'other' }))).toMatchObject({
    issues: [{ path: ['X-Tenant'], message: 'Unknown argument' }],
  });
  expect(seen).toEqual([]);
});

it('lets an argument go over segments where the template says so, and never climb', async () => {
  await ask('byName', { name: 'projects/a b' });
  expect(seen[0]?.what).toBe('home GET /v1/v1/projects/a%20b?api_key=key-of-the-query');
  for (const name of ['projects/../admin', '/evil.example', 'a//b', 'a/%2e%2e/b'])
    expect(faultIn(await ask('byName', { name }))).toMatchObject({ issues: [{ path: ['name'] }] });
  expect(seen).toHaveLength(1);
});

it('passes keys on in the header that the operator names', async () => {
  const params = { name: 'order', arguments: { body: { item: 'x' } } };
  const _meta = { 'dev.mayday/idempotency-key': 'k-1' };
  await post(`${gateway.url}/wild/mcp`, call('tools/call', { ...params, _meta }));
  expect(seen[0]?.headers['x-once']).toBe('k-1');
});

it('reads Swagger 2.0 too', async () => {
  const [get, photo, put] = await toolsOf('old');
  expect(get?.inputSchema.properties).toMatchObject({
    id: { type: 'integer' },
    limit: { type: 'integer', maximum: 10 },
    tags: { type: 'array', items: { type: 'string' } },
  });
  expect(put?.inputSchema).toMatchObject({
    properties: { body: { required: ['name'], properties: { tag: { type: ['string', 'null'] } } } },
    required: ['id', 'body'],
  });
  expect(photo?.inputSchema.properties['body']).toMatchObject({
    required: ['photo'],
    properties: { photo: { type: 'object' }, caption: { type: 'string' } },
  });
  await ask('getPets', { id: 7, limit: 3, tags: ['a', 'b'], names: ['c', 'd,e'] }, 'old');
  await ask('putPet', { id: 7, body: { name: 'Rex' } }, 'old');
  await ask('photo', { id: 7, body: { photo: { text: 'x' }, caption: 'c' } }, 'old');
  expect(seen.map(({ what }) => what)).toEqual([
    'home GET /old/pets/7?limit=3&tags=a%7Cb&names=c,d%2Ce',
    'home PUT /old/pets/7',
    'home POST /old/pets/7',
  ]);
  expect(seen[1]?.body.toString()).toBe('{"name":"Rex"}');
  expect(seen[2]?.headers['content-type']).toContain('multipart/form-data');
});

it('tells in its status what became of the operations', async () => {
  const response = await fetch(`${gateway.url}/-/status`);
  const { upstreams } = (await response.json()) as { upstreams: readonly object[] };
  expect(upstreams).toMatchObject([
    { name: 'wild', operations: { tools: 6, left_out: [] } },
    { name: 'trusting', operations: { tools: 6, left_out: [] } },
    { name: 'old', operations: { tools: 3, left_out: [] } },
  ]);
});
