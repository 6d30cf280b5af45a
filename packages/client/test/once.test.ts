/** Answers that look like a refusal, after the work: nothing is done twice, whatever they call themselves. */
import { describe, expect, it } from 'vitest';
import { FLAVOURS, plainHttp, plainHttpV1 } from './flavours.ts';
import { answer, type Heard, type Script, scriptedHttp, succeed } from './scripted-http.ts';

const rpc = (code: number, message: string, data?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message, data },
});

const GONE = rpc(-32001, 'Session not found');

function sessions(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `s${count}`;
  };
}

/** The first session is not known any more. */
const forgetful: Script = (heard, response) => {
  if (heard.session === 's1') answer(response, GONE, 404);
  else succeed(heard, response);
};

const AFTER_THE_WORK: readonly (readonly [string, number, unknown])[] = [
  ['404 with words', 404, 'Payment accepted; receipt failed: template not found'],
  ['404 with words about a session', 404, 'Payment accepted; session not found'],
  ['404 of somebody else', 404, 'upstream order service: session not found'],
  ['404 about a client', 404, 'Client not found'],
  ['404 about a request', 404, 'The request timed out, please send it again'],
  ['404 around a timeout', 404, rpc(-32001, 'Request timed out')],
  ['404 around -32603', 404, rpc(-32603, 'Internal error')],
  [
    '404 around a result',
    404,
    { jsonrpc: '2.0', id: 1, result: { isError: true, content: [{ type: 'text', text: 'booked' }] } },
  ],
  ['429 that has the request', 429, 'We have your request, please wait'],
  ['429 with an order', 429, { orderId: 7 }],
  ['429 with a payment', 429, { error: 'too many requests', payment: 'pay_123' }],
  ['429 with data', 429, rpc(-32000, 'Too many requests', { orderId: 7 })],
  ['429 that says maybe', 429, rpc(-32000, 'Too many requests', { executed: 'maybe' })],
  ['429 in disguise', 429, 'cGF5bWVudCBib29rZWQ='],
];

