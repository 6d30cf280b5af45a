import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { language } from '@mayday/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  badLineAnswer,
  ClientError,
  ClientTimeout,
  type ConversationOptions,
  createConversation,
  createSessions,
  type Refused,
  serveLines,
} from '../rpc.ts';

/** Answers in erlmcp's words, and says nothing to whoever takes a request back. */
function refuse({ thrown, id, takenBack }: Refused): object | undefined {
  if (takenBack) return undefined;
  return badLineAnswer({ thrown: thrown as never, id: id ?? undefined }, 'erlmcp', language, 0);
}

/** Echoes its parameters; `hang` waits until it is stopped. */
const OPTIONS: ConversationOptions = {
  refuse,
  notified: () => {},
  send: () => true,
  async answer({ method, params, controller: { signal } }) {
    if (method !== 'hang') return { method, params };
    return new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  },
};

const conversation = (options: Partial<ConversationOptions> = {}) =>
  createConversation({ ...OPTIONS, ...options });
const message = (rest: object) => ({ jsonrpc: '2.0', ...rest });

describe('a conversation', () => {
  it('answers a request, a batch item by item, and nothing to a notification', async () => {
    const { receive } = conversation();
    const echo = { jsonrpc: '2.0', id: 'a', result: { method: 'echo', params: { x: 1 } } };
    expect(await receive(message({ id: 'a', method: 'echo', params: { x: 1 } }))).toEqual(echo);
    expect(await receive(message({ method: 'echo' }))).toBeUndefined();
    expect(await receive([message({ method: 'echo' })])).toBeUndefined();
    expect(
      await receive([message({ id: 'a', method: 'echo', params: { x: 1 } }), 7, message({ id: 'b' })]),
    ).toMatchObject([echo, { id: null, error: { code: -32600 } }, { id: 'b', error: { code: -32600 } }]);
    expect(await receive([])).toMatchObject({ id: null, error: { code: -32600, data: 'Empty batch' } });
  });

  it('answers a batch of a hundred, and refuses a larger one as one message, none of which is run', async () => {
    const asked: unknown[] = [];
    const { receive } = conversation({ answer: ({ id }) => ({ n: asked.push(id) }) });
    const batch = (size: number) => Array.from({ length: size }, (_, id) => message({ id, method: 'echo' }));
    expect(await receive(batch(100))).toHaveLength(100);
    for (const long of [batch(101), new Array(1_000_000).fill(0)])
      expect(await receive(long)).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: 'Invalid Request',
          data: 'A batch holds at most 100 messages',
        },
      });
    expect(asked).toHaveLength(100);
  });

  it('refuses an id that is in use, stops what is taken back, and frees the id', async () => {
    const { receive, close } = conversation();
    const first = receive(message({ id: 1, method: 'hang' }));
    expect(await receive(message({ id: 1, method: 'echo' }))).toMatchObject({
      id: 1,
      error: { code: -32600, data: 'Request id is already in use' },
    });
    await receive(message({ method: 'notifications/cancelled', params: { requestId: 1 } }));
    expect(await first).toBeUndefined();
    const second = receive(message({ id: 1, method: 'hang' }));
    close('over');
    expect(await second).toBeUndefined();
  });

  it('asks the client, and drops answers to nothing', async () => {
    const sent: { id?: string }[] = [];
    const { ask, receive } = conversation({ send: (said) => sent.push(said) > 0 });
    const answers = [ask('one', {}, 1000), ask('two', {}, 1000), ask('three', {}, 1)];
    const [one, two, three] = sent.map(({ id }) => id);
    await receive(message({ id: 'server-99', result: {} }));
    await receive(message({ id: two, error: { code: -1, message: 'no' } }));
    await receive(message({ id: one, result: { ok: true } }));
    expect(await answers[0]).toEqual({ ok: true });
    await expect(answers[1]).rejects.toEqual(new ClientError(-1));
    await expect(answers[2]).rejects.toBeInstanceOf(ClientTimeout);
    expect(await receive(message({ id: three, result: {} }))).toBeUndefined();
  });
});

describe('on lines', () => {
  it('answers every line in order, broken ones and a last one without an end', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const { ended } = serveLines({ stdin, stdout, maxLineBytes: 60, refuse, open: () => conversation() });
    stdin.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n\n  \r\nnope\n');
    stdin.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    stdin.end(`{"id":2,"x":"${'x'.repeat(60)}"}\n{"jsonrpc":"2.0","id":3,"method":"b"}`);
    await ended;
    const lines = String(stdout.read()).trim().split('\n');
    const said = lines.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error?.code, error?.data]);
    expect(said).toEqual([
      [1, undefined, undefined],
      [null, -32700, 'The line is not valid JSON'],
      [null, -32700, 'Invalid UTF-8 at byte 1'],
      [2, -32012, { actual_size: 75, max_size: 60, unit: 'bytes' }],
      [3, undefined, undefined],
    ]);
  });
});

describe('over HTTP', () => {
  async function serve() {
    const { listener } = createSessions({
      maxBodyBytes: 100,
      refuse,
      open: () => ({ ...conversation(), isOpen: () => true }),
    });
    const server = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  it('opens a session, serves it, and ends it', async () => {
    const url = await serve();
    const post = (body: string, headers: { [name: string]: string } = {}) =>
      fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
    const hello = await post('{"jsonrpc":"2.0","id":1,"method":"hello"}');
    const session = { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '' };
    expect(await hello.json()).toEqual({ jsonrpc: '2.0', id: 1, result: { method: 'hello', params: {} } });
    expect((await post('{"jsonrpc":"2.0","method":"hello"}', session)).status).toBe(202);
    const hanging = post('{"jsonrpc":"2.0","id":2,"method":"hang"}', session);
    await post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}', session);
    expect((await hanging).status).toBe(202);
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(204);
    expect((await post('{}', session)).status).toBe(404);
    const late = await post('{"jsonrpc":"2.0","id":"a7","method":"hello"}', session);
    expect([late.status, await late.json()]).toMatchObject([404, { id: 'a7' }]);
    const answer = await post('{"jsonrpc":"2.0","id":"a7","result":{}}', session);
    expect([answer.status, await answer.json()]).toMatchObject([404, { id: null }]);
  });

  it.each([
    ['no JSON', {}, '{', 400, -32700],
    ['no message', {}, '7', 400, -32600],
    ['a body of another type', { 'content-type': 'text/plain' }, '{}', 415, -32013],
    ['a client that takes no JSON', { accept: 'text/html' }, '{}', 406, -32013],
    ['a body beyond the limit', {}, `"${'x'.repeat(100)}"`, 413, -32012],
    ['another host', { host: 'evil.example' }, '{}', 403, -32056],
    ['a page of another origin', { origin: 'https://evil.example' }, '{}', 403, -32056],
  ])('refuses %s in the words of the server', async (_what, headers, body, status, code) => {
    const url = await serve();
    const said = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const own = { 'content-type': 'application/json', ...headers };
      const sent = httpRequest(url, { method: 'POST', headers: own }, async (answer) =>
        resolve([answer.statusCode, String(Buffer.concat(await answer.toArray()))]),
      );
      sent.on('error', reject).end(body);
    });
    expect([said[0], JSON.parse(said[1])]).toMatchObject([status, { id: null, error: { code } }]);
  });
});
