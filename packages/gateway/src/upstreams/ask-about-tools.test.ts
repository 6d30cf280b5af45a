/** A tool that only reads is called again, also by callers who have never listed it. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

interface Sent {
  readonly method: string;
  readonly name: string | undefined;
  readonly header: unknown;
  readonly session: unknown;
  readonly meta: unknown;
}

const TOOLS: { readonly [cursor: string]: object } = {
  '': { tools: [{ name: 'write', inputSchema: { type: 'object' } }], nextCursor: '2' },
  2: { tools: [{ name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] },
};

/** A server whose calls fail so many times, and which lists its tools, or does not answer when it is asked to. */
async function house(failures: number, { silent = false, settings = {} } = {}) {
  const sent: Sent[] = [];
  let left = failures;
  const { url } = await upstream((body, response, { headers }) => {
    const { id, method, params } = JSON.parse(body) as {
      id: number;
      method: string;
      params: { name?: string; cursor?: string; _meta?: unknown };
    };
    const { 'mcp-method': header, 'mcp-session-id': session } = headers;
    sent.push({ method, name: params.name, header, session, meta: params._meta });
    if (method === 'tools/list') {
      if (!silent) json(response, 200, { jsonrpc: '2.0', id, result: TOOLS[params.cursor ?? ''] });
    } else if (left-- > 0) json(response, 503, { error: 'busy' });
    else json(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'seen' }] } });
  });
  const gateway = await open({ upstreams: { a: { url, ...settings } } });
  const methods = (): string[] => sent.map(({ method, name }) => name ?? method);
  return { url: `${gateway.url}/a/mcp`, sent, methods };
}

it('asks its server when the first call fails, as the caller would, and calls again', async () => {
  const { url, sent, methods } = await house(1);
  const session = { 'mcp-session-id': 's-1' };
  expect((await post(url, callTool('look'), session)).text).toContain('seen');
  expect(methods()).toEqual(['look', 'tools/list', 'tools/list', 'look']);
  expect(sent.map((each) => each.session)).toEqual(['s-1', 's-1', 's-1', 's-1']);
});

it('asks a stateless server with the envelope that it wants', async () => {
  const { url, sent, methods } = await house(1);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look', _meta } };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'look' };
  expect((await post(url, message, headers)).text).toContain('seen');
  expect(methods()).toEqual(['look', 'tools/list', 'tools/list', 'look']);
  expect(sent[1]).toMatchObject({ header: 'tools/list', meta: _meta });
});

it('asks nothing while calls succeed, and once where the tool does not say that it reads', async () => {
  const { url, methods } = await house(0);
  for (let i = 0; i < 3; i++) await post(url, callTool('write'));
  expect(methods()).toEqual(['write', 'write', 'write']);
  const failing = await house(9);
  for (const tool of ['write', 'nobody', 'write']) await post(failing.url, callTool(tool));
  expect(failing.methods()).toEqual(['write', 'tools/list', 'tools/list', 'nobody', 'write']);
});

it.each([
  [{ retry: { trust_annotations: false } }],
  [{ retry: { never_repeat: ['look'] } }],
  [{ retry: { attempts: 1 } }],
])('asks nobody whose word does not count: %j', async (settings) => {
  const { url, methods } = await house(9, { settings });
  await post(url, callTool('look'));
  expect(methods()).toEqual(['look']);
});

/** A server whose tools fail with a result of theirs, which nobody would repeat by himself. */
async function failing(words: string, { annotations = {}, settings = {} }: Failing = {}) {
  const methods: string[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body) as {
      id: number;
      method: string;
      params: { name?: string };
    };
    methods.push(params.name ?? method);
    const tools = [{ name: 'look', inputSchema: { type: 'object' }, annotations }];
    const failed = { isError: true, content: [{ type: 'text', text: words }] };
    json(response, 200, { jsonrpc: '2.0', id, result: method === 'tools/list' ? { tools } : failed });
  });
  const gateway = await open({ upstreams: { a: { url, ...settings } } });
  return { url: `${gateway.url}/a/mcp`, methods };
}

interface Failing {
  readonly annotations?: object;
  readonly settings?: object;
}

const INVALID = 'Invalid resourceId: -1. Must be a positive integer';
const CAUTION = 'It may have happened; check before you repeat a change.';
const READS = { readOnlyHint: true };

const textOf = ({ message }: Awaited<ReturnType<typeof post>>): string =>
  (message.result as { content: { text: string }[] }).content.map(({ text }) => text).join(' ');

it('asks before it warns of repeating a tool, and warns of none that only reads', async () => {
  const { url, methods } = await failing(INVALID, { annotations: READS });
  for (let i = 0; i < 2; i++) {
    const text = textOf(await post(url, callTool('look')));
    expect(text).toContain(INVALID);
    expect(text).toContain('Correct the arguments, then call again.');
    expect(text).not.toContain(CAUTION);
  }
  expect(methods).toEqual(['look', 'tools/list', 'look']);
});

it.each([
  [READS, 'a repetition does no harm, try again.'],
  [{}, 'it may have happened; check before you repeat a change, otherwise try again.'],
])('tells of a connection that broke what it means for the tool: %j', async (annotations, advice) => {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const tools = [{ name: 'look', inputSchema: { type: 'object' }, annotations }];
    if (method === 'tools/list') json(response, 200, { jsonrpc: '2.0', id, result: { tools } });
    else response.destroy();
  });
  const gateway = await open({ upstreams: { a: { url } } });
  expect(textOf(await post(`${gateway.url}/a/mcp`, callTool('look')))).toContain(advice);
});

it('warns of repeating a tool that does more than read, and of one that nobody lists', async () => {
  const { url, methods } = await failing(INVALID);
  for (const tool of ['look', 'nobody', 'look'])
    expect(textOf(await post(url, callTool(tool)))).toContain(CAUTION);
  expect(methods).toEqual(['look', 'tools/list', 'nobody', 'look']);
});

it('asks also for a caller that keeps the retrying to itself', async () => {
  const { url, methods } = await failing('Service unavailable', { annotations: READS });
  const params = { name: 'look', arguments: {}, _meta: { 'dev.mayday/attempt': 1 } };
  const text = textOf(await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  expect(text).not.toContain(CAUTION);
  expect(methods).toEqual(['look', 'tools/list']);
});

it.each([
  ['says what nobody is to repeat', 'Internal error', {}],
  ['has the operator’s word for it', INVALID, { retry: { never_repeat: ['look'] } }],
  ['is told that it may be repeated', INVALID, { retry: { repeatable: ['look'] } }],
  ['does not trust the tool', INVALID, { retry: { trust_annotations: false } }],
  ['leaves the retrying to others', INVALID, { retry: { attempts: 1 } }],
])('asks nobody where it %s', async (_why, words, settings) => {
  const { url, methods } = await failing(words, { annotations: READS, settings });
  await post(url, callTool('look'));
  expect(methods).toEqual(['look']);
});

it('waits two seconds for a server that does not list, and no longer', async () => {
  const { url, methods } = await house(9, { silent: true });
  const start = performance.now();
  expect((await post(url, callTool('look'))).message.result?.['isError']).toBe(true);
  expect(performance.now() - start).toBeLessThan(4000);
  expect(methods()).toEqual(['look', 'tools/list']);
});