describe.each(FLAVOURS)('$name', ({ http }) => {
  async function call(script: Script, name: string, options: object = {}, extras: object = {}) {
    await using server = await scriptedHttp(script, sessions());
    const client = http(server.url, options);
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name }, extras);
    await client.close();
    return { outcome, calls: server.calls(name), heard: server.heard };
  }

  it.each([true, false])('follows a server that has moved, unless the call is once: %s', async (once) => {
    let moved = 0;
    const moving: Script = (heard, response) => {
      moved += 1;
      if (moved === 1) response.writeHead(308, { location: '/moved' }).end();
      else succeed(heard, response);
    };
    const { outcome, calls } = await call(moving, 'pay', {}, { once });
    expect(outcome).toMatchObject(once ? { ok: false, fault: { executed: 'maybe' } } : { ok: true });
    expect(calls).toBe(once ? 1 : 2);
  });

  it.each(AFTER_THE_WORK)('does not repeat a write after a %s', async (_name, status, body) => {
    const { outcome, calls } = await call((_, response) => answer(response, body, status), 'write');
    expect(calls).toBe(1);
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { executed: 'maybe' } });
  });

  it.each([
    ['421', 421, {}],
    ['307 to the same place', 307, { location: '/mcp' }],
    ['308 to the same place', 308, { location: '/mcp#again' }],
  ])('sends a write once that is answered with a %s', async (_name, status, headers) => {
    const { outcome, calls } = await call((_, response) => answer(response, '', status, headers), 'write');
    expect([outcome.ok, calls]).toEqual([false, 1]);
  });

  it('does not repeat a write that was sent on, to where nobody knows the session', async () => {
    await using server = await scriptedHttp((heard, response, count) => {
      if (heard.session !== 's1') succeed(heard, response);
      else if (count % 2 === 1) answer(response, '', 307, { location: '/b' });
      else answer(response, 'Session not found', 404);
    }, sessions());
    const client = http(server.url);
    await client.connect();
    const lost = { kind: 'expired', executed: 'maybe', subject: { type: 'session' } };
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: false, attempts: 1, fault: lost });
    expect(server.calls('write')).toBe(2);
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: true });
    await client.close();
  });

  it('sends long texts whole', async () => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(server.url);
    await client.connect();
    expect(await client.call({ name: 'write', arguments: { text: 'é'.repeat(70_000) } })).toMatchObject({
      ok: true,
    });
    await client.close();
  });

  it('does not repeat a write in a new session where the 404 says more than that', async () => {
    const body = rpc(-32001, 'Session not found', { orderId: 7 });
    const { calls } = await call((_, response) => answer(response, body, 404), 'write');
    expect(calls).toBe(1);
  });

  it.each([
    ['attempts: 1', { attempts: 1 }, {}],
    ['once: true', { tools: { write: { once: true } } }, {}],
    ['once: true of the call', {}, { once: true }],
  ])(
    'sends a call once in a session that is gone, with %s, and the next one in a new session',
    async (_name, options, extras) => {
      await using server = await scriptedHttp(forgetful, sessions());
      const client = http(server.url, options);
      await client.connect();
      expect(await client.call({ name: 'write' }, extras)).toMatchObject({
        ok: false,
        attempts: 1,
        fault: { kind: 'expired', executed: 'no', subject: { type: 'session' } },
      });
      expect(server.calls('write')).toBe(1);
      expect(await client.call({ name: 'write' }, extras)).toMatchObject({ ok: true, attempts: 1 });
      expect(server.calls('write')).toBe(2);
      await client.close();
    },
  );

  it('does not believe a declaration about another tool', async () => {
    const fault = {
      kind: 'rate_limited',
      reaction: 'retryable',
      retryable: true,
      retry: { when: 'after_wait', after_ms: 0 },
      executed: 'no',
      origin: 'upstream',
      message: 'x',
      subject: { type: 'tool', id: 'other' },
    };
    const inResult = (heard: Heard) => ({
      jsonrpc: '2.0',
      id: heard.id,
      result: { isError: true, content: [{ type: 'text', text: 'x' }], _meta: { 'dev.mayday/fault': fault } },
    });
    const inError = (heard: Heard) => ({ ...rpc(-32000, 'x', fault), id: heard.id });
    for (const [said, status] of [
      [inResult, 200],
      [inError, 200],
      [inError, 500],
    ] as const) {
      const { outcome, calls } = await call(
        (heard, response) => answer(response, said(heard), status),
        'write',
      );
      expect([calls, outcome]).toMatchObject([1, { ok: false, fault: { executed: 'maybe' } }]);
    }
    const own = { ...fault, subject: { type: 'tool', id: 'write' } };
    const { calls } = await call(
      (heard, response) => answer(response, { ...rpc(-32000, 'x', own), id: heard.id }),
      'write',
    );
    expect(calls).toBe(3);
  });

  it('tells no deadline any more to a server whose clock is ahead', async () => {
    const hurried: Script = (heard, response) => {
      const deadline = heard.params?._meta?.['dev.mayday/deadline'];
      if (typeof deadline !== 'number') succeed(heard, response);
      else {
        const said = { kind: 'timeout', reaction: 'retryable', retryable: true, executed: 'no' };
        const message = 'The deadline has passed already';
        answer(response, { ...rpc(-32000, message, { ...said, message }), id: heard.id });
      }
    };
    await using server = await scriptedHttp(hurried);
    const client = http(server.url);
    await client.connect();
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: true, attempts: 2 });
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: true, attempts: 1 });
    const metas = server.heard
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => params?._meta);
    expect(metas.map((meta) => meta?.['dev.mayday/attempt'])).toEqual([1, 2, 1]);
    await client.close();
  });

  it('keeps telling its deadline after a timeout of the tool itself', async () => {
    const { heard } = await call((one, response, count) => {
      if (count === 1) answer(response, 'The database did not answer in time', 504);
      else succeed(one, response);
    }, 'read');
    const metas = heard.filter(({ method }) => method === 'tools/call').map(({ params }) => params?._meta);
    expect(metas.map((meta) => typeof meta?.['dev.mayday/deadline'])).toEqual(['number', 'number']);
  });

  it('hears the fault at hand where retryIf throws', async () => {
    const retryIf = () => {
      throw new Error('oops');
    };
    const { outcome, calls } = await call((_, response) => answer(response, 'busy', 503), 'read', {
      retryIf,
    });
    expect([calls, outcome]).toMatchObject([
      1,
      { ok: false, fault: { kind: 'unavailable' }, reason: 'Not tried again: retryIf threw an error' },
    ]);
  });

  it('says that nothing was sent where no key could be made, and nothing of what was thrown', async () => {
    const tools = [
      { name: 'write', inputSchema: { type: 'object' }, _meta: { 'dev.mayday/idempotency-key': true } },
    ];
    await using server = await scriptedHttp((heard, response) => succeed(heard, response), undefined, tools);
    const idempotencyKeys = () => {
      throw new Error('vault token abc');
    };
    const client = http(server.url, { idempotencyKeys });
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: 'write' });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 0,
      fault: { kind: 'misconfigured', executed: 'no', origin: 'local' },
    });
    expect(JSON.stringify(outcome)).not.toContain('vault');
    expect(server.calls('write')).toBe(0);
    await client.close();
  });

  it.each([
    [{ tools: { pay: { once: 'yes' } } }, 'Expected `tools.pay.once` to be true or false, got string'],
    [{ tools: { pay: { once: 1 } } }, 'Expected `tools.pay.once` to be true or false, got 1'],
    [
      { tools: { pay: { repeatable: 'no' } } },
      'Expected `tools.pay.repeatable` to be true or false, got string',
    ],
    [{ tools: { pay: null } }, 'Expected `tools.pay` to be an object, got null'],
    [{ tools: ['pay'] }, 'Expected `tools` to be an object, got an array'],
    [{ trustAnnotations: 'no' }, 'Expected `trustAnnotations` to be true or false, got string'],
    [{ trustDeclarations: 0 }, 'Expected `trustDeclarations` to be true or false, got 0'],
    [{ tellServer: 'no' }, 'Expected `tellServer` to be true or false, got string'],
    [{ onFault: 'x' }, 'Expected `onFault` to be a function, got string'],
    [{ onEvent: {} }, 'Expected `onEvent` to be a function, got object'],
    [{ telemetry: 'x' }, 'Expected `telemetry` to be an object, got string'],
    [{ telemetry: {} }, 'Expected `telemetry.start` to be a function, got undefined'],
    [{ upstream: 'shop' }, 'Expected `upstream` to be an object, got string'],
  ])('refuses the options %o', (options, message) => {
    expect(() => http('http://127.0.0.1:1/mcp', options as never)).toThrow(message);
  });

  it.each([
    [{ once: 'yes' }, 'Expected `once` to be true or false, got string'],
    [{ repeatable: 1 }, 'Expected `repeatable` to be true or false, got 1'],
    [{ retryIf: true }, 'Expected `retryIf` to be a function, got boolean'],
  ])('refuses %o for a call', async (extras, message) => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(server.url);
    await client.connect();
    await expect(client.call({ name: 'write' }, extras as never)).rejects.toThrow(message);
    await client.close();
  });
});

it.each(AFTER_THE_WORK)(
  'does not repeat a write after a %s, without our fetch',
  async (_name, status, body) => {
    await using server = await scriptedHttp((_, response) => answer(response, body, status), sessions());
    const client = plainHttp(server.url);
    await client.connect();
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(server.calls('write')).toBe(1);
    await client.close();
  },
);

it.each([
  ['429', 429, { link: '</orders/7>' }],
  ['429', 429, { 'content-location': '/orders/7' }],
  ['429', 429, {}],
  ['405', 405, { location: '/orders/7' }],
  ['401', 401, { location: '/orders/7' }],
])('does not believe a %s whose headers nobody has seen', async (_, status, headers) => {
  const body = status === 429 ? 'Too many requests' : '';
  await using server = await scriptedHttp((__, response) => {
    response.writeHead(status, { 'retry-after': '0', ...headers }).end(body);
  });
  for (const plain of [plainHttp, plainHttpV1]) {
    const before = server.calls('write');
    const client = plain(server.url);
    await client.connect();
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(server.calls('write') - before).toBe(1);
    await client.close();
  }
});
