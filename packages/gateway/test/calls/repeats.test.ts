/** What looks like a refusal, after the work: through the gateway, too, nothing is done twice. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, faultIn, INITIALIZE, json, open, type Posted, post, upstream } from '../tools.ts';

afterEach(cleanUp);

interface Asked {
  readonly id: number;
  readonly params: { readonly _meta?: { readonly [key: string]: unknown } };
}

type Say = (asked: Asked, response: ServerResponse, count: number, request: IncomingMessage) => void;

/** A server with sessions and one tool, which answers its calls as the test says. */
async function till(say: Say, listed: object = {}) {
  const asked: Asked[] = [];
  let sessions = 0;
  const { url } = await upstream((body, response, request) => {
    const message = JSON.parse(body || '{}') as Asked & { readonly method?: string };
    const answer = (result: unknown, headers = {}): void =>
      json(response, 200, { jsonrpc: '2.0', id: message.id, result }, headers);
    if (request.method !== 'POST') response.writeHead(405).end();
    else if (message.id === undefined) response.writeHead(202).end();
    else if (message.method === 'initialize') {
      sessions += 1;
      const serverInfo = { name: 'till', version: '1' };
      answer(
        { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
        { 'mcp-session-id': `s${sessions}` },
      );
    } else if (message.method === 'tools/list')
      answer({ tools: [{ name: 'pay', inputSchema: { type: 'object' }, ...listed }] });
    else if (message.method === 'ping') answer({});
    else {
      asked.push(message);
      say(message, response, asked.length, request);
    }
  });
  return { url, asked };
}

const paid: Say = (asked, response) =>
  json(response, 200, {
    jsonrpc: '2.0',
    id: asked.id,
    result: { content: [{ type: 'text', text: 'paid' }] },
  });

async function session(url: string): Promise<{ readonly [name: string]: string }> {
  const { headers } = await post(url, INITIALIZE);
  const id = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, id);
  return id;
}

const ENDPOINTS = [
  ['/a/mcp', 'pay'],
  ['/mcp', 'a_pay'],
] as const;

