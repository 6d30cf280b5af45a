/** What an API or a tool answers with when it fails, in the documents that pass it on and in those that must not. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, cleanUp, json, later, open, post, upstream } from '../tools.ts';

const ERR400 =
  '{"code":400,"error":"Invalid arguments","details":"d","errors":[{"field":"url","message":"must be https"}]}';
const ERR422 =
  '{"code":422,"error":"Agent without workspace","errors":[{"field":"agent","message":"no workspace"}]}';
const PAGE = '<html><title>Down</title><body>x</body></html>';
const STRIPE = '{"code":500,"error":"stripe: charge ch_3MqLiJLkdIwHu7ix0 failed at acquirer 7"}';
const SECRET = '{"code":404,"error":"No key sk_live_51HabcdefghijklmnopQRSTUV"}';

const EMPTY = [400, 401, 403, 404, 409, 422, 429, 500, 501, 502, 503, 504];

// biome-ignore format: a table
const ANSWERS: { readonly [name: string]: readonly [status: number, type: string, body: string] } = {
  err400: [400, 'application/json', ERR400],
  err422: [422, 'application/json', ERR422],
  text500: [500, 'text/plain', 'boom at worker 7'],
  html503: [503, 'text/html', PAGE],
  list400: [400, 'application/json', '[{"field":"url"}]'],
  stripe: [500, 'application/json', STRIPE],
  stripe409: [409, 'text/plain', 'stripe: charge ch_3MqLiJLkdIwHu7ix0 already refunded'],
  secret: [404, 'application/json', SECRET],
  ...Object.fromEntries(EMPTY.map((status) => [`empty${status}`, [status, 'text/plain', ''] as const])),
};

const ZOD =
  '[\n  {\n    "expected": "string",\n    "code": "invalid_type",\n    "path": [\n      "q"\n    ],\n    "message": "Invalid input: expected string, received number"\n  }\n]';

/** What tools of a server say. */
const TEXTS: { readonly [name: string]: string } = {
  err400: ERR400,
  page: PAGE,
  zod: ZOD,
  ax404: 'Request failed with status code 404',
  ax422: 'Request failed with status code 422',
  row: 'No invoice in_1NxyzABCdef2345 for you',
  rest500: '{"code":500,"error":"Oops","details":"raw"}',
  python: "Input validation error: 'url' is a required property",
};

let url: string;

beforeAll(async () => {
  const api = createServer((request, response) => {
    const [status, type, body] = ANSWERS[(request.url ?? '/').slice(1)] ?? [404, 'text/plain', ''];
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  later(() => api.close());
  const responses = { 200: { description: 'ok' } };
  const paths = Object.fromEntries(
    Object.keys(ANSWERS).map((operationId) => [`/${operationId}`, { post: { operationId, responses } }]),
  );
  const servers = [{ url: `http://127.0.0.1:${(api.address() as AddressInfo).port}` }];
  const file = join(tmpdir(), `mayday-bodies-${process.pid}.json`);
  writeFileSync(
    file,
    JSON.stringify({ openapi: '3.1.0', info: { title: 'a', version: '1' }, servers, paths }),
  );
  const tool = await upstream((body, response) => {
    const { id, params = {} } = JSON.parse(body) as { id: number; params?: { name?: string } };
    const text = TEXTS[params.name ?? ''] ?? '';
    const result =
      params.name === undefined ? { tools: [] } : { isError: true, content: [{ type: 'text', text }] };
    json(response, 200, { jsonrpc: '2.0', id, result });
  });
  const once = { retry: { attempts: 1 }, breaker: false } as const;
  url = (await open({ upstreams: { api: { openapi: file, ...once }, tool: { url: tool.url, ...once } } }))
    .url;
});
afterAll(cleanUp);

async function answer(dialect: string, upstreamName: string, name: string) {
  return (await post(`${url}/${upstreamName}/mcp`, callTool(name), { 'mayday-dialect': dialect })).message;
}

const raw = (text: string, structuredContent?: object): object => ({
  isError: true,
  content: [{ type: 'text', text }],
  ...(structuredContent && { structuredContent }),
});

describe('platica: every answer that is not 2xx is its raw body', () => {
  // biome-ignore format: a table
  it.each([
    ['PL-4 PL-5 PL-6', 'api', 'err400', raw(ERR400, JSON.parse(ERR400))],
    ['PL-11', 'api', 'err422', raw(ERR422, JSON.parse(ERR422))],
    ['PL-5', 'api', 'text500', raw('boom at worker 7')],
    ['PL-5', 'api', 'html503', raw(PAGE)],
    ['PL-5', 'api', 'list400', raw('[{"field":"url"}]')],
    ['PL-6', 'tool', 'err400', raw(ERR400, JSON.parse(ERR400))],
    ['PL-5', 'tool', 'page', raw(PAGE)],
    ['PL-5', 'tool', 'zod', raw(ZOD)],
  ])('%s %s %s', async (_id, from, name, result) => {
    expect(await answer('platica', from, name)).toEqual({ jsonrpc: '2.0', id: 1, result });
  });

  it.each(EMPTY)('PL-4 PL-5 %i without a body is made of its status', async (status) => {
    const { result } = await answer('platica', 'api', `empty${status}`);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: status } });
  });

  it('without secrets', async () => {
    const { result } = await answer('platica', 'api', 'secret');
    expect(JSON.stringify(result)).toContain('No key');
    expect(JSON.stringify(result)).not.toContain('sk_live');
  });

  it('PL-20 what a schema has against arguments is a list of issues still', async () => {
    const { result } = await answer('platica', 'tool', 'python');
    expect(result?.['structuredContent']).toMatchObject({ issues: [{ path: ['url'] }] });
  });
});

describe('qaqnuz: no words of a provider cross', () => {
  // biome-ignore format: a table
  it.each([
    ['api', 'stripe', 'Internal error'],
    ['api', 'stripe409', 'Conflict'],
    ['api', 'err400', 'Invalid arguments'],
    ['tool', 'ax404', 'Not found'],
    ['tool', 'ax422', 'Unprocessable'],
    ['tool', 'zod', 'Invalid arguments'],
    ['tool', 'rest500', 'Internal error. It may have happened; check before you repeat a change.'],
    ['tool', 'row', 'Not found'],
  ])('QA-6 %s %s', async (from, name, text) => {
    expect(await answer('qaqnuz', from, name)).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }], isError: true } });
  });
});

describe('onx: what a backend says', () => {
  it.each(['err400'])('EM-25 EM-26 of the input is no protocol error (%s)', async (name) => {
    const { result } = await answer('onx', 'api', name);
    expect(result?.['error']).toMatchObject({ code: 2001, details: { field: 'url' } });
  });

  it('EM-6 EM-19 a write that broke in the middle is not to be repeated', async () => {
    const { result } = await answer('onx', 'tool', 'rest500');
    expect(result?.['error']).toMatchObject({ code: 4001, retryable: false });
  });
});
