/** In a closed document, what is kept back from an answer does not cross beside it, whoever said it. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  INITIALIZE,
  idIn,
  json,
  open,
  post,
  takeEvents,
  until,
  upstream,
} from '../tools.ts';

/** An id that nobody guesses. */
const TASK_ID = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';

afterEach(cleanUp);

const PROVIDERS =
  'Stripe says card_declined for cus_9s8df7: relation "customers_pii" missing on db7.corp.internal; pg://u:hunter2@h/db';

const NOTES = [
  { method: 'notifications/message', params: { level: 'error', data: PROVIDERS } },
  { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, message: PROVIDERS } },
  { method: 'notifications/message', params: { level: 'info', data: 'Sent 120 of 500: Orders' } },
  { id: 'q', method: 'elicitation/create', params: { message: PROVIDERS, requestedSchema: {} } },
];

/** What stands in the settings is hidden; backwards, nothing of it is known as a secret. */
const backwards = (text: string): string => JSON.stringify([...text].reverse().join(''));

const STDIO = `
  const forwards = (text) => [...text].reverse().join('');
  const say = (said) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params: { protocolVersion } = {} } = JSON.parse(line);
    if (method === 'initialize') say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'b', version: '1' } } });
    else if (method === 'tools/list') say({ id, result: { tools: [{ name: 't', inputSchema: { type: 'object' } }] } });
    else if (method === 'tools/call') {
      for (const note of JSON.parse(forwards(${backwards(JSON.stringify(NOTES))}))) say(note);
      say({ id, result: { isError: true, content: [{ type: 'text', text: 'status code 503' }] } });
    }
  });
`;

async function told(path: string, dialect: string): Promise<string> {
  const server = { command: process.execPath, args: ['-e', STDIO], dialect };
  const gateway = await open({ upstreams: { s: server } });
  const url = gateway.url + path;
  const initialize = INITIALIZE as { params: object };
  const capabilities = { elicitation: { form: {} } };
  const opened = await post(url, { ...initialize, params: { ...initialize.params, capabilities } });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  await post(url, call('tools/list'), session);
  const asked = callTool(path === '/mcp' ? 's_t' : 't') as { params: object };
  const params = { ...asked.params, _meta: { progressToken: 'p' } };
  return (await post(url, { ...asked, params }, session)).text;
}

describe.each(['/s/mcp', '/mcp'])('at %s', (path) => {
  it.each(['qaqnuz', 'platica'])(
    '%s says of a failure beside the answer no more than in it',
    async (dialect) => {
      const text = await told(path, dialect);
      expect(text).not.toMatch(/Stripe|cus_|customers_pii|hunter2/);
      expect(text).toContain('"data":"Internal error"');
      expect(text).toMatch(/"progress":1\}/);
      expect(text).toContain('"data":"Sent 120 of 500: Orders"');
      expect(text).toContain('"message":"The server asks for something"');
    },
  );

  it('every other document tells it without secrets', async () => {
    const text = await told(path, 'onx');
    expect(text).toContain('"data":"Stripe says card_declined');
    expect(text).not.toContain('hunter2');
  });
});

