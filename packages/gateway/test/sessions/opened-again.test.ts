/** Where one conversation with a server serves many callers, a session that it has forgotten is opened again for all of them. */
import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { read } from '@mayday/core';
import { afterEach, describe, expect, it } from 'vitest';
import { startStdioGateway } from '../../src/index.ts';
import { call, cleanUp, INITIALIZE, json, later, open, post, settingsOf, upstream } from '../tools.ts';

afterEach(cleanUp);

type Asked = { readonly id?: number; readonly method?: string };
type Deny = (response: ServerResponse, asked: Asked) => unknown;

const CAPABILITIES = { tools: {}, resources: {}, prompts: {} };
const CONTENT = { type: 'text', text: 'fine' };
const TOOLS = ['pay', 'look'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: name === 'look' },
}));
const RESULTS: { readonly [method: string]: object } = {
  'tools/list': { tools: TOOLS },
  'tools/call': { content: [CONTENT] },
  'resources/list': { resources: [{ uri: 'x://a', name: 'fine' }] },
  'resources/read': { contents: [{ uri: 'x://a', text: 'fine' }] },
  'prompts/list': { prompts: [{ name: 'ask' }] },
  'prompts/get': { messages: [{ role: 'user', content: CONTENT }] },
};

/** A server that forgets its sessions when it is told to, but not their streams; `deny` is what it says to those. */
async function forgetful(deny: Deny) {
  let known = '';
  let opened = 0;
  const log: string[] = [];
  const { url } = await upstream((body, response, request) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      return;
    }
    const asked = JSON.parse(body) as Asked;
    const { id, method = '' } = asked;
    const session = request.headers['mcp-session-id'];
    if (method === 'initialize') {
      known = `s${++opened}`;
      log.push(`opened ${known}`);
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: CAPABILITIES,
        serverInfo: { name: 'bank' },
      };
      json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': known });
    } else if (session !== known) {
      log.push(`denied ${method}`);
      deny(response, asked);
    } else if (id === undefined) response.writeHead(202).end();
    else {
      log.push(`${method} in ${session}`);
      json(response, 200, { jsonrpc: '2.0', id, result: RESULTS[method] ?? {} });
    }
  });
  const forget = (): void => {
    known = 'none';
    log.length = 0;
  };
  return { url, log, forget };
}

type Ask = (method: string, params?: object) => Promise<string>;
type Door = (url: string) => Promise<Ask>;

/** Over HTTP at this path, in a session of the caller's own or in none. */
function overHttp(path: string, inSession: boolean): Door {
  return async (url) => {
    const upstreams = { bank: { url, breaker: false as const } };
    const gateway = await open({ upstreams, virtual: { desk: { tools: ['bank/*'] } } });
    const at = gateway.url + path;
    const opened = inSession ? (await post(at, INITIALIZE)).headers.get('mcp-session-id') : null;
    const headers = opened === null ? {} : { 'mcp-session-id': opened };
    let last = 100;
    return async (method, params) => (await post(at, call(method, params, ++last), headers)).text;
  };
}

/** In lines, with all servers in one. */
const inLines: Door = async (url) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = '';
  output.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const settings = settingsOf({ upstreams: { bank: { url, breaker: false } } });
  const gateway = await startStdioGateway(settings, { input, output });
  later(() => gateway.close(0));
  let last = 0;
  const ask: Ask = async (method, params = {}) => {
    const id = `line-${++last}`;
    const answer = (): string | undefined => said.split('\n').find((line) => line.includes(`"${id}"`));
    input.write(`${JSON.stringify(call(method, params, id))}\n`);
    await expect.poll(answer, { timeout: 10_000, interval: 5 }).toBeDefined();
    return answer() as string;
  };
  await ask('initialize', (INITIALIZE as { readonly params: object }).params);
  input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return ask;
};

const LOST = { code: -32001, message: 'Session not found' };
const NO_SESSION = { code: -32000, message: 'Bad Request: No valid session ID provided' };
const under =
  (status: number, id: unknown, error: object = LOST): Deny =>
  (response) =>
    json(response, status, { jsonrpc: '2.0', id, error });

/** How servers deny a session. */
const DENIALS: readonly (readonly [how: string, deny: Deny])[] = [
  ['under no id, as the SDK for TypeScript does', under(404, null)],
  ['under a name, as the SDK for Python does', under(404, 'server-error', { ...LOST, code: -32600 })],
  ['without an id', under(404, undefined)],
  ['under the id of the call', (response, { id }) => under(404, id ?? null)(response, {})],
  ['with 400, under no id', under(400, null, NO_SESSION)],
  ['with 400, under the id of the call', (response, { id }) => under(400, id, NO_SESSION)(response, {})],
  ['as plain JSON', (response) => json(response, 404, { error: 'Session not found' })],
  ['in plain words', (response) => response.writeHead(404).end('Session not found')],
  ['without a word', (response) => response.writeHead(404).end()],
];

