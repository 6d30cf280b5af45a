/** APIs and documents as they are outside: one small API answers for all of them. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, later, open, type Posted, post } from '../../test/tools.ts';

interface Seen {
  readonly what: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

type Answer = (response: ServerResponse) => void;

const seen: Seen[] = [];
let home: string;
let elsewhere: string;
let gateway: Awaited<ReturnType<typeof open>>;
/** By method and path, without its query. */
const answers = new Map<string, Answer>();

async function listen(name: string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url = '', headers } = request;
      seen.push({ what: `${name} ${method} ${url}`, headers, body: Buffer.concat(chunks) });
      const answer = answers.get(`${method} ${url.split('?')[0]}`);
      if (answer === undefined) response.writeHead(200, JSON_TYPE).end('{"ok":true}');
      else answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1';
const JSON_TYPE = { 'content-type': 'application/json' };
const text = { type: 'string' };
const inQuery = (name: string, schema: object = text) => ({ name, in: 'query', schema });
const body = (type: string, schema: object, more = {}) => ({
  required: true,
  content: { [type]: { schema, ...more } },
});

const FILES = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'What to keep.' },
    pages: { type: 'array', items: { type: 'string', format: 'binary' } },
    purpose: text,
    tags: { type: 'array', items: text },
    about: { type: 'object' },
  },
};

const ORDER = {
  allOf: [
    { $ref: '#/components/schemas/Base' },
    { type: 'object', required: ['id', 'item'], properties: { item: text }, additionalProperties: false },
  ],
};

function document(): object {
  return {
    openapi: '3.0.3',
    info: { title: 'Wild', version: '1' },
    servers: [{ url: `${home}/v1` }],
    components: {
      schemas: {
        Base: {
          type: 'object',
          additionalProperties: false,
          required: ['id'],
          properties: { id: { type: 'string', readOnly: true }, note: { nullable: true, allOf: [text] } },
        },
      },
    },
    paths: {
      '/files': {
        servers: [{ url: elsewhere }],
        post: { operationId: 'upload', requestBody: body('multipart/form-data', FILES) },
      },
      '/raw': {
        put: {
          operationId: 'putRaw',
          parameters: [{ name: 'If-Match', in: 'header', schema: text }],
          requestBody: body('application/octet-stream', { type: 'string', format: 'binary' }),
        },
      },
      '/list': {
        get: {
          operationId: 'list',
          parameters: [
            inQuery('page', { type: 'integer' }),
            inQuery('api_key'),
            inQuery('filter', { type: 'object', additionalProperties: true }),
            { name: 'sid', in: 'cookie', schema: text },
            { name: 'theme', in: 'cookie', schema: text },
            { name: 'X-Tenant', in: 'header', required: true, schema: text },
          ],
        },
        head: { operationId: 'look' },
      },
      '/v1/{+name}': { get: { operationId: 'byName', parameters: [] } },
      '/orders': {
        post: { operationId: 'order', requestBody: body('application/json', ORDER) },
      },
    },
  };
}

beforeAll(async () => {
  home = await listen('home');
  elsewhere = await listen('elsewhere');
  const folder = mkdtempSync(join(tmpdir(), 'mayday-wild-'));
  const openapi = join(folder, 'wild.json');
  writeFileSync(openapi, JSON.stringify(document()));
  const swagger = join(folder, 'old.yaml');
  writeFileSync(swagger, SWAGGER.replace('HOST', home.replace('http://', '')));
  const headers = {
    authorization: 'Bearer shop-token',
    cookie: 'sid=operators',
    'x-tenant': 'acme',
    'content-type': 'application/json; charset=utf-8',
  };
  const common = { openapi, headers, query: { api_key: 'key-of-the-query' }, retry: { attempts: 1 } };
  gateway = await open({
    limits: { message_bytes: 1_000_000 },
    upstreams: {
      wild: { ...common, idempotency_header: 'X-Once' },
      trusting: { ...common, origins: [elsewhere, NOWHERE], retry: { attempts: 3 } },
      old: { openapi: swagger },
    },
  });
});

afterAll(cleanUp);

