/** What the gateway itself refuses, in the forms of two documents that have one for it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, json, open, type Posted, post, upstream } from '../tools.ts';

const ADA = 'pl_key_of-ada-0123456789';
const BOB = 'pl_key_of-bob-0123456789';
const UNKNOWN = 'pl_key_nobody-0123456789';

let url: string;
let asked: number;
beforeAll(async () => {
  asked = 0;
  const server = await upstream((body, response, request) => {
    if (request.method !== 'POST') return response.writeHead(200, { 'content-type': 'text/event-stream' });
    const { id, method, params } = JSON.parse(body);
    if (method === 'tools/call') asked++;
    const unknown = { error: { code: -32602, message: `Tool ${params?.name} not found` } };
    const answer = params?.name === 'none' ? unknown : { result: { content: [], tools: [] } };
    return json(response, 200, { jsonrpc: '2.0', id, ...answer });
  });
  const gateway = await open({
    keys: [
      { name: 'ada', key: ADA },
      { name: 'bob', key: BOB, upstreams: ['b'] },
    ],
    limits: { rates: [{ calls: 1, per_ms: 3_600_000, tools: ['a/busy'] }] },
    access: { rules: [{ deny: ['a/pay'] }] },
    upstreams: { a: { url: server.url }, b: { url: server.url } },
  });
  url = `${gateway.url}/a/mcp`;
});
afterAll(cleanUp);

const as = (dialect: string, key: string) => ({ 'mayday-dialect': dialect, authorization: `Bearer ${key}` });
const use = (dialect: string, key: string, tool: string): Promise<Posted> =>
  post(url, callTool(tool), as(dialect, key));

/** The body of an execution error, which comes as a text and parsed. */
function bodyOf({ status, message }: Posted): unknown {
  const { isError, content, structuredContent, ...others } = message.result ?? {};
  const [{ text }] = content as [{ text: string }];
  expect([status, isError, others, message.error]).toEqual([200, true, {}, undefined]);
  expect(JSON.parse(text)).toEqual(structuredContent);
  return structuredContent;
}

describe('platica', () => {
  it('PL-9 a tool that is denied is 403', async () => {
    expect(bodyOf(await use('platica', ADA, 'pay'))).toMatchObject({
      code: 403,
      error: 'You may not use the tool pay',
    });
  });

  it('PL-15 PL-18 a tool that there is none of is told apart from it', async () => {
    const { message } = await use('platica', ADA, 'none');
    expect(message).toMatchObject({ error: { code: -32602, message: 'Unknown tool: none' } });
  });

  it('PL-4 too many calls are 429, and nothing is asked', async () => {
    await use('platica', ADA, 'busy');
    const before = asked;
    const refused = await use('platica', ADA, 'busy');
    expect(bodyOf(refused)).toMatchObject({ code: 429 });
    expect([refused.headers.get('retry-after') !== null, asked]).toEqual([true, before]);
  });

  it('PL-8 PL-16 a key in its form that is nobody’s is 401, under the id of the call', async () => {
    const refused = await use('platica', UNKNOWN, 'look');
    expect(bodyOf(refused)).toMatchObject({ code: 401 });
    expect(refused.message.id).toBe(1);
  });

  it('PL-9 PL-18 a key for another endpoint is 403, under the id of the call', async () => {
    const refused = await use('platica', BOB, 'look');
    expect(bodyOf(refused)).toMatchObject({ code: 403 });
    expect(refused.message.id).toBe(1);
  });

  it.each([
    [100, 200, 1],
    [100_000, 401, null],
  ])('PL-8 so is a call in chunks, if it can be read: %i bytes, %i', async (size, status, under) => {
    const text = JSON.stringify(callTool('look', { pad: 'x'.repeat(size) }));
    const body = new Blob([text]).stream();
    const headers = { ...as('platica', UNKNOWN), 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    const { id } = (await answer.json()) as Posted['message'];
    expect([answer.status, id]).toEqual([status, under]);
  });

  it.each([['Basic YTpi'], ['Bearer x'], ['']])('PL-16 what is no key, as %j, is -32001', async (said) => {
    const headers = { 'mayday-dialect': 'platica', authorization: said };
    const { status, message } = await post(url, callTool('look'), headers);
    expect([status, message.error]).toEqual([
      401,
      { code: -32001, message: 'Unauthorized: missing or invalid Authorization header' },
    ]);
  });

  it.each(['GET', 'DELETE', 'PUT'])('PL-17 %s is -32000, with a key and without', async (method) => {
    for (const headers of [as('platica', ADA), { 'mayday-dialect': 'platica' }]) {
      const accept = 'text/event-stream';
      const answer = await fetch(url, { method, headers: { ...headers, accept } });
      const { error } = (await answer.json()) as Posted['message'];
      expect([answer.status, answer.headers.get('allow'), error?.code]).toEqual([405, 'POST', -32000]);
      expect(error?.message).not.toMatch(/GET|DELETE/);
    }
  });
});

describe('qaqnuz', () => {
  const UNAUTHORIZED = { content: [{ type: 'text', text: 'Unauthorized' }], isError: true };

  it('QA-2 QA-14 a call with any key but a good one is one text, and no exception', async () => {
    for (const authorization of [`Bearer ${UNKNOWN}`, 'Basic YTpi', 'Bearer', '']) {
      const headers = { 'mayday-dialect': 'qaqnuz', authorization };
      const { status, message } = await post(url, callTool('look'), headers);
      expect([status, message]).toEqual([200, { jsonrpc: '2.0', id: 1, result: UNAUTHORIZED }]);
    }
  });

  it('QA-2 QA-10 so is one with a key for another endpoint; what is no call is refused by the door', async () => {
    const { status, message } = await use('qaqnuz', BOB, 'look');
    expect([status, message.id, message.error]).toEqual([200, 1, undefined]);
    expect(message.result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    const list = await post(url, call('tools/list'), as('qaqnuz', BOB));
    expect([list.status, list.message.error?.code]).toEqual([403, -32600]);
  });

  it('QA-15 a tool that is denied and one that there is none of are told alike', async () => {
    const [denied, none] = [await use('qaqnuz', ADA, 'pay'), await use('qaqnuz', ADA, 'none')];
    expect(denied.text).toBe(none.text);
  });
});

it.each([
  ['a list', call('tools/list')],
  ['a handshake', call('initialize')],
  ['no message', '{"jsonrpc":'],
  ['a notification', '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"look"}}'],
  ['what is larger than any honest refusal', callTool('look', { padding: 'x'.repeat(100_000) })],
])('without a good key, %s is refused by the door', async (_what, body) => {
  for (const dialect of ['qaqnuz', 'platica', 'mayday', 'closient']) {
    const { status, message } = await post(url, body, as(dialect, UNKNOWN));
    expect([status, message.error !== undefined]).toEqual([401, true]);
  }
});

it.each(['mayday', 'closient', 'onx', 'erlmcp'])(
  'in %s a call without a good key stays an answer of HTTP',
  async (dialect) => {
    expect((await use(dialect, UNKNOWN, 'look')).status).toBe(401);
  },
);
