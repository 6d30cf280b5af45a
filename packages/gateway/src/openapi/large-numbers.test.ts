/** Numbers that a double cannot hold, such as ids of 64 bits: the API gets and the caller sees the very digits. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanUp, faultIn, open, type Posted, post, upstream } from '../../test/tools.ts';

const id = { type: 'integer', format: 'int64' };
const parameter = (place: string, more = {}) => ({
  name: 'id',
  in: place,
  required: true,
  schema: id,
  ...more,
});
const ORDER = {
  type: 'object',
  properties: {
    id,
    amount: { type: 'number' },
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    ids: { type: 'array', items: id },
    name: { type: 'string', maxLength: 20 },
    either: { type: ['integer', 'string'] },
    small: { type: 'integer', maximum: 100 },
  },
};
const body = (type: string) => ({ content: { [type]: { schema: ORDER } } });

const PATHS = {
  '/orders/{id}': { delete: { operationId: 'inPath', parameters: [parameter('path')] } },
  '/labels/{id}': { get: { operationId: 'inLabel', parameters: [parameter('path', { style: 'label' })] } },
  '/query': { get: { operationId: 'inQuery', parameters: [parameter('query')] } },
  '/list': {
    get: {
      operationId: 'inList',
      parameters: [parameter('query', { schema: { type: 'array', items: id }, explode: false })],
    },
  },
  '/deep': {
    get: { operationId: 'inDeep', parameters: [parameter('query', { schema: ORDER, style: 'deepObject' })] },
  },
  '/json': {
    get: {
      operationId: 'inJson',
      parameters: [
        { name: 'id', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
      ],
    },
  },
  '/header': { get: { operationId: 'inHeader', parameters: [parameter('header')] } },
  '/cookie': { get: { operationId: 'inCookie', parameters: [parameter('cookie')] } },
  '/body': { post: { operationId: 'inBody', requestBody: body('application/json') } },
  '/form': { post: { operationId: 'inForm', requestBody: body('application/x-www-form-urlencoded') } },
  '/parts': { post: { operationId: 'inParts', requestBody: body('multipart/form-data') } },
};

interface Called {
  readonly posted: Posted;
  readonly seen: readonly {
    readonly url: string;
    readonly cookie: string;
    readonly id: string;
    readonly body: string;
  }[];
}

/** What the API says, and has heard: all calls go through one gateway, one after the other. */
const api = { answer: '{}', link: '<>', seen: [] as Called['seen'][number][] };
let url: string;

beforeAll(async () => {
  const { url: address } = await upstream((said, response, { url = '', headers }) => {
    api.seen.push({ url, cookie: headers.cookie ?? '', id: String(headers['id'] ?? ''), body: said });
    response.writeHead(200, { 'content-type': 'application/json', link: api.link }).end(api.answer);
  });
  const document = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: PATHS };
  const file = join(mkdtempSync(join(tmpdir(), 'mayday-numbers-')), 'api.json');
  writeFileSync(file, JSON.stringify(document));
  const gateway = await open({ upstreams: { o: { openapi: file, base_url: new URL(address).origin } } });
  url = `${gateway.url}/o/mcp`;
});
afterAll(cleanUp);

