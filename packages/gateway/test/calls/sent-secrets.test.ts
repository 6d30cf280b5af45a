/** What a caller proves itself with, or sends as a secret, stays out of what others read of its failures. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const TOKEN = 'aQ7sW2eD8rF4tG6y';
const PASSWORD = 'dS4fG6hJ8kL2zX0c';

/** An answer to whatever is no call. */
const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
  tools: [{ name: 'do', inputSchema: { type: 'object' } }],
};

type Answer = (id: number, words: string) => object;

const FAILURES: readonly (readonly [what: string, status: number, answer: Answer])[] = [
  [
    'a failing result',
    200,
    (id, text) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError: true } }),
  ],
  [
    'an error',
    200,
    (id, message) => ({ jsonrpc: '2.0', id, error: { code: -32_000, message, data: { seen: [message] } } }),
  ],
  ['HTTP 500', 500, (_id, error) => ({ error })],
];

/** All that others may read of it. */
async function readElsewhere(gateway: Awaited<ReturnType<typeof open>>): Promise<string> {
  const read = async (path: string) => (await fetch(`${gateway.url}${path}`)).text();
  return [await read('/-/faults'), await read('/-/status'), await read('/metrics'), ...gateway.logs].join(
    '\n',
  );
}

it.each(FAILURES)('a credential that was passed on, bare in %s', async (_what, status, answer) => {
  const { url } = await upstream((body, response, request) => {
    const { id } = JSON.parse(body) as { id: number };
    const { authorization = '', 'x-api-key': key = '', cookie = '' } = request?.headers ?? {};
    const [, token = ''] = authorization.split(' ');
    const said = [token, String(key), cookie.slice(cookie.indexOf('=') + 1)].filter((part) => part !== '');
    json(response, status, answer(id, `The backend does not know ${said.join(' ')} here`));
  });
  const gateway = await open({
    upstreams: { web: { url, retry: { attempts: 1 } } },
    telemetry: { metrics: 'anybody' },
  });
  for (const headers of [
    { authorization: `Bearer ${TOKEN}` },
    { 'x-api-key': TOKEN },
    { cookie: `session=${TOKEN}` },
  ]) {
    const { text } = await post(`${gateway.url}/web/mcp`, callTool('do'), headers);
    expect(text).toContain('The backend does not know [hidden] here');
    expect(text).not.toContain(TOKEN);
  }
  const elsewhere = await readElsewhere(gateway);
  expect(elsewhere).toContain('The backend does not know [hidden] here');
  expect(elsewhere).not.toContain(TOKEN);
});

it.each(FAILURES)(
  'each argument of a name that is there again, bare in %s',
  async (_what, status, answer) => {
    const words = ['firstQ7sW2eD8rF4t', 'secondS4fG6hJ8kL2', 'lastZ0cX2vB4nM6q'];
    const { url } = await upstream((body, response) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      if (method === 'tools/call')
        json(response, status, answer(id, `Neither ${words.join(' nor ')} is good`));
      else json(response, 200, { jsonrpc: '2.0', id, result: OPENED });
    });
    const gateway = await open({ upstreams: { web: { url, retry: { attempts: 1 } } } });
    const login = words.map((word) => `"login":{"password":"${word}"}`).join();
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"do","arguments":{${login}}}}`;
    const { text } = await post(`${gateway.url}/web/mcp`, body);
    expect(text).toContain('Neither [hidden] nor [hidden] nor [hidden] is good');
    const elsewhere = await readElsewhere(gateway);
    for (const word of words) expect(elsewhere).not.toContain(word);
  },
);

it.each(FAILURES)('an argument that is named like a secret, bare in %s', async (_what, status, answer) => {
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body) as {
      id: number;
      method: string;
      params?: { arguments?: { login?: { password: string } } };
    };
    if (method !== 'tools/call') return json(response, 200, { jsonrpc: '2.0', id, result: OPENED });
    const { password } = params?.arguments?.login ?? {};
    json(response, status, answer(id, `The backend does not know ${password} here`));
  });
  const gateway = await open({
    upstreams: { web: { url, retry: { attempts: 1 } } },
    virtual: { few: { tools: ['web/*'] } },
  });
  for (const [path, tool] of [
    ['/web/mcp', 'do'],
    ['/mcp', 'web_do'],
    ['/few/mcp', 'web_do'],
  ] as const) {
    const sent = { login: { user: 'annabel', password: PASSWORD } };
    const { text } = await post(`${gateway.url}${path}`, callTool(tool, sent));
    expect(text).toContain('The backend does not know [hidden] here');
    expect(text).not.toContain(PASSWORD);
  }
  expect(await readElsewhere(gateway)).not.toContain(PASSWORD);
});

it('a secret in a call that is made as one without was before it', async () => {
  const { url } = await upstream((body, response) => {
    const { id, params } = JSON.parse(body) as { id: number; params: object };
    const said = JSON.stringify(params).match(/A-17|\w{16}/g) ?? [];
    json(response, 500, { id, error: `The backend does not know ${said.join(' or ')} here` });
  });
  const gateway = await open({ upstreams: { web: { url, retry: { attempts: 1 } } } });
  const ask = async (params: object) =>
    (await post(`${gateway.url}/web/mcp`, call('tools/call', params))).text;
  const harmless = { name: 'do', arguments: { order: 'A-17' } };
  for (let again = 0; again < 2; again += 1)
    expect(await ask({ _meta: { progressToken: again }, ...harmless })).toContain('A-17');
  for (const _meta of [{ 'acme/password': PASSWORD }, { progressToken: 1, auth: { token: TOKEN } }]) {
    const text = await ask({ _meta, ...harmless });
    expect(text).toContain('A-17');
    expect(text).toContain('[hidden]');
    expect(text).not.toMatch(`${PASSWORD}|${TOKEN}`);
  }
  expect(await ask({ name: 'do', arguments: { order: 'A-17', password: PASSWORD } })).not.toContain(PASSWORD);
});

/** A process that repeats the token that it is sent, and dies of another. */
const TALKATIVE = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
  const opened = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  if (method === 'initialize') return say({ result: opened });
  if (method === 'tools/list') return say({ result: { tools: [] } });
  const token = params.arguments.api_token;
  if (params.name === 'say') return say({ result: { isError: true, content: [{ type: 'text', text: 'not known: ' + token }] } });
  console.error('TypeError: cannot use ' + token);
  setTimeout(() => process.exit(1), 20);
});`;