describe.each(ENDPOINTS)('at %s', (path, name) => {
  async function payer(say: Say, settings: object = {}, listed: object = {}) {
    const { url, asked } = await till(say, listed);
    const gateway = await open({ upstreams: { a: { url, ...settings } } });
    const at = `${gateway.url}${path}`;
    const as = await session(at);
    await post(at, call('tools/list'), as);
    const pay = (meta: object = {}): Promise<Posted> =>
      post(at, call('tools/call', { name, arguments: {}, _meta: meta }), as);
    return { pay, asked };
  }

  it.each<[string, number, string]>([
    ['404 with words', 404, 'Payment accepted; receipt failed: template not found'],
    ['404 around -32603', 404, '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}'],
    ['400 with words', 400, 'Payment accepted; no valid session'],
    ['404 about another session', 404, '{"detail":"Session cs_77 not found"}'],
    ['404 about a session like ours', 404, 'Session s1-2 not found'],
    ['400 about another session', 400, 'Session cs_77 not found'],
    ['429 with an order', 429, '{"orderId":7}'],
    [
      '429 with data',
      429,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Too many requests","data":{"orderId":7}}}',
    ],
  ])('pays once for two calls under one key after a %s', async (_name, status, body) => {
    const { pay, asked } = await payer((_asked, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end(body);
    });
    await pay({ 'dev.mayday/idempotency-key': 'k' });
    expect(faultIn(await pay({ 'dev.mayday/idempotency-key': 'k' }))).toMatchObject({ executed: 'maybe' });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['the standard words of the status', 'Too Many Requests', 'no', 3],
    ['words of its own', 'Payment booked', 'maybe', 1],
  ])('asks again after a 429 under %s only if nothing was done', async (_name, words, executed, times) => {
    const { pay, asked } = await payer((_asked, response) => {
      response.writeHead(429, words, { 'retry-after': '0' }).end();
    });
    expect(faultIn(await pay())).toMatchObject({ kind: 'rate_limited', executed });
    expect(asked).toHaveLength(times);
  });

  it.each<[string, Say]>([
    [
      'an announcement with an order',
      (_asked, response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload', 'x-order-id': 'pay_991' });
        response.writeHead(429, { 'retry-after': '0' }).end();
      },
    ],
    [
      'word that it works',
      (_asked, response) => {
        response.writeProcessing();
        response.writeHead(429, { 'retry-after': '0' }).end();
      },
    ],
    [
      'an order in a trailer',
      (_asked, response) => {
        response.writeHead(429, { 'retry-after': '0', trailer: 'x-order-id' });
        response.write('Too Many Requests');
        response.addTrailers({ 'x-order-id': 'pay_991' });
        response.end();
      },
    ],
    [
      'a code of its own',
      (_asked, response) =>
        json(response, 429, { error: 'Too many requests', code: 991 }, { 'retry-after': '0' }),
    ],
    [
      'a session of its own',
      (_asked, response) => response.writeHead(404, { 'mcp-session-id': 'pay_991' }).end(),
    ],
  ])('a payment that is refused with %s is made once', async (_what, say) => {
    const { pay, asked } = await payer(say);
    expect(faultIn(await pay())).toMatchObject({ executed: 'maybe' });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['another session', 404, 'Session cs_77 not found'],
    ['another session', 400, 'Session cs_77 not found'],
    [
      'another session, as JSON-RPC',
      404,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Session cs_77 not found"}}',
    ],
  ])('a payment whose refusal names %s (%i) is made once', async (_what, status, body) => {
    const { pay, asked } = await payer((_asked, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    expect(faultIn(await pay())).toMatchObject({ executed: 'maybe' });
    expect(asked).toHaveLength(1);
  });

  it.each<[string, Say, string]>([
    [
      'that a guarded server has answered',
      (asked, response) => {
        const text =
          'Unavailable. The service is down; back off, then try again. It may have happened; check before you repeat a change. Reference: r-7.';
        const fault = {
          kind: 'unavailable',
          reaction: 'dependency',
          retryable: true,
          retry: { when: 'backoff' },
          executed: 'maybe',
          message: 'Unavailable',
          correlation_id: 'r-7',
        };
        const result = {
          isError: true,
          content: [{ type: 'text', text }],
          _meta: { 'dev.mayday/fault': fault },
        };
        json(response, 200, { jsonrpc: '2.0', id: asked.id, result });
      },
      'Unavailable. It may have happened; check before you repeat a change. Unavailable. Reference: r-7.',
    ],
    [
      'that a plain one has answered',
      (asked, response) => {
        const result = { isError: true, content: [{ type: 'text', text: 'The bank timed out' }] };
        json(response, 200, { jsonrpc: '2.0', id: asked.id, result });
      },
      'The bank timed out. It may have happened; check before you repeat a change.',
    ],
    [
      'of a call that hangs',
      () => undefined,
      'The server did not answer within 300 ms (`timeout_ms`). It may have happened; check before you repeat a change.',
    ],
  ])('a failure %s is final under its key, and says so', async (_name, say, text) => {
    const { pay, asked } = await payer(say, { timeout_ms: 300, retry: { attempts: 1 } });
    await pay({ 'dev.mayday/idempotency-key': 'k' });
    const again = await pay({ 'dev.mayday/idempotency-key': 'k' });
    expect(faultIn(again)).toMatchObject({ executed: 'maybe', retryable: false, retry: { when: 'never' } });
    const content = again.message.result?.['content'] as readonly { readonly text: string }[];
    expect(content.map((block) => block.text).join(' ')).toBe(text);
    expect(asked).toHaveLength(1);
  });

  it('invites nobody to repeat what was partly done', async () => {
    const text = 'Payment booked as pay_991, but the receipt mail failed: 503';
    const { pay } = await payer((asked, response) => {
      const result = { isError: true, content: [{ type: 'text', text }] };
      json(response, 200, { jsonrpc: '2.0', id: asked.id, result });
    });
    const posted = await pay();
    expect(faultIn(posted)).toMatchObject({ executed: 'maybe', retryable: false, retry: { when: 'never' } });
    expect(posted.message.result?.['content']).toEqual([
      { type: 'text', text: `${text}. A part of it was done. Find out which; do not repeat the call.` },
    ]);
  });

  it('sends a call whose attempts are counted above once, also when its session is lost', async () => {
    const { pay, asked } = await payer((_asked, response) => response.writeHead(404).end());
    expect(faultIn(await pay({ 'dev.mayday/attempt': 1 }))).toMatchObject({ executed: 'no' });
    expect(asked).toHaveLength(1);
  });

  it('does not believe a declaration about another tool', async () => {
    const fault = {
      kind: 'rate_limited',
      reaction: 'retryable',
      retryable: true,
      retry: { when: 'after_wait', after_ms: 0 },
      executed: 'no',
      origin: 'gateway',
      message: 'x',
    };
    let subject = { type: 'tool', id: 'other' };
    const { pay, asked } = await payer(({ id }, response) => {
      const _meta = { 'dev.mayday/fault': { ...fault, subject } };
      const result = { isError: true, content: [{ type: 'text', text: 'x' }], _meta };
      json(response, 200, { jsonrpc: '2.0', id, result });
    });
    expect(faultIn(await pay())).toMatchObject({ executed: 'maybe' });
    expect(asked).toHaveLength(1);
    subject = { type: 'tool', id: 'pay' };
    await pay();
    expect(asked).toHaveLength(4);
  });

  it('asks a server that honours keys again when an answer was lost, and tells it so', async () => {
    const { pay, asked } = await payer(
      (message, response, count, request) =>
        count === 1 ? response.destroy() : paid(message, response, count, request),
      {},
      { _meta: { 'dev.mayday/idempotency-key': true } },
    );
    expect((await pay({ 'dev.mayday/idempotency-key': 'k' })).text).toContain('paid');
    const name = asked[0]?.params._meta?.['dev.mayday/call'];
    expect(name).toMatch(/^[\da-f-]{36}$/);
    expect(asked.map(({ params }) => params._meta)).toEqual([
      { 'dev.mayday/idempotency-key': 'k', 'dev.mayday/attempt': 1, 'dev.mayday/call': name },
      {
        'dev.mayday/idempotency-key': 'k',
        'dev.mayday/attempt': 2,
        'dev.mayday/call': name,
        'dev.mayday/executed': 'maybe',
      },
    ]);
  });

  const lose: Say = (_asked, response) => response.destroy();
  const fail: Say = (_asked, response) => response.writeHead(503).end();
  it.each([
    ['who says so', lose, { 'dev.mayday/executed': 'maybe' }, 'disconnected'],
    ['who does not say so', lose, {}, 'disconnected'],
    ['after a status of a proxy', fail, {}, 'unavailable'],
  ])('lets a caller that counts ask such a server again, %s', async (_name, first, said, kind) => {
    const { pay, asked } = await payer(
      (message, response, count, request) => (count === 1 ? first : paid)(message, response, count, request),
      {},
      { _meta: { 'dev.mayday/idempotency-key': true } },
    );
    const key = { 'dev.mayday/idempotency-key': 'k' };
    expect(faultIn(await pay({ ...key, 'dev.mayday/attempt': 1 }))).toMatchObject({
      kind,
      executed: 'maybe',
      retryable: true,
    });
    expect((await pay({ ...key, 'dev.mayday/attempt': 2, ...said })).text).toContain('paid');
    expect(asked[1]?.params._meta).toEqual({
      ...key,
      'dev.mayday/attempt': 2,
      'dev.mayday/executed': 'maybe',
    });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['is not to be repeated', { retry: { never_repeat: ['pay'] } }, true],
    ['is not believed', { retry: { trust_annotations: false } }, true],
    ['knows nothing of keys', {}, false],
  ])('asks a server once that %s', async (_name, settings, takesKeys) => {
    const { pay, asked } = await payer((_asked, response) => response.destroy(), settings, {
      _meta: { 'dev.mayday/idempotency-key': takesKeys },
    });
    await pay({ 'dev.mayday/idempotency-key': 'k' });
    await pay({ 'dev.mayday/idempotency-key': 'k' });
    expect(asked).toHaveLength(1);
  });

  it('begins nothing for a caller whose deadline has passed', async () => {
    const { pay, asked } = await payer(paid);
    const late = await pay({ 'dev.mayday/deadline': Date.now() - 1000 });
    expect(faultIn(late)).toMatchObject({ kind: 'timeout', executed: 'no', origin: 'gateway' });
    expect(asked).toHaveLength(0);
  });
});

describe('a session that is gone', () => {
  const gone: Say = (asked, response, _count, request) => {
    if (request.headers['mcp-session-id'] !== 's1') paid(asked, response, 0, request);
    else
      json(response, 404, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32001, message: 'Session not found' },
      });
  };

  it.each([
    ['one attempt', { retry: { attempts: 1 } }],
    ['a tool that is never repeated', { retry: { never_repeat: ['pay'] } }],
  ])('is opened again, but the call is not made again with %s', async (_name, settings) => {
    const { url, asked } = await till(gone);
    const gateway = await open({ upstreams: { a: { url, ...settings } } });
    const pay = (): Promise<Posted> => post(`${gateway.url}/mcp`, call('tools/call', { name: 'a_pay' }));
    expect(faultIn(await pay())).toMatchObject({ kind: 'unavailable', executed: 'no' });
    expect(asked).toHaveLength(1);
    expect((await pay()).text).toContain('paid');
    expect(asked).toHaveLength(2);
  });
});