type Request = readonly [method: string, params?: object];

/** What is asked in the session that is lost; of a virtual server, which has tools alone, and of all servers in one. */
const OF_TOOLS: readonly Request[] = [
  ['tools/call', { name: 'bank_pay', arguments: {} }],
  ['tools/call', { name: 'bank_look', arguments: {} }],
  ['tools/list'],
];
const OF_ALL: readonly Request[] = [
  ...OF_TOOLS,
  ['resources/read', { uri: 'x://a' }],
  ['prompts/get', { name: 'bank_ask' }],
];

describe.each<[string, Door, readonly Request[]]>([
  ['/mcp', overHttp('/mcp', false), OF_ALL],
  ['/mcp, in a session', overHttp('/mcp', true), OF_ALL],
  ['a virtual server', overHttp('/desk/mcp', false), OF_TOOLS],
  ['a virtual server, in a session', overHttp('/desk/mcp', true), OF_TOOLS],
  ['standard input and output', inLines, OF_ALL],
])('at %s', (_door, enter, requests) => {
  it.each(DENIALS)('a session that is denied %s is opened again, and the call made', async (_how, deny) => {
    const { url, log, forget } = await forgetful(deny);
    const ask = await enter(url);
    for (const [method, params] of requests) {
      for (const list of ['tools/list', 'resources/list', 'prompts/list']) await ask(list);
      forget();
      expect(await ask(method, params)).toMatch(/fine|bank_pay/);
      const [denied, ...then] = log;
      expect(denied).toBe(`denied ${method}`);
      expect(then.filter((line) => line.startsWith('opened'))).toHaveLength(1);
      expect(then.filter((line) => line.startsWith(`${method} in`))).toHaveLength(1);
    }
  });

  it('calls that are denied at the same time are made once each, in one new session', async () => {
    const { url, log, forget } = await forgetful(under(404, null));
    const ask = await enter(url);
    await ask('tools/list');
    forget();
    const pay = () => ask('tools/call', { name: 'bank_pay', arguments: {} });
    const told = await Promise.all(Array.from({ length: 5 }, pay));
    expect(told.filter((text) => text.includes('fine'))).toHaveLength(5);
    expect(log.filter((line) => line.startsWith('opened'))).toHaveLength(1);
    expect(log.filter((line) => line.startsWith('tools/call in'))).toHaveLength(5);
  });

  it('what was said to another request proves nothing: the call is in doubt, and made once', async () => {
    const { url, log, forget } = await forgetful(under(404, 4711));
    const ask = await enter(url);
    await ask('tools/list');
    forget();
    expect(await ask('tools/call', { name: 'bank_pay', arguments: {} })).toContain('"executed":"maybe"');
    expect(log.filter((line) => line.endsWith('tools/call'))).toEqual(['denied tools/call']);
  });
});

describe.each(['/mcp', '/desk/mcp'])('at %s, a caller that retries itself', (path) => {
  it.each(DENIALS)(
    'reads of a session denied %s that nothing was done, and calls again',
    async (_how, deny) => {
      const { url, log, forget } = await forgetful(deny);
      const upstreams = { bank: { url, breaker: false as const } };
      const gateway = await open({ upstreams, virtual: { desk: { tools: ['bank/*'] } } });
      const at = gateway.url + path;
      const paying = (attempt: number) => ({
        name: 'bank_pay',
        arguments: {},
        _meta: { 'dev.mayday/attempt': attempt, 'dev.mayday/call': '7b1c4f0e-3a52-4d5e-9f38-0d7f6a1c2b3d' },
      });
      await post(at, call('tools/list', {}, 1));
      forget();
      const { message, text } = await post(at, call('tools/call', paying(1), 2));
      const called = { type: 'tool', id: 'bank_pay', isListed: true };
      expect(read(message, { called })).toMatchObject({
        fault: { kind: 'unavailable', executed: 'no', retryable: true },
      });
      expect(text).not.toContain('Nothing was done');
      expect((await post(at, call('tools/call', paying(2), 3))).text).toContain('fine');
      expect(log.filter((line) => line.endsWith('tools/call'))).toEqual(['denied tools/call']);
      expect(log.filter((line) => line.startsWith('tools/call in'))).toHaveLength(1);
    },
  );
});
