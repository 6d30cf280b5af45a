/** What a server has said of its tools before it was started anew is not the word of what answers after it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, INITIALIZE, json, later, open, post } from '../../test/tools.ts';

afterEach(cleanUp);

const KEY = 'dev.mayday/idempotency-key';
const KEYS = { _meta: { [KEY]: true } };
const READS = { annotations: { readOnlyHint: true } };

const MOMENT_MS = 1100;

type Word = object | 'no list';
/** How its end is noticed: by nothing that listens, by a session that nobody knows, by a stream that ends. */
type Gone = 'port' | 'session' | 'stream';

/** A server that ends in its first call, and is another one from then on. */
class Shop {
  done = 0;
  lists = 0;
  isFirst = true;
  #sessions = 0;
  #current = '';
  #stream: ServerResponse | undefined;
  #server: Server | undefined;
  readonly #closed = Promise.withResolvers<void>();
  readonly closed = this.#closed.promise;
  port = 0;

  readonly first: Word;
  readonly second: Word;
  readonly gone: Gone | 'nothing';

  constructor(first: Word, second: Word, gone: Gone | 'nothing') {
    this.first = first;
    this.second = second;
    this.gone = gone;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => this.#answer(body, request, response));
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  #answer(body: string, request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'GET' && this.gone === 'stream') {
      this.#stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?id=${++this.#sessions}\n\n`);
      return;
    }
    if (request.method !== 'POST' || (this.gone === 'stream' && !request.url?.startsWith('/messages'))) {
      response.writeHead(405).end();
      return;
    }
    const { id, method } = JSON.parse(body) as { id?: unknown; method: string };
    const stream = this.#stream;
    const say = (said: object, headers: object = {}): void => {
      const message = { jsonrpc: '2.0', id, ...said };
      if (this.gone !== 'stream') json(response, 200, message, headers);
      else {
        response.writeHead(202).end();
        stream?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      }
    };
    if (method === 'initialize') {
      const capabilities = { tools: {} };
      const serverInfo = { name: this.isFirst ? 'one' : 'other', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
      if (this.gone === 'session') this.#current = `s${++this.#sessions}`;
      say({ result }, this.gone === 'session' ? { 'mcp-session-id': this.#current } : {});
    } else if (this.gone === 'session' && request.headers['mcp-session-id'] !== this.#current)
      json(response, 404, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32001, message: 'Session not found' },
      });
    else if (id === undefined) response.writeHead(202).end();
    else if (method === 'tools/list') {
      this.lists += 1;
      const word = this.isFirst ? this.first : this.second;
      if (word === 'no list') say({ error: { code: -32603, message: 'boom' } });
      else
        say({ result: { tools: [{ name: 'pay', inputSchema: { type: 'object' }, ...(word as object) }] } });
    } else if (method !== 'tools/call') say({ error: { code: -32601, message: 'Method not found' } });
    else {
      this.done += 1;
      if (this.isFirst) this.#end(response);
      else say({ result: { content: [{ type: 'text', text: 'receipt' }] } });
    }
  }

  #end(response: ServerResponse): void {
    this.isFirst = false;
    this.#current = '';
    response.destroy();
    this.#stream?.destroy();
    if (this.gone === 'port') this.#server?.close(() => this.#closed.resolve());
    if (this.gone === 'port') this.#server?.closeAllConnections();
  }
}

/** A gateway that has listed the tools of the first one. */
async function house(shop: Shop, inSession: boolean) {
  await shop.start();
  later(() => shop.close());
  const address = `http://127.0.0.1:${shop.port}/mcp`;
  const transport = shop.gone === 'stream' ? ('sse' as const) : ('http' as const);
  const { url } = await open({
    upstreams: { p: { url: address, transport }, q: { url: 'http://127.0.0.1:9/mcp' } },
  });
  const at = `${url}${shop.gone === 'session' ? '' : '/p'}/mcp`;
  const name = shop.gone === 'session' ? 'p_pay' : 'pay';
  const id = inSession ? (await post(at, INITIALIZE)).headers.get('mcp-session-id') : null;
  const as: { [name: string]: string } = id === null ? {} : { 'mcp-session-id': id };
  await post(at, call('tools/list'), as);
  shop.lists = 0;
  const pay = async (_meta: object) => {
    const isThere = shop.gone !== 'port' || !shop.isFirst;
    const paid = post(at, call('tools/call', { name, arguments: {}, _meta }), as);
    if (isThere) return paid;
    await shop.closed;
    await post(at, call('prompts/list'), as); // nobody is there
    await shop.start();
    return paid;
  };
  return { pay };
}

const SECONDS: readonly Word[] = [{}, { _meta: { [KEY]: false } }, 'no list'];
const GONE: readonly (readonly [Gone, boolean])[] = [
  ['port', false],
  ['session', true],
  ['session', false],
  ['stream', true],
  ['stream', false],
];
const CASES = GONE.flatMap(([gone, inSession]) =>
  [KEYS, READS].flatMap((first) => SECONDS.map((second) => ({ gone, inSession, first, second }))),
);

it.each(CASES)(
  '$first, then $second (gone: $gone, in a session: $inSession): once',
  async ({ gone, inSession, first, second }) => {
    const shop = new Shop(first, second, gone);
    const { pay } = await house(shop, inSession);
    expect(faultIn(await pay({ [KEY]: 'k' }))).toMatchObject({ executed: 'maybe' });
    expect(faultIn(await pay({ [KEY]: 'k' }))).toMatchObject({ executed: 'maybe' });
    expect(shop.done).toBe(1);
  },
);

it.each(GONE.flatMap(([gone, inSession]) => [KEYS, READS].map((word) => ({ gone, inSession, word }))))(
  '$word, and again (gone: $gone, in a session: $inSession): repeated',
  async ({ gone, inSession, word }) => {
    const shop = new Shop(word, word, gone);
    const { pay } = await house(shop, inSession);
    const first = await pay({ [KEY]: 'k' });
    // Its attempts may be used before anybody is there again; a list that failed is remembered for a moment.
    const isOver = gone === 'port' && !first.text.includes('receipt');
    if (isOver) await sleep(MOMENT_MS);
    const paid = isOver ? await pay({ [KEY]: 'k' }) : first;
    expect(paid.text).toContain('receipt');
    expect(shop.done).toBe(2);
    expect(shop.lists).toBeGreaterThanOrEqual(gone === 'port' ? 0 : 1);
  },
);

it.each([KEYS, READS])('%o: a connection that breaks says nothing of its server', async (word) => {
  const shop = new Shop(word, {}, 'nothing');
  const { pay } = await house(shop, false);
  expect((await pay({ [KEY]: 'k' })).text).toContain('receipt');
  expect(shop.done).toBe(2);
  expect(shop.lists).toBe(0);
});