it.each<[string, number, string]>([
  ['a write that is refused', 429, ''],
  ['a read that fails', 503, 'busy'],
])('tries three times however many gateways stand in a row: %s', async (_name, status, body) => {
  const { url, asked } = await till(
    (_asked, response) => response.writeHead(status, { 'retry-after': '0' }).end(body),
    { annotations: { readOnlyHint: status === 503 } },
  );
  const first = await open({ upstreams: { a: { url } } });
  const second = await open({ upstreams: { a: { url: `${first.url}/a/mcp` } } });
  const third = await open({ upstreams: { a: { url: `${second.url}/a/mcp` } } });
  const at = `${third.url}/a/mcp`;
  const as = await session(at);
  await post(at, call('tools/list'), as);
  await post(at, call('tools/call', { name: 'pay', arguments: {} }), as);
  const name = asked[0]?.params._meta?.['dev.mayday/call'];
  expect(name).toMatch(/^[\da-f-]{36}$/);
  expect(asked.map(({ params }) => params._meta)).toEqual([
    { 'dev.mayday/attempt': 1, 'dev.mayday/call': name },
    { 'dev.mayday/attempt': 2, 'dev.mayday/call': name },
    { 'dev.mayday/attempt': 3, 'dev.mayday/call': name },
  ]);
});

