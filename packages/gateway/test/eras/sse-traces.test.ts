/** What a server of 2024-11-05 says on its stream around a refusal, in what is no message: the refusal proves nothing then. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanUp, later, open, post } from '../tools.ts';

const REFUSAL = {
  isError: true,
  content: [{ type: 'text', text: 'Too many requests' }],
  _meta: {
    'dev.mayday/fault': {
      kind: 'rate_limited',
      reaction: 'retryable',
      retryable: true,
      retry: { when: 'after_wait', after_ms: 100 },
      executed: 'no',
      message: 'Too many requests',
    },
  },
};
const LOG =
  'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"booked"}}';

let gateway: Awaited<ReturnType<typeof open>>;
const calls = new Map<string, number>();

beforeAll(async () => {
  const s = { url: await serve(), transport: 'sse' as const };
  gateway = await open({ upstreams: { s, honest: { ...s, breaker: false } } });
});
afterAll(cleanUp);

/** Refuses every call, and writes what the call says before that, and behind it. */
async function serve(): Promise<string> {
  const streams = new Map<string, ServerResponse>();
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const id = String(streams.size);
      streams.set(id, response.writeHead(200, { 'content-type': 'text/event-stream' }));
      response.write(`event: endpoint\ndata: /post?session=${id}\n\n`);
      return;
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    response.writeHead(202).end();
    const session = new URL(request.url ?? '/', 'http://s').searchParams.get('session') ?? '';
    const stream = streams.get(session);
    const { id, method, params } = JSON.parse(text) as Asked;
    const { name, before, behind } = params?.arguments ?? { name: '', before: '', behind: '' };
    if (method === 'tools/call') calls.set(name, (calls.get(name) ?? 0) + 1);
    const serverInfo = { name: 'old', version: '1' };
    const result =
      method === 'tools/call'
        ? REFUSAL
        : method === 'tools/list'
          ? { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] }
          : { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo };
    const said = `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
    if (id !== undefined) stream?.write((before + said + behind).replaceAll('$session', session));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
}

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { arguments?: { name: string; before: string; behind: string } };
}

async function pay(path: string, tool: string, args: { name: string; before: string; behind: string }) {
  const params = { name: tool, arguments: args };
  const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { message } = await post(`${gateway.url}${path}`, asked);
  return message;
}

const PATHS = [
  ['/s/mcp', 'pay'],
  ['/mcp', 's_pay'],
] as const;

const TRACES = [
  ['another address', 'event: endpoint\ndata: /post?session=order-991\n\n'],
  ['a field that no reader knows', 'order: 991\n\n'],
  ['an id that names a thing', 'id: order-991\n\n'],
  ['a comment that tells of work', ': order 991 booked\n\n'],
  ['the name of an event, and nothing else', 'event: booked\n\n'],
  ['a log behind a byte order mark', `\uFEFF${LOG}\n\n`],
  ['text', 'data: booked\r\r'],
] as const;

const ROWS = PATHS.flatMap(([path, tool]) =>
  TRACES.map(([what, trace]) => [path, what, tool, trace] as const),
);

it.each(ROWS)(
  '%s: is not asked again where before its refusal stands %s',
  async (path, what, tool, trace) => {
    const name = `before ${path} ${what}`;
    expect(await pay(path, tool, { name, before: trace, behind: '' })).toMatchObject(IN_DOUBT);
    expect(calls.get(name)).toBe(1);
  },
);

const HALF = ['half a message', 'data: {"jsonrpc":"2.0","meth'] as const;

it.each([...ROWS, ...PATHS.map(([path, tool]) => [path, HALF[0], tool, HALF[1]] as const)])(
  '%s: is not asked again where behind its refusal stands %s',
  async (path, what, tool, trace) => {
    const name = `behind ${path} ${what}`;
    expect(await pay(path, tool, { name, before: '', behind: trace })).toMatchObject(IN_DOUBT);
    expect(calls.get(name)).toBe(1);
  },
);

const IN_DOUBT = {
  result: { isError: true, _meta: { 'dev.mayday/fault': { kind: 'rate_limited', executed: 'maybe' } } },
};

const NOT_DONE = {
  result: { isError: true, _meta: { 'dev.mayday/fault': { kind: 'rate_limited', executed: 'no' } } },
};

it.each([
  ['a comment', ': alive\n\n'],
  ['a heartbeat', 'event: ping\ndata: {"at":7}\n\n'],
  ['the same address', 'event: endpoint\ndata: /post?session=$session\n\n'],
  ['a plain id', 'id: 7\n\n'],
])('asks again where it only says beside its refusal %s', async (what, trace) => {
  const name = `honest ${what}`;
  expect(await pay('/honest/mcp', 'pay', { name, before: trace, behind: trace })).toMatchObject(NOT_DONE);
  expect(calls.get(name)).toBeGreaterThan(1);
});