it.each([
  ['/s/mcp', 'the configuration', { dialect: 'qaqnuz' }, {}],
  ['/mcp', 'the configuration', { dialect: 'qaqnuz' }, {}],
  ['/s/mcp', 'the server', {}, { dialect: 'qaqnuz' }],
  ['/mcp', 'the server', {}, { dialect: 'qaqnuz' }],
])(
  'nor does what a server tells at any other time, on the standing stream of %s, in the dialect of %s',
  async (path, _whose, all, its) => {
    const streams: ServerResponse[] = [];
    const { url } = await upstream((said, response, request) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': open\n\n');
        streams.push(response);
      } else if (said.includes('"initialize"')) {
        const result = { protocolVersion: '2025-11-25', capabilities: {} };
        json(response, 200, { jsonrpc: '2.0', id: idIn(said), result }, { 'mcp-session-id': 's1' });
      } else response.writeHead(202).end();
    });
    const gateway = await open({ ...all, upstreams: { s: { url, ...its } } });
    const { headers } = await post(gateway.url + path, INITIALIZE);
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const standing = await fetch(gateway.url + path, {
      headers: { ...session, accept: 'text/event-stream' },
    });
    await until(() => streams.length === 1);
    streams[0]?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...NOTES[0] })}\n\n`);
    expect(await takeEvents(standing, 1)).toEqual([
      expect.stringMatching(/"params":\{"level":"error","data":"Internal error"\}\}$/),
    ]);
  },
);

it('nor does a question that is an answer', async () => {
  const question = { method: 'elicitation/create', params: { message: PROVIDERS, requestedSchema: {} } };
  const result = { resultType: 'input_required', requestState: 'st', inputRequests: { a: question } };
  const { url } = await upstream((said, response) => {
    const { id } = JSON.parse(said) as { id: number };
    json(response, 200, { jsonrpc: '2.0', id, result });
  });
  const gateway = await open({ upstreams: { s: { url, dialect: 'qaqnuz' } } });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 't' };
  const asked = call('tools/call', { name: 't', arguments: {}, _meta });
  const { message } = await post(`${gateway.url}/s/mcp`, asked, headers);
  expect(message.result).toEqual({
    ...result,
    inputRequests: {
      a: { ...question, params: { message: 'The server asks for something', requestedSchema: {} } },
    },
  });
});

it.each(['qaqnuz', 'platica'])('nor does what a task has come to, in %s', async (dialect) => {
  const task = { taskId: TASK_ID, status: 'failed', createdAt: '2026-01-01T00:00:00Z', ttl: 1 };
  const said = { ...task, statusMessage: PROVIDERS };
  const fine = { ...task, status: 'working', statusMessage: 'Half of it is done' };
  const { url } = await upstream((asked, response) => {
    const { id, method } = JSON.parse(asked) as { id: number; method: string };
    const result = method === 'tasks/list' ? { tasks: [said, fine] } : said;
    json(response, 200, { jsonrpc: '2.0', id, result });
  });
  const gateway = await open({ upstreams: { s: { url, dialect } } });
  const got = await post(`${gateway.url}/s/mcp`, call('tasks/get', { taskId: TASK_ID }));
  expect(got.message.result).toEqual(task);
  // Whose they are, the server knows by what its caller sends.
  const own = { authorization: 'Bearer of-ann' };
  const listed = await post(`${gateway.url}/s/mcp`, call('tasks/list'), own);
  expect(listed.message.result).toEqual({ tasks: [task, fine] });
});

describe.each(['qaqnuz', 'platica'])('a task of 2026-07-28, in %s', (dialect) => {
  const TASK = {
    resultType: 'complete',
    taskId: TASK_ID,
    createdAt: '2026-01-01T00:00:00Z',
    lastUpdatedAt: '2026-01-01T00:00:00Z',
    ttlMs: 60_000,
    pollIntervalMs: 1000,
  };

  /** The task as it is told when its server says this of it. */
  async function told(said: object): Promise<unknown> {
    const { url } = await upstream((asked, response) => {
      const { id } = JSON.parse(asked) as { id: number };
      json(response, 200, { jsonrpc: '2.0', id, result: { ...TASK, ...said } });
    });
    const gateway = await open({ upstreams: { s: { url, dialect } } });
    return (await post(`${gateway.url}/s/mcp`, call('tasks/get', { taskId: TASK_ID }))).message.result;
  }

  it('keeps what it has come to', async () => {
    const done = { status: 'completed', result: { content: [{ type: 'text', text: 'fine' }], rows: 3 } };
    expect(await told({ ...done, statusMessage: PROVIDERS })).toEqual({ ...TASK, ...done });
  });

  it('says of its error no more than an answer may', async () => {
    const error = { code: -32603, message: PROVIDERS, data: { table: 'users_tbl' } };
    expect(await told({ status: 'failed', error })).toEqual({
      ...TASK,
      status: 'failed',
      error: { code: -32603, message: 'Internal error' },
    });
  });

  it('says of its failing result no more than an answer may', async () => {
    const content = [{ type: 'text', text: PROVIDERS, _meta: { table: 'users_tbl' } }];
    const result = { isError: true, content, structuredContent: { table: 'users_tbl' } };
    expect(await told({ status: 'completed', result })).toEqual({
      ...TASK,
      status: 'completed',
      result: { isError: true, content: [{ type: 'text', text: 'Internal error' }] },
    });
  });
});