it.each(['/a/mcp', '/mcp'])('a call with a key that takes too long is not lost, at %s', async (path) => {
  let answer = (): void => {};
  const { url, asked } = await till((first, response, count, request) => {
    answer = () => paid(first, response, count, request);
  });
  const gateway = await open({ upstreams: { a: { url, timeout_ms: 300 } } });
  const as = await session(gateway.url + path);
  const params = { name: path === '/mcp' ? 'a_pay' : 'pay', _meta: { 'dev.mayday/idempotency-key': 'k' } };
  const pay = (): Promise<Posted> => post(gateway.url + path, call('tools/call', params), as);
  expect(faultIn(await pay())).toMatchObject({ kind: 'timeout', executed: 'maybe' });
  expect(faultIn(await pay())).toMatchObject({ kind: 'timeout', executed: 'maybe' });
  answer();
  expect((await pay()).text).toContain('paid');
  expect(asked).toHaveLength(1);
});

it('a call with a key whose server never answers opens the circuit like any other', async () => {
  const { url } = await till(() => {});
  const breaker = { failures: 2, open_ms: 60_000 };
  const gateway = await open({ upstreams: { a: { url, timeout_ms: 500, breaker } } });
  const pay = (key: string): Promise<Posted> =>
    post(
      `${gateway.url}/a/mcp`,
      call('tools/call', { name: 'pay', _meta: { 'dev.mayday/idempotency-key': key } }),
    );
  const kinds = [];
  // Whether the tool is blamed or its server depends on who was silent first: each has a circuit of its own.
  for (const key of ['1', '2', '3', '4', '5']) kinds.push(faultIn(await pay(key))?.['kind']);
  expect([kinds[0], kinds[1], kinds[4]]).toEqual(['timeout', 'timeout', 'unavailable']);
});

it('a repeat waits for a call that goes on, though the first was told that it takes too long', async () => {
  let answer = (): void => {};
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body || '{}') as Asked;
    answer = () => json(response, 200, { jsonrpc: '2.0', id, result: { content: [] } });
  });
  const gateway = await open({ upstreams: { a: { url, timeout_ms: 1000 } } });
  const params = { name: 'pay', _meta: { 'dev.mayday/idempotency-key': 'k1' } };
  const pay = (): Promise<Posted> => post(`${gateway.url}/a/mcp`, call('tools/call', params));
  expect(faultIn(await pay())).toMatchObject({ kind: 'timeout', executed: 'maybe' });
  setTimeout(() => answer(), 300);
  expect((await pay()).message.result).toEqual({ content: [] });
});
