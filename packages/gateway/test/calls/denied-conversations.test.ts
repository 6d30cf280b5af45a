/** A server over the transport of 2024-11-05 that has forgotten a conversation, and does not say so in a way that proves something. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, later, open, post } from '../tools.ts';
import { DOORS } from './doors.ts';

afterEach(cleanUp);

/** What a post is answered with, and what is said on the stream. */
type Denial = (id: number | string) => readonly [status: number, body: string, said?: string];

const denied = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_001, message: 'Session not found' } });

const DENIALS: readonly (readonly [string, Denial])[] = [
  ['on the stream, under the id of the call', (id) => [202, '', denied(id)]],
  ['on the stream, under no id', () => [202, '', denied(null)]],
  ['an empty 400', () => [400, '']],
  ['an empty 410', () => [410, '']],
  ['410 with words', () => [410, denied(null)]],
  ['under the id of nobody', () => [404, denied(0)]],
  ['in the answer to the post, under the id of the call', (id) => [200, denied(id)]],
];

const early = (id: unknown): string =>
  denied(id).replace('Session not found', 'Received request before initialization was complete');

/** Who says these answers pings before anything is opened. */
const UNOPENED: readonly (readonly [string, Denial])[] = [
  ['on the stream', (id) => [202, '', early(id)]],
  ['under 400', (id) => [400, early(id)]],
  ['in the answer to the post', (id) => [200, early(id)]],
];

interface Asked {
  pay: number;
  paid: number;
  opened: number;
  pings: number;
}

/** `forgets`: it does not know its first conversation any more, from the first payment on; else it says so of its own. */
async function bank(deny: Denial, forgets = true): Promise<{ url: string; asked: Asked }> {
  const asked: Asked = { pay: 0, paid: 0, opened: 0, pings: 0 };
  const streams: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
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
      const say = (text: string): void => void streams[at - 1]?.write(`event: message\ndata: ${text}\n\n`);
      const { id, method } = JSON.parse(body);
      if (method === 'tools/call') asked.pay += 1;
      if (method === 'initialize') asked.opened += 1;
      if (method === 'ping') asked.pings += 1;
      const isForgotten = forgets && at === 1 && asked.pay > 0;
      if (isForgotten || (method === 'tools/call' && !forgets)) {
        const [status, words, said] = deny(id);
        response.writeHead(status, { 'content-type': 'application/json' }).end(words);
        if (said !== undefined) say(said);
        return;
      }
      response.writeHead(202).end();
      if (id === undefined) return;
      if (method === 'tools/call') asked.paid += 1;
      const opening = {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'b' },
      };
      const result =
        method === 'initialize'
          ? opening
          : method === 'tools/list'
            ? { tools: [] }
            : { content: [{ type: 'text', text: 'paid' }] };
      say(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, asked };
}

const PAID = { result: { content: [{ text: 'paid' }] } };

describe.each(DOORS)('at %s', (_door, enter) => {
  it.each(DENIALS)('the next call finds a new conversation: %s', async (_, deny) => {
    const { url, asked } = await bank(deny);
    const pay = await enter({ url, transport: 'sse' });
    expect(await pay(5)).not.toMatchObject(PAID);
    expect(asked).toMatchObject({ pay: 1, paid: 0, pings: 1 });
    expect(await pay(6)).toMatchObject(PAID);
    expect(asked).toMatchObject({ pay: 2, paid: 1, opened: 2, pings: 1 });
  });

  it.each(UNOPENED)('who says that nothing was opened is not asked again: %s', async (_, deny) => {
    const { url, asked } = await bank(deny);
    const pay = await enter({ url, transport: 'sse' });
    expect(JSON.stringify(await pay(5))).toContain('"executed":"maybe"');
    expect(asked).toMatchObject({ pay: 1, paid: 0 });
    expect(await pay(6)).toMatchObject(PAID);
    expect(asked).toEqual({ pay: 2, paid: 1, opened: 2, pings: 0 });
  });

  it('a conversation that its server knows is kept, whatever a tool says', async () => {
    const { url, asked } = await bank((id) => [202, '', denied(id)], false);
    const pay = await enter({ url, transport: 'sse' });
    expect(JSON.stringify(await pay(5))).toContain('Session not found');
    expect(JSON.stringify(await pay(6))).toContain('Session not found');
    expect(asked).toEqual({ pay: 2, paid: 0, opened: 1, pings: 2 });
  });
});

it('what a server denies one of them takes it from nobody else', async () => {
  const { url } = await bank(() => [404, 'Session not found'], false);
  const gateway = await open({ upstreams: { bank: { url, transport: 'sse' } } });
  const at = `${gateway.url}/bank/mcp`;
  const enter = async (): Promise<{ readonly 'mcp-session-id': string }> => {
    const opened = await post(at, INITIALIZE);
    return { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  };
  const [ann, bob] = [await enter(), await enter()];
  for (const id of [5, 6, 7, 8]) {
    const told = await post(at, call('tools/call', { name: 'pay' }, id), ann);
    expect(told.message).not.toMatchObject(PAID);
  }
  expect((await post(at, call('tools/list', {}, 9), bob)).message).toMatchObject({ result: { tools: [] } });
  expect(gateway.logs.join('\n')).not.toContain('because it does not answer');
});