beforeEach(() => {
  seen.length = 0;
  answers.clear();
});

const ask = (name: string, args: object = {}, at = 'wild'): Promise<Posted> =>
  post(`${gateway.url}/${at}/mcp`, callTool(name, args));

const SWAGGER = `
swagger: "2.0"
info: { title: Old, version: "1" }
host: HOST
basePath: /old
schemes: [http]
consumes: [application/json]
parameters:
  limit: { name: limit, in: query, type: integer, maximum: 10 }
  pet: { name: pet, in: body, required: true, schema: { $ref: "#/definitions/Pet" } }
definitions:
  Pet: { type: object, required: [name], properties: { name: { type: string }, tag: { type: string, x-nullable: true } } }
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, type: integer, required: true }]
    get:
      operationId: getPets
      parameters:
        - { $ref: "#/parameters/limit" }
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: pipes }
        - { name: names, in: query, type: array, items: { type: string } }
    put: { operationId: putPet, parameters: [{ $ref: "#/parameters/pet" }] }
    post:
      operationId: photo
      parameters:
        - { name: photo, in: formData, type: file, required: true }
        - { name: caption, in: formData, type: string }
`;

async function toolsOf(
  at: string,
): Promise<readonly { name: string; inputSchema: Schema; _meta?: object }[]> {
  const { message } = await post(`${gateway.url}/${at}/mcp`, call('tools/list'));
  return message.result?.['tools'] as readonly { name: string; inputSchema: Schema }[];
}

interface Schema {
  readonly properties: { readonly [name: string]: { readonly [keyword: string]: unknown } };
  readonly required: readonly string[];
}

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

const redirect =
  (status: number, location: string): Answer =>
  (response) =>
    response.writeHead(status, { location }).end();

it('follows what reads to another path of the API', async () => {
  answers.set('GET /v1/list', redirect(301, '/v1/moved?page=1'));
  const { message } = await ask('list');
  expect(message.result?.['structuredContent']).toEqual({ ok: true });
  expect(seen[1]).toMatchObject({
    what: 'home GET /v1/moved?page=1&api_key=key-of-the-query',
    headers: { authorization: 'Bearer shop-token' },
  });
});

it('follows elsewhere only where the operator allows it, and without what the operator gives', async () => {
  answers.set('GET /v1/list', redirect(302, `${elsewhere}/signed?token=t`));
  expect(faultIn(await ask('list'))).toMatchObject({
    kind: 'misconfigured',
    message: `The API answered with a redirect (HTTP 302) that leads to ${elsewhere}, which is not followed; name it in origins, or change base_url`,
  });
  expect(seen).toHaveLength(1);
  await ask('list', { theme: 'dark' }, 'trusting');
  expect(seen[2]?.what).toBe('elsewhere GET /signed?token=t');
  expect(Object.keys(seen[2]?.headers ?? {}).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'host',
    'user-agent',
  ]);
});

it('does not come back from elsewhere with what the operator gives', async () => {
  answers.set('GET /v1/list', redirect(302, `${elsewhere}/back`));
  answers.set('GET /back', redirect(302, `${home}/v1/secret`));
  await ask('list', {}, 'trusting');
  expect(seen[2]?.what).toBe('home GET /v1/secret');
  expect(seen[2]?.headers).not.toHaveProperty('authorization');
});

it.each([301, 302, 307, 308])(
  'sends what changes something once, also when it is sent on: %i',
  async (status) => {
    answers.set('POST /v1/orders', redirect(status, '/v1/other'));
    expect(faultIn(await ask('order', { body: { item: 'x' } }))).toMatchObject({
      kind: 'misconfigured',
      executed: 'maybe',
    });
    expect(seen).toHaveLength(1);
  },
);

it('looks where it is told to look after a change', async () => {
  answers.set('POST /v1/orders', redirect(303, '/v1/orders/9'));
  const { message } = await ask('order', { body: { item: 'x' } });
  expect(message.result?.['structuredContent']).toEqual({ ok: true });
  expect(seen.map(({ what }) => what.split('?')[0])).toEqual([
    'home POST /v1/orders',
    'home GET /v1/orders/9',
  ]);
  expect(seen[1]?.body).toHaveLength(0);
});

