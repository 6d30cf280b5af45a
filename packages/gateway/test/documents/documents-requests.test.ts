/** Requests that are wrong as such, at every kind of endpoint: the specification's codes, and those of the five documents. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, later, open, post, STDIO_SERVER, upstream } from '../tools.ts';

const FIVE = ['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'];
const ALL = ['mayday', ...FIVE];

let url: string;

/** A server that refuses requests as SDK v2 does, whatever is asked. */
async function plain(): Promise<string> {
  const server = await upstream((body, response) => {
    const { id, method, params = {} } = JSON.parse(body) as { id: number; method: string; params?: Params };
    const error = refusal(method, params);
    const answer = error === undefined ? { result: { tools: [] } } : { error };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  return server.url;
}

type Params = { readonly [key: string]: unknown };

function refusal(method: string, params: Params): object | undefined {
  if (method === 'prompts/get' && params['name'] === 'throws') return { code: -32603, message: 'Out of ink' };
  if (method === 'prompts/get' && params['name'] === 'needs') {
    const told =
      'Invalid arguments for prompt needs: topic: Invalid input: expected string, received undefined';
    return { code: -32602, message: told };
  }
  if (method === 'resources/read' && params['uri'] !== undefined)
    return { code: -32002, message: 'Resource not found', data: { uri: params['uri'] } };
  const wrong = method === 'resources/read' ? 'uri' : params['name'] === undefined ? 'name' : 'arguments';
  if (!['tools/call', 'resources/read', 'prompts/get'].includes(method)) return undefined;
  const expected = wrong === 'arguments' ? 'record, received number' : 'string, received undefined';
  const issue = {
    path: ['params', wrong],
    code: 'invalid_type',
    message: `Invalid input: expected ${expected}`,
  };
  return { code: -32602, message: `Invalid request: ${JSON.stringify([issue])}`, data: { issues: [issue] } };
}

beforeAll(async () => {
  const api = createServer((_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  later(() => api.close());
  const operation = { operationId: 'ok', responses: { 200: { description: 'ok' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'api', version: '1' },
    servers: [{ url: `http://127.0.0.1:${(api.address() as AddressInfo).port}` }],
    paths: { '/ok': { post: operation } },
  };
  const file = join(tmpdir(), `mayday-requests-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(document));
  const upstreams = { plain: { url: await plain() }, api: { openapi: file }, process: STDIO_SERVER };
  url = (await open({ upstreams })).url;
});
afterAll(cleanUp);

async function asked(path: string, dialect: string, message: object, headers: object = {}) {
  return await post(`${url}/${path}`, message, { 'mayday-dialect': dialect, ...headers });
}

const meta = (version: string): object => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

describe.each(ALL)('%s: what decides the revision is the specification’s', (dialect) => {
  it.each(['plain/mcp', 'api/mcp', 'process/mcp', 'mcp'])(
    'a header that says otherwise is -32020 (%s)',
    async (path) => {
      const message = call('tools/call', { name: 'api_ok', arguments: {}, _meta: meta('2026-07-28') });
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'x' };
      const answer = await asked(path, dialect, message, headers);
      expect(answer.status).toBe(400);
      expect(answer.message).toMatchObject({ id: 1, error: { code: -32020 } });
    },
  );

  it.each(['api/mcp', 'process/mcp', 'mcp'])('a revision that nobody has is -32022 (%s)', async (path) => {
    const message = call('tools/list', { _meta: meta('2099-01-01') });
    const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' };
    const answer = await asked(path, dialect, message, headers);
    expect(answer.status).toBe(400);
    expect(answer.message).toMatchObject({
      id: 1,
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    });
  });
});

describe.each(['plain/mcp', 'api/mcp', 'process/mcp', 'mcp'])('what differs is said at %s', (path) => {
  const mismatch = { header: 'x', body: 'api_ok' };
  const message = 'The header Mcp-Name does not match the body';
  const beside = { 'dev.mayday/error': { message, data: { mismatch } } };
  const named = { code: -32020, message: 'Header mismatch' };

  it.each<readonly [string, object]>([
    ['mayday', expect.objectContaining({ code: -32020, data: expect.objectContaining({ mismatch }) })],
    ...['closient', 'onx', 'erlmcp'].map((dialect) => [dialect, { ...named, data: beside }] as const),
    ['QA-2 qaqnuz', named],
    ['platica', named],
  ])('in %s, under the name of the code where it has a document', async (dialect, error) => {
    const asking = call('tools/call', { name: 'api_ok', arguments: {}, _meta: meta('2026-07-28') });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'x' };
    const answer = await asked(path, dialect.split(' ').at(-1) ?? '', asking, headers);
    expect(answer.message.error).toEqual(error);
  });
});

it.each(['plain/mcp', 'api/mcp', 'mcp'])(
  'headers say nothing else in older revisions either (%s)',
  async (path) => {
    const message = call('tools/call', { name: 'pay', arguments: {} });
    for (const headers of [{ 'mcp-name': 'look' }, { 'mcp-method': 'ping' }]) {
      const answer = await asked(path, 'mayday', message, headers);
      expect([answer.status, answer.message.error?.code]).toEqual([400, -32600]);
    }
    const right = { 'mcp-name': 'pay', 'mcp-method': 'tools/call' };
    expect((await asked(path, 'mayday', message, right)).status).toBe(200);
  },
);

it.each(['api/mcp', 'process/mcp', 'mcp'])(
  'a revision that no handshake leads to is 400 (%s)',
  async (path) => {
    const headers = { 'mcp-protocol-version': '1999-01-01' };
    for (const dialect of ALL) {
      const { status, message } = await asked(path, dialect, call('tools/list'), headers);
      expect([dialect, status, message.result, message.id]).toEqual([dialect, 400, undefined, 1]);
    }
    const { message } = await asked(path, 'erlmcp', call('tools/list'), headers);
    expect(message.error).toEqual({
      code: -32061,
      message: 'Unsupported protocol version',
      data: {
        requested_version: '1999-01-01',
        supported_versions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
      },
    });
  },
);

const NO_NAME = 'params.name: Invalid input: expected string, received undefined';
const NO_RECORD = 'params.arguments: Invalid input: expected record, received number';
const NO_URI = 'params.uri: Invalid input: expected string, received undefined';
const missing = (details: string): object => ({ code: -32602, message: 'Invalid params', data: { details } });
const field = (name: string, reason: string): object => ({
  code: -32602,
  message: 'Invalid params',
  data: expect.objectContaining({ field: name, reason }),
});
const problem = (detail: string): object => ({
  code: -32100,
  message: 'Bad Request',
  data: expect.objectContaining({ error_code: 'bad_request', status: 400, detail }),
});

/** Per dialect: a call without a name, with arguments that are no object, a resource without a URI. */
// biome-ignore format: a table
const MALFORMED: readonly (readonly [string, object, object, object])[] = [
  ['closient', problem(NO_NAME), problem(NO_RECORD), problem(NO_URI)],
  ['onx', field('name', 'required'), field('arguments', 'invalid_type'), field('uri', 'required')],
  ['erlmcp', missing('Missing required parameter: name'), missing('arguments: Invalid input: expected record, received number'), missing('Missing required parameter: uri')],
  ['qaqnuz', { code: -32602, message: NO_NAME }, { code: -32602, message: NO_RECORD }, { code: -32602, message: NO_URI }],
  ['platica', { code: -32602, message: NO_NAME }, { code: -32602, message: NO_RECORD }, { code: -32602, message: NO_URI }],
];

describe.each(MALFORMED)(
  '%s: CL-20 ER-22 EM-26 PL-18 a request that is malformed',
  (dialect, name, args, uri) => {
    it.each(['plain/mcp', 'api/mcp', 'mcp'])('names no tool (%s)', async (path) => {
      expect((await asked(path, dialect, call('tools/call'))).message).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: name,
      });
    });

    it.each([
      ['plain/mcp', 'pay'],
      ['api/mcp', 'ok'],
      ['mcp', 'plain_pay'],
    ])('has no object for arguments (%s)', async (path, tool) => {
      const message = call('tools/call', { name: tool, arguments: 5 });
      expect((await asked(path, dialect, message)).message).toEqual({ jsonrpc: '2.0', id: 1, error: args });
    });

    it.each(['plain/mcp', 'mcp'])('names no prompt, and no resource (%s)', async (path) => {
      expect((await asked(path, dialect, call('prompts/get'))).message.error).toEqual(name);
      expect((await asked(path, dialect, call('resources/read'))).message.error).toEqual(uri);
    });
  },
);

describe('mayday: the same in the specification’s form', () => {
  it.each(['plain/mcp', 'api/mcp', 'mcp'])('-32602 without a name (%s)', async (path) => {
    const { status, message } = await asked(path, 'mayday', call('tools/call'));
    expect([status, message.error?.code]).toEqual([200, -32602]);
    expect(message.error?.message).toContain(NO_NAME);
  });

  it('a method that nobody has stays -32601', async () => {
    expect((await asked('mcp', 'mayday', call('no/such'))).message.error?.code).toBe(-32601);
  });

  it('no arguments are no arguments', async () => {
    const message = call('tools/call', { name: 'ok', arguments: null });
    expect((await asked('api/mcp', 'mayday', message)).message.result?.['isError']).toBeUndefined();
  });
});

// biome-ignore format: a table
describe.each([
  ['mayday', { code: -32002, data: { uri: 'note://zz' } }],
  ['closient', { code: -32200, message: 'Not Found' }],
  ['onx', { code: -32602, message: 'Invalid params', data: { field: 'uri', reason: 'unknown_resource' } }],
  ['erlmcp', { code: -32001, message: 'Resource not found', data: { uri: 'note://zz' } }],
  ['qaqnuz', { code: -32602 }],
  ['platica', { code: -32602 }],
])('%s: a resource that nobody has', (dialect, error) => {
  it.each(['plain/mcp', 'mcp'])('%s', async (path) => {
    const { status, message } = await asked(path, dialect, call('resources/read', { uri: 'note://zz' }));
    expect(status).toBe(200);
    expect(message).toMatchObject({ error });
  });
});

describe('erlmcp: prompts', () => {
  it('ER-48 an argument is missing', async () => {
    const { message } = await asked('plain/mcp', 'erlmcp', call('prompts/get', { name: 'needs' }));
    expect(message.error).toMatchObject({ code: -32043, data: { prompt: 'needs', argument: 'topic' } });
  });

  it('ER-49 rendering fails', async () => {
    const { message } = await asked('plain/mcp', 'erlmcp', call('prompts/get', { name: 'throws' }));
    expect(message.error).toMatchObject({ code: -32044, data: { prompt: 'throws', reason: 'Out of ink' } });
  });

  it('a tool that is not there is found missing by its name still', async () => {
    const { message } = await asked('api/mcp', 'erlmcp', callTool('nope'));
    expect(message.error).toEqual({ code: -32002, message: 'Tool not found', data: { tool: 'nope' } });
  });
});

describe.each(['process/mcp', 'plain/mcp', 'api/mcp', 'mcp'])('a wrong `_meta` is told, at %s', (path) => {
  it.each([
    ['mayday', { progressToken: {} }, -32602],
    ['mayday', 'none', -32602],
    ['mayday', { 'io.modelcontextprotocol/related-task': 7 }, -32602],
    ['erlmcp', { progressToken: true }, -32091],
    ['erlmcp', [], -32602],
    ['qaqnuz', { progressToken: 1.5 }, -32602],
  ])('in %s: %j', async (dialect, wrong, code) => {
    const params = { name: path === 'mcp' ? 'api_ok' : 'ok', _meta: wrong };
    const { message } = await asked(path, dialect, call('tools/call', params));
    expect(message.error).toMatchObject({ code });
  });
});

const RAW = ['process/mcp', 'plain/mcp', 'api/mcp', 'mcp'];

/** A body as it stands, so that it can be what no client would write. */
async function sent(path: string, dialect: string, body: string) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mayday-dialect': dialect,
  };
  const response = await fetch(`${url}/${path}`, { method: 'POST', headers, body });
  return { status: response.status, message: (await response.json()) as Record<string, unknown> };
}

const NO_PARAMS = 'The field params must be an object';

describe.each(RAW)('EM-24 PL-18 CL-20 params that are no object are told, at %s', (path) => {
  it.each([
    ['mayday', '[]', { code: -32602, message: NO_PARAMS }],
    ['mayday', 'null', { code: -32602 }],
    ['closient', '"x"', { code: -32100, data: { detail: NO_PARAMS } }],
    ['onx', '5', { code: -32602, message: 'Invalid params', data: { field: 'params' } }],
    ['erlmcp', '[]', { code: -32602, message: 'Invalid params', data: { details: NO_PARAMS } }],
    ['qaqnuz', '[{"name":"ok"}]', { code: -32602, message: NO_PARAMS }],
    ['platica', 'true', { code: -32602, message: NO_PARAMS }],
  ])('in %s: %s', async (dialect, params, error) => {
    for (const method of ['tools/call', 'tools/list', 'ping']) {
      const body = `{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`;
      expect(await sent(path, dialect, body)).toMatchObject({ status: 400, message: { id: 7, error } });
    }
  });

  it.each(['', '"jsonrpc":"1.0",', '"jsonrpc":2.0,', '"jsonrpc":12.05,'])(
    'nor is another version of JSON-RPC met with silence: %s',
    async (version) => {
      const answer = await sent(path, 'erlmcp', `{${version}"id":7,"method":"tools/list"}`);
      expect(answer).toMatchObject({ status: 400, message: { id: 7, error: { code: -32600 } } });
    },
  );
});

it('members that JSON-RPC does not know are left out before a process, which would drop the line for them', async () => {
  const body =
    '{"trace":"ü","jsonrpc":"2.0","id":7,"extra":{"a":[1]},"method":"heard","params":{"n":1.0},"":0}';
  const { message } = await sent('process/mcp', 'mayday', body);
  const { lines } = message['result'] as { lines: string[] };
  expect(lines.at(-1)).toMatch(
    /^\{"jsonrpc":"2.0","id":[^,]+,"method":"heard","params":\{[^}]+\},"n":1.0\}\}$/,
  );
});