it('an argument of a process, in its answers and in its last words', async () => {
  const gateway = await open({
    upstreams: {
      std: { command: process.execPath, args: ['-e', TALKATIVE], retry: { attempts: 1 } },
    },
  });
  const said = await post(`${gateway.url}/std/mcp`, callTool('say', { api_token: TOKEN }));
  expect(said.text).toContain('not known: [hidden]');
  const died = await post(`${gateway.url}/std/mcp`, callTool('die', { api_token: TOKEN }));
  expect(died.text).not.toContain(TOKEN);
  expect(await (await fetch(`${gateway.url}/-/faults`)).text()).not.toContain(TOKEN);
});

const ACCOUNTS = {
  openapi: '3.1.0',
  info: { title: 'accounts', version: '1' },
  paths: {
    '/accounts': {
      get: {
        operationId: 'account',
        parameters: [{ name: 'access_token', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
};

it('an argument of an API', async () => {
  const { url } = await upstream((_body, response, request) => {
    const { pathname, origin, searchParams } = new URL(String(request.url), `http://${request.headers.host}`);
    if (pathname === '/openapi.json') json(response, 200, { ...ACCOUNTS, servers: [{ url: origin }] });
    else json(response, 422, { error: `No account for ${searchParams.get('access_token')}` });
  });
  const openapi = new URL('/openapi.json', url).href;
  const gateway = await open({ upstreams: { api: { openapi, retry: { attempts: 1 } } } });
  const { text } = await post(`${gateway.url}/api/mcp`, callTool('account', { access_token: TOKEN }));
  expect(text).toContain('No account for [hidden]');
  expect(text + (await readElsewhere(gateway))).not.toContain(TOKEN);
});

it('an argument of the call that began a task which fails', async () => {
  const text = `The backend does not know ${PASSWORD} here`;
  const { url } = await upstream((body, response) => {
    const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const results: { readonly [method: string]: object } = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
      'tools/call': { task: { taskId: 't-1', status: 'working', createdAt: 'x', ttl: null } },
      'tasks/result': { isError: true, content: [{ type: 'text', text }] },
    };
    if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else json(response, 200, { jsonrpc: '2.0', id, result: results[method] ?? {} });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const at = `${gateway.url}/a/mcp`;
  const { headers } = await post(at, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(
    at,
    call('tools/call', { name: 'pay', arguments: { password: PASSWORD }, task: { ttl: 60_000 } }),
    session,
  );
  const reply = await post(at, call('tasks/result', { taskId: 't-1' }), session);
  expect(reply.text).toContain('The backend does not know [hidden] here');
  expect(reply.text + (await readElsewhere(gateway))).not.toContain(PASSWORD);
});

it('and what is no secret of a caller stays: names, words, the protocol, and answers that do not fail', async () => {
  const { url } = await upstream((body, response, request) => {
    const { id, params } = JSON.parse(body) as { id: number; params: { name: string; arguments: object } };
    const text = `${request?.headers['x-tenant']} has no ${JSON.stringify(params.arguments)}`;
    const isError = params.name === 'fail';
    json(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError } });
  });
  const gateway = await open({ upstreams: { web: { url, retry: { attempts: 1 } } } });
  const at = `${gateway.url}/web/mcp`;
  const failed = await post(at, callTool('fail', { project: 'abcdef12', pageToken: 'zxcvbn34' }), {
    'x-tenant': 'northwind',
  });
  expect(failed.text).toContain('northwind has no');
  expect(failed.text).toContain('abcdef12');
  expect(failed.text).toContain('zxcvbn34');
  const odd = await post(at, callTool('fail', { password: 'content' }), { 'x-api-key': 'structured' });
  expect(odd.message).toMatchObject({ result: { isError: true, content: [{ type: 'text' }] } });
  const succeeded = await post(at, callTool('do', { password: PASSWORD }));
  expect(succeeded.text).toContain(PASSWORD);
});