it('does not take a place that cannot be reached after a change for a proof that nothing changed', async () => {
  answers.set('POST /v1/orders', redirect(303, `${NOWHERE}/orders/9`));
  const posted = await ask('order', { body: { item: 'x' } }, 'trusting');
  expect(faultIn(posted)).toMatchObject({ executed: 'maybe' });
  expect(seen).toHaveLength(1);
});

it('is not confused by redirects that are none', async () => {
  answers.set('GET /v1/list', (response) => response.writeHead(301).end());
  expect(faultIn(await ask('list'))).toMatchObject({
    kind: 'upstream_failed',
    message: 'The API answered with a redirect (HTTP 301) that does not say where to',
  });
  answers.set('GET /v1/list', (response) => response.writeHead(304, { etag: '"v7"' }).end());
  expect((await ask('list')).message.result).toMatchObject({
    content: [{ type: 'text', text: 'Not modified (HTTP 304)\nETag: "v7"' }],
  });
  answers.set('GET /v1/list', redirect(302, '/v1/list'));
  expect(faultIn(await ask('list'))).toMatchObject({ message: expect.stringContaining('on and on') });
});

it.each<[Record<string, string>, string]>([
  [{ 'x-next-page': '/v1/list?page=3&api_key=key-of-the-query&q=a' }, 'x-next-page: /v1/list?page=3&q=a'],
  [{ 'x-next-page': '?Api_Key=other%20spelling#top' }, 'x-next-page: #top'],
  [{ 'x-total-count': 'of key-of-the-query' }, 'x-total-count: of [hidden]'],
  [{ location: '/v1/list?api%5Fkey=key-of-the-query' }, 'Location: /v1/list'],
])('says nothing of what the operator adds to a query: %j', async (headers, line) => {
  answers.set('GET /v1/list', (response) => response.writeHead(200, { ...JSON_TYPE, ...headers }).end('[1]'));
  const { message, text: all } = await ask('list');
  expect(message.result?.['content']).toEqual([
    { type: 'text', text: '[1]' },
    { type: 'text', text: line },
  ]);
  expect(all).not.toMatch(/key-of-the-query|other%20spelling/);
});

it('nor in the name of a file, nor where there is no body', async () => {
  answers.set('GET /v1/list', (response) =>
    response
      .writeHead(200, {
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="r-key-of-the-query.pdf"',
      })
      .end('%PDF'),
  );
  expect((await ask('list')).message.result?.['content']).toMatchObject([
    { resource: { uri: 'attachment:r-%5Bhidden%5D.pdf' } },
  ]);
  answers.set('GET /v1/list', (response) =>
    response.writeHead(202, { location: `${home}/v1/jobs/7?api_key=key-of-the-query` }).end(),
  );
  expect((await ask('list')).message.result?.['content']).toEqual([
    { type: 'text', text: `Accepted, not done yet (HTTP 202)\nLocation: ${home}/v1/jobs/7` },
  ]);
});

it.each<[number, Record<string, string>, readonly string[]]>([
  [
    202,
    { location: '/jobs/7', 'retry-after': '7' },
    ['Accepted, not done yet (HTTP 202)', 'Location: /jobs/7', 'Retry-After: 7'],
  ],
  [201, { location: '/list/9', etag: '"v1"' }, ['Location: /list/9', 'ETag: "v1"']],
  [206, { 'content-range': 'items 0-1/9' }, ['Content-Range: items 0-1/9']],
  [
    200,
    { deprecation: '@1688169599', sunset: 'Wed, 11 Nov 2026 23:59:59 GMT', warning: '299 - "old"' },
    ['Deprecation: @1688169599', 'Sunset: Wed, 11 Nov 2026 23:59:59 GMT', 'Warning: 299 - "old"'],
  ],
])('tells beside a body what headers say of it: %i %j', async (status, headers, lines) => {
  answers.set('GET /v1/list', (response) =>
    response.writeHead(status, { ...JSON_TYPE, ...headers }).end('{"state":"queued"}'),
  );
  expect((await ask('list')).message.result).toEqual({
    content: [
      { type: 'text', text: '{"state":"queued"}' },
      { type: 'text', text: lines.join('\n') },
    ],
    structuredContent: { state: 'queued' },
    _meta: { 'dev.mayday/http': { headers } },
  });
});

