/** Over the transport of 2024-11-05 a stream that is refused is an answer: it holds back nobody's conversation. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { callTool, cleanUp, INITIALIZE, later, open, type Posted, post, until } from '../tools.ts';

afterEach(cleanUp);

interface Shop {
  readonly url: string;
  /** What streams are answered with from now on. */
  refuse(answer: ((response: ServerResponse) => void) | undefined): void;
  /** It is gone, and back at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function shop(): Promise<Shop> {
  let refusing: ((response: ServerResponse) => void) | undefined;
  const streams: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      if (refusing !== undefined) return refusing(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?session=s${streams.push(response)}\n\n`);
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const at = Number(/s(\d+)$/.exec(request.url ?? '')?.[1]);
      const { id, method } = JSON.parse(body);
      response.writeHead(202).end();
      if (id === undefined) return;
      const opened = {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 's' },
      };
      const result = method === 'initialize' ? opened : { content: [{ type: 'text', text: 'fine' }] };
      streams[at - 1]?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    });
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  later(stop);
  return {
    url: `http://127.0.0.1:${port}/sse`,
    refuse: (answer) => {
      refusing = answer;
    },
    stop,
    start: () => listen(port),
  };
}

const KEYS = ['ann', 'bob'].map((name) => ({ name, key: `${name}-key-12345678` }));

type Headers = { readonly [name: string]: string };

async function house(isKeyed: boolean) {
  const server = await shop();
  const breaker = { failures: 3, open_ms: 60_000 };
  const upstreams = { shop: { url: server.url, transport: 'sse' as const, breaker } };
  const gateway = await open({ ...(isKeyed ? { keys: KEYS } : {}), upstreams });
  const by = (name: string): Headers =>
    isKeyed ? { authorization: `Bearer ${name}-key-12345678` } : ({} as Headers);
  const enter = async (url: string, name: string): Promise<Headers> => ({
    ...by(name),
    'mcp-session-id': (await post(url, INITIALIZE, by(name))).headers.get('mcp-session-id') ?? 'none',
  });
  return { gateway, server, by, enter };
}

let ids = 1;
const use = (url: string, within: Headers, tool: string): Promise<Posted> =>
  post(url, callTool(tool, {}, ++ids), within);

const FINE = { content: [{ type: 'text', text: 'fine' }] };

const under =
  (status: number, body = 'no') =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  };

const REFUSALS: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['404', under(404)],
  ['410', under(410)],
  ['503', under(503, 'Too many connections')],
  ['530', under(530, '')],
  ['a stream that ends at once', (response) => void response.writeHead(200, STREAM).end()],
  ['an address that leads nowhere', (response) => leadAstray(response)],
];

const STREAM = { 'content-type': 'text/event-stream' };

function leadAstray(response: ServerResponse): void {
  response.writeHead(200, STREAM).write('event: endpoint\ndata: http://other.example/messages\n\n');
}

describe.each([
  ['with keys', true],
  ['without keys', false],
] as const)('streams that are refused, %s', (_world, isKeyed) => {
  it.each(REFUSALS)('hold back no conversation that stands: %s', async (_what, refusal) => {
    const { gateway, server, by, enter } = await house(isKeyed);
    const [own, joined] = [`${gateway.url}/shop/mcp`, `${gateway.url}/mcp`];
    const bob = await enter(own, 'bob');
    const there = await enter(joined, 'bob');
    expect((await use(joined, there, 'shop_do')).message.result).toMatchObject(FINE);
    server.refuse(refusal);
    for (let round = 0; round < 2; round += 1) {
      const burst = Array.from({ length: 10 }, () => post(own, INITIALIZE, by('ann')));
      for (const each of await Promise.all(burst)) expect(each.message.error).toBeDefined();
      expect((await use(own, bob, 'do')).message.result).toMatchObject(FINE);
      expect((await use(joined, there, 'shop_do')).message.result).toMatchObject(FINE);
    }
    const anns = await Promise.all(Array.from({ length: 6 }, () => enter(joined, 'ann')));
    await Promise.all(anns.map((each) => use(joined, each, 'shop_do')));
    expect((await use(own, bob, 'do')).message.result).toMatchObject(FINE);
    expect((await use(joined, there, 'shop_do')).message.result).toMatchObject(FINE);
    expect(gateway.logs.filter((line) => line.includes('circuit open: calls are held back'))).toEqual([]);
  });

  it('hold back nobody who opens one as soon as they are given again: 503', async () => {
    const { gateway, server, by, enter } = await house(isKeyed);
    const own = `${gateway.url}/shop/mcp`;
    server.refuse(under(503, 'Too many connections'));
    await Promise.all(Array.from({ length: 10 }, () => post(own, INITIALIZE, by('ann'))));
    server.refuse(undefined);
    expect((await use(own, await enter(own, 'bob'), 'do')).message.result).toMatchObject(FINE);
    expect((await use(own, await enter(own, 'ann'), 'do')).message.result).toMatchObject(FINE);
  });
});

it.each(['/shop/mcp', '/mcp'])(
  'a server that is gone is left alone by all, at %s',
  async (path) => {
    const server = await shop();
    const breaker = { failures: 3, open_ms: 300 };
    const upstreams = { shop: { url: server.url, transport: 'sse' as const, breaker } };
    const gateway = await open({ keys: KEYS, upstreams });
    const url = `${gateway.url}${path}`;
    const tool = path === '/mcp' ? 'shop_do' : 'do';
    const enter = async (name: string): Promise<Headers> => {
      const by = { authorization: `Bearer ${name}-key-12345678` };
      const id = (await post(url, INITIALIZE, by)).headers.get('mcp-session-id');
      return { ...by, 'mcp-session-id': id ?? 'none' };
    };
    const [ann, bob] = [await enter('ann'), await enter('bob')];
    await server.stop();
    await until(async () => (await use(url, ann, tool)).text.includes('left alone for now'));
    expect((await use(url, bob, tool)).text).toContain('left alone for now');
    await server.start();
    const since = Date.now();
    await until(async () => (await use(url, bob, tool)).text.includes('fine'));
    expect(Date.now() - since).toBeLessThan(5000);
  },
  20_000,
);