/** Arguments and answers are text: nothing of ours must have read them before. */
async function called(tool: string, args: string, answer = '{}', link = '<>'): Promise<Called> {
  const seen: Called['seen'][number][] = [];
  Object.assign(api, { answer, link, seen });
  const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`;
  return { posted: await post(url, message), seen };
}

const PARTS = /form-data; name="id"\r\n\r\n9007199254740993\r\n/;

it.each<[string, (given: string) => string, object]>([
  ['inPath', (given) => `{"id":${given}}`, { url: '/orders/9007199254740993' }],
  ['inLabel', (given) => `{"id":${given}}`, { url: '/labels/.9007199254740993' }],
  ['inQuery', (given) => `{"id":${given}}`, { url: '/query?id=9007199254740993' }],
  ['inList', (given) => `{"id":[7,${given}]}`, { url: '/list?id=7,9007199254740993' }],
  ['inDeep', (given) => `{"id":{"id":${given}}}`, { url: '/deep?id%5Bid%5D=9007199254740993' }],
  ['inHeader', (given) => `{"id":${given}}`, { id: '9007199254740993' }],
  ['inCookie', (given) => `{"id":${given}}`, { cookie: 'id=9007199254740993' }],
  [
    'inBody',
    (given) => `{"body":{"id":${given},"amount":0.1}}`,
    { body: '{"id":9007199254740993,"amount":0.1}' },
  ],
  ['inBody', (given) => `{"body":{"ids":[${given}]}}`, { body: '{"ids":[9007199254740993]}' }],
  ['inBody', (given) => `{"body":{"maybe":${given}}}`, { body: '{"maybe":9007199254740993}' }],
  [
    'inForm',
    (given) => `{"body":{"id":${given},"ids":[${given},8]}}`,
    { body: 'id=9007199254740993&ids=9007199254740993&ids=8' },
  ],
  ['inParts', (given) => `{"body":{"id":${given}}}`, { body: expect.stringMatching(PARTS) }],
])('%s gets the very number, said as a number or as text', async (tool, args, expected) => {
  for (const given of ['9007199254740993', '"9007199254740993"']) {
    const { posted, seen } = await called(tool, args(given));
    expect(posted.message.result).not.toHaveProperty('isError');
    expect(seen).toEqual([expect.objectContaining(expected)]);
  }
});

it.each([
  ['{"body":{"amount":0.12345678901234567890123}}', '{"amount":0.12345678901234567890123}'],
  ['{"body":{"amount":1e400}}', '{"amount":1e400}'],
  ['{"body":{"id":-9223372036854775807}}', '{"id":-9223372036854775807}'],
  ['{"body":{"id":"-9223372036854775807"}}', '{"id":-9223372036854775807}'],
  ['{"body":{"id":"9007199254740992"}}', '{"id":9007199254740992}'],
  ['{"body":{"name":"9007199254740993"}}', '{"name":"9007199254740993"}'],
  ['{"body":{"either":"9007199254740993"}}', '{"either":"9007199254740993"}'],
  [
    '{"body":{"note":"a \\"9007199254740993, 1e400\\\\","id":9007199254740993}}',
    '{"note":"a \\"9007199254740993, 1e400\\\\","id":9007199254740993}',
  ],
  ['{"body":{"amount":1.50,"id":1e2}}', '{"amount":1.5,"id":100}'],
])('a body of JSON, %s, arrives as what it says', async (args, expected) => {
  expect((await called('inBody', args)).seen.map(({ body: said }) => said)).toEqual([expected]);
});

it('a number inside JSON inside a query arrives as it was said', async () => {
  const { seen } = await called('inJson', '{"id":{"a":9007199254740993}}');
  expect(seen[0]?.url).toBe('/json?id=%7B%22a%22%3A9007199254740993%7D');
});

it.each([
  // As a double is written: whoever called may have rounded it already.
  [
    '{"body":{"id":1234567890123456800}}',
    'Too large to be sure of its last digits; send it as text',
    ['body', 'id'],
  ],
  ['{"body":{"id":"90071992547409930x"}}', 'Must be integer', ['body', 'id']],
  ['{"body":{"id":"7"}}', 'Must be integer', ['body', 'id']],
  ['{"body":{"id":"0000000000000000007"}}', 'Must be integer', ['body', 'id']],
  ['{"body":{"small":1.0000000000000000000001e-3}}', 'Must be integer', ['body', 'small']],
  ['{"body":{"small":"9007199254740993"}}', 'Must be <= 100', ['body', 'small']],
  ['{"body":{"name":"900719925474099300000"}}', 'Must NOT have more than 20 characters', ['body', 'name']],
])('%s is refused, and nothing is sent', async (args, message, path) => {
  const { posted, seen } = await called('inBody', args);
  expect(faultIn(posted)?.['issues']).toEqual([expect.objectContaining({ message, path })]);
  expect(seen).toEqual([]);
});

it.each([
  '{"id":9007199254740993}',
  '{"big":1e400,"f":0.12345678901234567890123,"neg":-1e-400,"id":[{"id":18446744073709551615}]}',
  '{"text":"9007199254740993 \\"1e400\\"","id":12345678901234567890}',
])('a success of %s keeps its digits', async (answer) => {
  const { posted } = await called('inQuery', '{"id":7}', answer);
  expect(posted.text).toContain(`"structuredContent":${answer}`);
  expect(posted.message.result?.['content']).toEqual([{ type: 'text', text: answer }]);
});

it('a success that was written on several lines is one line, with its digits', async () => {
  const { posted } = await called('inQuery', '{"id":7}', '{\n "id": 9007199254740993,\r\n "n": 1.0\n}');
  expect(posted.text).toContain('"structuredContent":{"id":9007199254740993,"n":1}');
  expect(posted.text).not.toContain('\n');
});

it('the next page after a large number is named with all its digits, in a form that is taken', async () => {
  const link = '<https://api.test/query?id=9007199254740993>; rel="next"';
  const { posted } = await called('inQuery', '{"id":7}', '{}', link);
  expect(posted.text).toContain('There is more: call again with {\\"id\\":\\"9007199254740993\\"}');
  expect(posted.text).toContain('"next":{"id":"9007199254740993"}');
});
