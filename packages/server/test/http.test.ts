/** What an HTTP endpoint refuses before any server sees it, and cancellation across connections. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FetchHandler, guardHandler, nodeHandler } from '../src/http.ts';
import { digestKey, type GuardOptions, guard, keys } from '../src/index.ts';
import { failingServer } from './fixture.ts';
import { ENVELOPE, type Era, httpRequest, listen } from './wire.ts';

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const MODERN = { ...JSON_TYPE, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
const list = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list', params: { _meta: ENVELOPE } });
const LIMIT = { maxRequestBodySize: 1000 };

describe('an endpoint on loopback', () => {
  let plain: Awaited<ReturnType<typeof listen>>;
  let guarded: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    plain = await listen(createMcpHandler(() => failingServer(false), LIMIT));
    guarded = await listen(guardHandler(createMcpHandler(() => failingServer(), LIMIT)));
  });
  afterAll(async () => {
    await Promise.all([plain.close(), guarded.close()]);
  });

  const cases: [string, RequestInit, number, string][] = [
    ['malformed JSON', { method: 'POST', headers: MODERN, body: '{"jsonrpc":' }, 400, 'parse_error'],
    [
      'a body that is no request',
      { method: 'POST', headers: MODERN, body: '{"hello":1}' },
      400,
      'invalid_request',
    ],
    [
      'a body over the limit',
      { method: 'POST', headers: MODERN, body: `"${'x'.repeat(2000)}"` },
      413,
      'too_large',
    ],
    [
      'a wrong media type',
      { method: 'POST', headers: { ...MODERN, 'content-type': 'text/plain' }, body: list },
      415,
      'unsupported_media',
    ],
    ['a wrong method', { method: 'GET', headers: MODERN }, 405, 'unsupported'],
    [
      'a header that disagrees with the body',
      { method: 'POST', headers: { ...MODERN, 'mcp-method': 'tools/call' }, body: list },
      400,
      'invalid_request',
    ],
  ];

  it.each(cases)('keeps the status for %s, and says what to do', async (_what, init, status, kind) => {
    const [before, after] = await Promise.all([fetch(plain.url, init), fetch(guarded.url, init)]);
    expect([before.status, after.status]).toEqual([status, status]);
    const body = (await after.json()) as {
      id?: unknown;
      error: { code: number; data: { kind: string; correlation_id: string } };
    };
    expect(body.error.data.kind).toBe(kind);
    expect(body.error.data.correlation_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.id).not.toBeNull();
    // The range without a meaning is gone; the specification's own codes are not.
    expect(body.error.code < -32019 || body.error.code > -32000).toBe(true);
  });

  it('keeps the code and data by which a client finds the version', async () => {
    const meta = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list', params: { _meta: meta } });
    const init = { method: 'POST', headers: { ...MODERN, 'mcp-protocol-version': '2099-01-01' }, body };
    const [before, after] = await Promise.all([fetch(plain.url, init), fetch(guarded.url, init)]);
    expect(after.status).toBe(400);
    const { error } = (await before.json()) as { error: { code: number; data: object } };
    expect(await after.json()).toMatchObject({ id: 9, error: { code: error.code, data: error.data } });
  });

  it('keeps the Allow header of a 405', async () => {
    const [before, after] = await Promise.all([fetch(plain.url), fetch(guarded.url)]);
    expect(after.headers.get('allow')).toBe(before.headers.get('allow'));
  });
});

it('masks what a handler throws outside any server', async () => {
  const broken = guardHandler({
    fetch: (_request: Request): Promise<Response> =>
      Promise.reject(new Error('postgres://svc:hunter2@db/prod')),
  });
  const response = await broken.fetch(httpRequest('2026-07-28', 'tools/list'));
  expect(response.status).toBe(500);
  const text = await response.text();
  expect(text).not.toContain('hunter2');
  expect(JSON.parse(text)).toMatchObject({ error: { code: -32603, data: { kind: 'internal' } } });
});

describe('an endpoint around a server that nobody has guarded', () => {
  const options = { guards: [keys({ lookup: () => undefined })] };
  const inNode = async (handler: FetchHandler, request: Request): Promise<Response> => {
    const server = createServer(nodeHandler(handler, options)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { method, headers } = request;
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method,
      headers,
      body: await request.text(),
    });
    server.close();
    return answer;
  };
  it.each([
    ['guardHandler', '2026-07-28', (inner, request) => guardHandler(inner, options).fetch(request)],
    ['guardHandler', '2025-11-25', (inner, request) => guardHandler(inner, options).fetch(request)],
    ['nodeHandler alone', '2025-11-25', inNode],
  ] as [string, Era, (inner: FetchHandler, request: Request) => Promise<Response>][])(
    'says so in place of its answers: %s, %s',
    async (_what, era, serve) => {
      const inner = createMcpHandler(() => failingServer(false));
      const response = await serve(inner, httpRequest(era, 'tools/call', { name: 'error' }));
      expect([response.status, await response.json()]).toMatchObject([
        500,
        {
          error: {
            message:
              'The MCP server behind this endpoint is not guarded. Wrap it where it is made: `createMcpHandler(() => guard(createServer(), options))`.',
            data: { kind: 'misconfigured', executed: 'maybe' },
          },
        },
      ]);
    },
  );

  it('makes no call after the first, and tells the log', async () => {
    let calls = 0;
    const logged: string[] = [];
    const inner = createMcpHandler(() => {
      const server = new McpServer({ name: 's', version: '1' });
      server.registerTool('pay', {}, async () => ({ content: [], _meta: { paid: ++calls } }));
      return server;
    });
    const { fetch } = guardHandler(inner, { logger: { error: (_fields, said) => void logged.push(said) } });
    const pay = () => fetch(httpRequest('2026-07-28', 'tools/call', { name: 'pay' }));
    await pay();
    expect(await (await pay()).json()).toMatchObject({ error: { data: { executed: 'no' } } });
    expect(calls).toBe(1);
    expect(logged).toEqual(new Array(2).fill('The MCP server behind this endpoint is not guarded'));
  });

  it('leaves what is no answer of a server, and what the endpoint says without one, as it is', async () => {
    const other = guardHandler({ fetch: async (_request: Request) => Response.json({ token: 't' }) });
    const post = new Request('http://localhost/token', { method: 'POST', body: '{}' });
    expect(await (await other.fetch(post)).json()).toEqual({ token: 't' });
    const listening = guardHandler(createMcpHandler(() => failingServer()));
    const asked = { notifications: { toolsListChanged: true } };
    const stream = await listening.fetch(httpRequest('2026-07-28', 'subscriptions/listen', asked));
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    await stream.body?.cancel();
  });
});

describe('a cancellation of the 2025 era, on a second connection', () => {
  interface Way {
    readonly header?: string;
    readonly options?: () => GuardOptions;
    readonly path?: string;
  }
  const aborted = async (
    guarded: boolean,
    sender: string | undefined,
    { header = 'authorization', options, path = '/mcp' }: Way = {},
  ): Promise<boolean> => {
    let signal: AbortSignal | undefined;
    let entered: () => void = () => {};
    const running = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 's', version: '1' });
      if (guarded) guard(server, options?.());
      server.registerTool('slow', {}, (ctx) => {
        signal = ctx.mcpReq.signal;
        entered();
        return new Promise(() => {});
      });
      return server;
    });
    const response = await handler.fetch(
      httpRequest('2025-11-25', 'tools/call', { name: 'slow' }, { [header]: 'me' }),
    );
    await running;
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const headers: Record<string, string> = {
      ...JSON_TYPE,
      ...(sender === undefined ? {} : { [header]: sender }),
    };
    await handler.fetch(
      new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(cancel) }),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const seen = signal?.aborted === true;
    await response.body?.cancel();
    return seen;
  };

  const options = (): GuardOptions => ({ identify: (header) => header('x-who') });
  const way: Way = { header: 'x-who', options };

  it('reaches the handler of a guarded server that is told who sends, and not that of a plain one', async () => {
    expect(await aborted(false, 'me', way)).toBe(false);
    expect(await aborted(true, 'me', way)).toBe(true);
  });

  it('counts only from the sender of the request, and only at the same address', async () => {
    expect(await aborted(true, 'somebody else', way)).toBe(false);
    expect(await aborted(true, undefined, way)).toBe(false);
    expect(await aborted(true, 'me', { ...way, path: '/other' })).toBe(false);
  });

  it.each(['authorization', 'x-api-key', 'cookie'])(
    'counts from nobody who is only known by %s: a whole team may send the same',
    async (header) => {
      expect(await aborted(true, 'me', { header })).toBe(false);
      expect(await aborted(true, 'me', { header, options })).toBe(false);
    },
  );
});

describe.each(['2025-11-25', '2026-07-28'] as const)(
  'a caller without a good key, in the era of %s',
  (era) => {
    const guards = [
      keys({
        lookup: async (digest) => (digest === digestKey('key-of-ada-1') ? { principal: 'ada' } : undefined),
      }),
    ];
    const options: GuardOptions = { guards, challenge: 'Bearer realm="orders"' };
    const handler = guardHandler(
      createMcpHandler(() => failingServer(options)),
      options,
    );
    const ask = (method: string, params: object, authorization?: string) =>
      handler.fetch(httpRequest(era, method, params, authorization === undefined ? {} : { authorization }));

    it.each([
      ['tools/call', { name: 'fine' }],
      ['tools/list', {}],
      ['resources/list', {}],
      ['prompts/list', {}],
      ['resources/read', { uri: 'fails://fine' }],
      ['acme/fine', {}],
      ...(era === '2026-07-28' ? [['subscriptions/listen', { notifications: {} }] as [string, object]] : []),
    ])('gets 401 and a challenge for %s', async (method, params) => {
      for (const authorization of [undefined, 'Bearer nobody-knows-me', 'nonsense nonsense']) {
        const response = await ask(method, params, authorization);
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="orders"');
        const body = await response.json();
        expect(body).toMatchObject({
          id: 1,
          error: { message: 'Unauthorized', data: { kind: 'unauthenticated', executed: 'no' } },
        });
      }
    });

    it('and with one, is served', async () => {
      expect((await ask('tools/list', {}, 'Bearer key-of-ada-1')).status).toBe(200);
      expect((await ask('tools/call', { name: 'fine' }, 'Bearer key-of-ada-1')).status).toBe(200);
      const listening = await ask('subscriptions/listen', { notifications: {} }, 'Bearer key-of-ada-1');
      expect(listening.status).toBe(200);
      await listening.body?.cancel();
    });
  },
);
