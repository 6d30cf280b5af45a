/** A server among many that refuses to be opened: it is missing, and nothing of what it was to be asked was sent. */
import { afterEach, expect, it } from 'vitest';
import { namesIn, toolServer, toolsNamed } from '../../test/tool-server.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  post,
  upstream,
} from '../../test/tools.ts';

afterEach(cleanUp);

/** Answers what opens a conversation with this error, and everything else as if it had been opened. */
function refusing(error: object): { command: string; args: string[] } {
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const what = /^(initialize|server.discover)$/.test(method) ? { error: ${JSON.stringify(error)} } : { result: { content: [] } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...what }));
  })`;
  return { command: process.execPath, args: ['-e', script] };
}

async function house(error: object, path: string) {
  const well = await toolServer(() => toolsNamed('go'));
  const gateway = await open({
    upstreams: { well: { url: well.url }, shut: refusing(error) },
    virtual: { desk: { tools: ['*/go'] } },
  });
  const url = `${gateway.url}${path}`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const list = await post(url, call('tools/list'), session);
  const called = await post(url, callTool('shut_go'), session);
  return { list: list.message.result, called };
}

const OTHER = {
  code: -32022,
  message: 'Unsupported protocol version: 2025-11-25',
  data: { supported: ['2026-07-28'], requested: '2025-11-25' },
};

it.each(['/mcp', '/desk/mcp'])('of another revision, at %s', async (path) => {
  const { list, called } = await house(OTHER, path);
  expect(namesIn(list)).toEqual(['well_go']);
  expect(list?._meta).toEqual({ 'dev.mayday/unavailable': ['shut'] });
  expect(called.message.error).toBeUndefined();
  expect(faultIn(called)).toMatchObject({
    kind: 'misconfigured',
    executed: 'no',
    message: 'shut does not speak 2025-11-25, in which this session is',
  });
});

it.each(['/mcp', '/desk/mcp'])('for whoever is not logged in, at %s', async (path) => {
  const { list, called } = await house({ code: -32000, message: 'need login' }, path);
  expect(list?._meta).toEqual({ 'dev.mayday/unavailable': ['shut'] });
  expect(faultIn(called)).toMatchObject({ executed: 'no' });
  expect(called.text).toContain('need login');
  expect(called.text).not.toContain('may have happened');
});

const DEAD = { command: process.execPath, args: ['-e', 'process.exit(3)'] };

async function shutAlone(error: object, path: string, others: object = {}) {
  const gateway = await open({
    upstreams: { ...others, shut: refusing(error) } as never,
    virtual: { desk: { tools: ['*/go'] } },
  });
  const url = `${gateway.url}${path}`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  return {
    list: await post(url, call('tools/list'), session),
    called: await post(url, callTool('shut_go'), session),
  };
}

const REFUSALS = [
  [{ code: -32000, message: 'licence expired' }],
  [{ code: -32602, message: 'invalid params: licence' }],
  [{ code: -32601, message: 'licence not found' }],
];

it.each(REFUSALS)('is no fault of whoever lists or calls: %j', async (error) => {
  const { list, called } = await shutAlone(error, '/mcp');
  for (const answer of [list, called]) {
    expect(faultIn(answer)).toMatchObject({
      kind: 'misconfigured',
      origin: 'upstream',
      executed: 'no',
      message: `shut refused to be opened: ${error.message}`,
      advice: 'Correct what the server complains of; until then it cannot be used.',
    });
  }
  expect(list.message.error?.code).not.toBe(-32602);
});

it.each(['/mcp', '/desk/mcp'])('is named beside the others that fail, at %s', async (path) => {
  const { list } = await shutAlone({ code: -32000, message: 'licence expired' }, path, { dead: DEAD });
  expect(list.message.error?.message).toMatch(/^None of dead and shut could be asked\. (?:dead|shut)\b/);
});

interface Refusal {
  readonly status: number;
  readonly headers?: object;
  /** Of JSON-RPC, with the id that was asked with. */
  readonly error?: object;
  readonly body?: object | string;
}

async function overHttp({ status, headers, error, body }: Refusal) {
  const shut = await upstream((asked, response) => {
    const { id } = JSON.parse(asked || '{}') as { id?: number };
    json(response, status, error === undefined ? body : { jsonrpc: '2.0', id, error }, headers);
  });
  const gateway = await open({ upstreams: { shut: { url: shut.url } } });
  const url = `${gateway.url}/mcp`;
  const { headers: opened } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': opened.get('mcp-session-id') ?? '' };
  return await post(url, callTool('shut_go'), session);
}

it.each<[Refusal, object]>([
  [
    { status: 429, headers: { 'retry-after': '30' }, error: { code: -32000, message: 'Too many sessions' } },
    { kind: 'rate_limited', retry: { when: 'after_wait', after_ms: 30_000 } },
  ],
  [
    { status: 500, error: { code: -32603, message: 'Internal server error' } },
    { kind: 'internal', message: 'Internal server error' },
  ],
  [
    { status: 503, headers: { 'retry-after': '5' }, error: { code: -32603, message: 'Service Unavailable' } },
    { kind: 'unavailable', retry: { when: 'after_wait', after_ms: 5000 } },
  ],
  [
    { status: 302, headers: { location: 'https://login.example/start' }, body: '' },
    { kind: 'misconfigured', message: expect.stringContaining('redirects to https://login.example') },
  ],
  [
    { status: 400, error: { code: -32602, message: 'invalid params: licence' } },
    { kind: 'misconfigured', message: 'shut refused to be opened: invalid params: licence' },
  ],
])('over HTTP, its status and what it wants waited for count: %j', async (refusal, fault) => {
  expect(faultIn(await overHttp(refusal))).toMatchObject({ ...fault, executed: 'no' });
});

it.each<[string, Refusal, readonly string[]]>([
  [
    'a login',
    {
      status: 401,
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
      body: { error: 'invalid_token', error_description: 'token expired; renew it', hint: 'HINT-KEPT' },
    },
    ['token expired; renew it', 'HINT-KEPT'],
  ],
  ['maintenance', { status: 503, body: { error: 'maintenance until 12:00', more: ['KEPT'] } }, ['KEPT']],
])('over HTTP, keeps all that it said: %s', async (_name, refusal, words) => {
  const { text } = await overHttp(refusal);
  for (const word of words) expect(text).toContain(word);
});

/** Writes every answer twice in one line. */
const STUTTERING = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  const said = JSON.stringify({ jsonrpc: '2.0', id, result: { capabilities: {}, protocolVersion: '2025-11-25' } });
  if (id !== undefined) console.log(said + said);
})`;

it.each(['/mcp', '/desk/mcp', '/shut/mcp'])('with what nobody can read, at %s', async (path) => {
  const well = await toolServer(() => toolsNamed('go'));
  const gateway = await open({
    upstreams: {
      well: { url: well.url },
      shut: { command: process.execPath, args: ['-e', STUTTERING], open_timeout_ms: 5000 },
    },
    virtual: { desk: { tools: ['*/go'] } },
  });
  const url = `${gateway.url}${path}`;
  const { headers } = await post(url, INITIALIZE);
  const id = headers.get('mcp-session-id');
  const session = id === null ? {} : { 'mcp-session-id': id };
  const calls = [1, 2].map(() => post(url, callTool(path === '/shut/mcp' ? 'go' : 'shut_go'), session));
  for (const called of await Promise.all(calls)) {
    expect(faultIn(called)).toMatchObject({
      kind: 'misconfigured',
      executed: 'no',
      message: expect.stringContaining('answered `initialize` with what is no JSON-RPC message: {"jsonrpc"'),
    });
    expect(JSON.stringify(called.message)).not.toMatch(/It (?:may have )?ran?\b/);
  }
});