it('tells a program alone of an ETag that no tool takes', async () => {
  answers.set('GET /old/pets/1', (response) =>
    response.writeHead(200, { ...JSON_TYPE, etag: '"v1"' }).end('[1]'),
  );
  expect((await ask('getPets', { id: 1 }, 'old')).message.result).toEqual({
    content: [{ type: 'text', text: '[1]' }],
    _meta: { 'dev.mayday/http': { headers: { etag: '"v1"' } } },
  });
});

it('tells that there is more, by the arguments that ask for it', async () => {
  const link = `<${home}/v1/list?page=3&api_key=key-of-the-query>; rel="next", <${home}/v1/list?page=9>; rel="last"`;
  answers.set('GET /v1/list', (response) =>
    response
      .writeHead(200, { ...JSON_TYPE, link, 'x-total-count': '90', 'x-ratelimit-remaining': '0' })
      .end('[1]'),
  );
  const { message, text: all } = await ask('list', { page: 2 });
  expect(message.result).toMatchObject({
    content: [
      { type: 'text', text: '[1]' },
      {
        type: 'text',
        text: 'There is more: call again with {"page":3}\nx-total-count: 90\nx-ratelimit-remaining: 0, wait before the next call',
      },
    ],
    _meta: {
      'dev.mayday/http': {
        headers: { 'x-total-count': '90', 'x-ratelimit-remaining': '0' },
        next: { page: 3 },
      },
    },
  });
  expect(all).not.toContain('key-of-the-query');
});

const latin1 = Buffer.from('caf\u00e9', 'latin1');

it.each<[string, object, Buffer, object]>([
  [
    'packed JSON',
    { ...JSON_TYPE, 'content-encoding': 'gzip' },
    gzipSync('{"a":1}'),
    { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } },
  ],
  [
    'text in another encoding',
    { 'content-type': 'text/plain; charset=ISO-8859-1' },
    latin1,
    { content: [{ type: 'text', text: 'caf\u00e9' }] },
  ],
  [
    'bytes without a type',
    {},
    latin1,
    {
      content: [
        {
          type: 'resource',
          resource: { uri: 'attachment:answer', mimeType: 'application/octet-stream', blob: 'Y2Fm6Q==' },
        },
      ],
    },
  ],
  [
    'a file with a name',
    { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="../a b.zip"' },
    Buffer.from('PK'),
    {
      content: [
        {
          type: 'resource',
          resource: { uri: 'attachment:a%20b.zip', mimeType: 'application/zip', blob: 'UEs=' },
        },
      ],
    },
  ],
  [
    'an image',
    { 'content-type': 'image/png' },
    Buffer.from('PNG'),
    { content: [{ type: 'image', mimeType: 'image/png', data: 'UE5H' }] },
  ],
  [
    'a drawing, which is text',
    { 'content-type': 'image/svg+xml' },
    Buffer.from('<svg/>'),
    { content: [{ type: 'text', text: '<svg/>' }] },
  ],
])('shows %s', async (_what, headers, bytes, result) => {
  answers.set('GET /v1/list', (response) => response.writeHead(200, { ...headers }).end(bytes));
  expect((await ask('list')).message.result).toEqual(result);
});

it('unpacks no bomb', async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_001));
  answers.set('GET /v1/list', (response) =>
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb),
  );
  expect(faultIn(await ask('list'))).toMatchObject({ kind: 'invalid_output', origin: 'gateway' });
});

it('says of a HEAD what is there', async () => {
  answers.set('HEAD /v1/list', (response) =>
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '7' }).end(),
  );
  expect((await ask('look')).message.result).toEqual({
    content: [
      { type: 'text', text: 'It is there (HTTP 200)\nContent-Type: application/pdf\nContent-Length: 7' },
    ],
  });
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
