/** What the call was sent with that began a task is not told by the task, wherever and however somebody asks for it. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const PASSWORD = 'q7Rmb2Kx9WzT';
const OTHER = 'h3Vns8Lp4YdQ';
const TOKEN = 'CallerTok77889';
const ID = '7f1c9a52-aaaa-4bbb-8ccc-1234567890ab';
const NEXT = '8e2d0b63-bbbb-4ccc-9ddd-234567890abc';

type Answers = (
  method: string,
  seen: { readonly token: string; readonly begun: number },
) => object | undefined;

/** Tells of its tasks what `answers` says; as one that may be known under two names. */
async function house(answers: Answers, { inEvents = false } = {}) {
  let begun = 0;
  const { url } = await upstream((body, response, request) => {
    const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
    if (id === undefined) return void response.writeHead(body === '' ? 405 : 202).end();
    if (method === 'tools/call') begun += 1;
    const token = String(request.headers['x-api-token'] ?? '');
    const result = answers(method, { token, begun }) ?? OPENED[method] ?? {};
    const said = { jsonrpc: '2.0', id, result };
    if (!inEvents || method === 'initialize') return json(response, 200, said);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(said)}\n\n`);
  });
  const retry = { attempts: 1 };
  const gateway = await open({ upstreams: { a: { url, retry }, b: { url: `${url}?x=1`, retry } } });
  return {
    logs: gateway.logs,
    url: gateway.url,
    async client(path: string, own: { readonly [name: string]: string } = {}) {
      const at = `${gateway.url}${path}`;
      const { headers } = await post(at, INITIALIZE, own);
      const session = { ...own, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
      return (method: string, params: object) => post(at, call(method, params), session);
    },
  };
}

const OPENED: { readonly [method: string]: object } = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    serverInfo: { name: 's', version: '1' },
  },
  'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
};

const TIMES = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z', ttl: 600_000 };
const failed = (taskId: string, statusMessage: string) => ({
  taskId,
  status: 'failed',
  statusMessage,
  ...TIMES,
});
const paying = (name: string, password: string) => ({
  name,
  arguments: { password },
  task: { ttl: 600_000 },
});

describe.each([
  ['/a/mcp', 'pay'],
  ['/mcp', 'a_pay'],
])('at %s', (path, tool) => {
  it.each([false, true])('an argument is not in what its task says (in events: %s)', async (inEvents) => {
    const words = `value ${PASSWORD} refused`;
    const { client, logs } = await house(
      (method) =>
        ({
          'tools/call': { task: { ...failed(ID, `begun with ${PASSWORD}`), status: 'working' } },
          'tasks/get': failed(ID, words),
          'tasks/cancel': { ...failed(ID, words), status: 'cancelled' },
          'tasks/list': { tasks: [failed(ID, words)] },
        })[method],
      { inEvents },
    );
    const ask = await client(path);
    expect((await ask('tools/call', paying(tool, PASSWORD))).text).toContain('begun with [hidden]');
    for (const method of ['tasks/get', 'tasks/list', 'tasks/cancel']) {
      const { text } = await ask(method, { taskId: ID });
      expect([method, text]).toEqual([method, expect.stringContaining('value [hidden] refused')]);
      expect(text).toContain(`"taskId":"${ID}"`);
      expect(text).toContain('"ttl":600000');
    }
    expect(logs.join()).not.toContain(PASSWORD);
  });

  it('nor is what the caller proves itself with', async () => {
    const { client } = await house(
      (method, { token }) =>
        ({
          'tools/call': { task: { ...failed(ID, ''), status: 'working' } },
          'tasks/get': failed(ID, `value ${token} refused`),
        })[method],
    );
    const ask = await client(path, { 'x-api-token': TOKEN });
    await ask('tools/call', { name: tool, arguments: {}, task: {} });
    const { text } = await ask('tasks/get', { taskId: ID });
    if (path === '/a/mcp') expect(text).toContain('value [hidden] refused');
    expect(text).not.toContain(TOKEN);
  });

  it('in a list, each is without its own', async () => {
    const { client } = await house(
      (method, { begun }) =>
        ({
          'tools/call': { task: { ...failed(begun === 1 ? ID : NEXT, ''), status: 'working' } },
          'tasks/list': {
            tasks: [failed(ID, `${PASSWORD}, not ${OTHER}`), failed(NEXT, `${OTHER}, not ${PASSWORD}`)],
          },
        })[method],
    );
    const ask = await client(path);
    await ask('tools/call', paying(tool, PASSWORD));
    await ask('tools/call', paying(tool, OTHER));
    const { tasks } = (await ask('tasks/list', {})).message.result as { tasks: { statusMessage: string }[] };
    // At `/mcp` both names of the server list them.
    expect(new Set(tasks.map(({ statusMessage }) => statusMessage))).toEqual(
      new Set([`[hidden], not ${OTHER}`, `[hidden], not ${PASSWORD}`]),
    );
  });
});

it('a task keeps its form, whatever its secret looks like, and one that is done keeps what it says', async () => {
  let status = 'failed';
  const { client } = await house(
    (method) =>
      ({
        'tools/call': { task: { ...failed(ID, ''), status: 'working' } },
        'tasks/get': { ...failed(ID, `value 600000 ${PASSWORD}`), status },
      })[method],
  );
  const ask = await client('/a/mcp');
  const passwords = {
    password: '600000',
    api_token: 'failed',
    secret: '2026-01-01',
    client_secret: PASSWORD,
  };
  await ask('tools/call', { name: 'pay', arguments: passwords, task: {} });
  expect((await ask('tasks/get', { taskId: ID })).message.result).toEqual(
    failed(ID, 'value [hidden] [hidden]'),
  );
  status = 'completed';
  expect((await ask('tasks/get', { taskId: ID })).text).toContain(`value 600000 ${PASSWORD}`);
});

it('the same is hidden under another name of its server', async () => {
  const words = `value ${PASSWORD} refused`;
  const { client, logs, url } = await house(
    (method) =>
      ({
        'tools/call': { task: { ...failed(ID, ''), status: 'working' } },
        'tasks/get': failed(ID, words),
        'tasks/result': { isError: true, content: [{ type: 'text', text: words }] },
      })[method],
  );
  await (await client('/a/mcp'))('tools/call', paying('pay', PASSWORD));
  const ask = await client('/b/mcp');
  for (const method of ['tasks/get', 'tasks/result'])
    expect((await ask(method, { taskId: ID })).text).toContain('value [hidden] refused');
  expect((await (await fetch(`${url}/-/faults`)).text()) + logs.join()).not.toContain(PASSWORD);
});

it('what is told of a task beside its answers is without it, too', async () => {
  const status = {
    jsonrpc: '2.0',
    method: 'notifications/tasks/status',
    params: failed(ID, `no ${PASSWORD}`),
  };
  const { url } = await upstream((body, response) => {
    const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
    if (id === undefined) return void response.writeHead(body === '' ? 405 : 202).end();
    const task = { ...failed(ID, ''), status: 'working' };
    const result = method === 'tools/call' ? { task } : (OPENED[method] ?? {});
    if (method !== 'tasks/result') return json(response, 200, { jsonrpc: '2.0', id, result });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `data: ${JSON.stringify(status)}\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`,
    );
  });
  const gateway = await open({ upstreams: { a: { url } } });
  for (const [path, tool] of [
    ['/a/mcp', 'pay'],
    ['/mcp', 'a_pay'],
  ] as const) {
    const at = `${gateway.url}${path}`;
    const { headers } = await post(at, INITIALIZE);
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const begun = await post(at, call('tools/call', paying(tool, PASSWORD)), session);
    const { taskId } = (begun.message.result?.['task'] ?? {}) as { taskId?: string };
    const { text } = await post(at, call('tasks/result', { taskId }), session);
    expect([path, text]).toEqual([path, expect.stringContaining('"statusMessage":"no [hidden]"')]);
  }
});
