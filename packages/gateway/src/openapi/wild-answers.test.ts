/** What APIs answer outside, and what callers hear of it. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { faultIn } from '../../test/tools.ts';
import { answers, ask, home, JSON_TYPE, withWildApi } from '../../test/wild-api.ts';

withWildApi();

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
