import { FaultError } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import type { FaultEvent } from '../src/index.ts';
import { FLAVOURS, plainHttp } from './flavours.ts';
import { answer, fail, type Script, scriptedHttp, succeed } from './scripted-http.ts';

describe.each(FLAVOURS)('$name over HTTP', ({ http }) => {
  /** Connects to a server with this script and calls one tool. */
  async function call(script: Script, tool = 'read', options: object = {}, session?: () => string) {
    await using server = await scriptedHttp(script, session);
    const client = http(server.url, { attemptTimeoutMs: 5000, ...options });
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: tool });
    await client.close();
    return { outcome, calls: server.calls(tool), heard: server.heard };
  }

  it('returns a success as it is', async () => {
    const { outcome } = await call((heard, response) => succeed(heard, response));
    expect(outcome).toMatchObject({
      ok: true,
      attempts: 1,
      result: { content: [{ type: 'text', text: 'done' }] },
    });
  });

  it('retries what was refused, a write too', async () => {
    const { outcome, calls } = await call((heard, response, count) => {
      if (count < 3) answer(response, 'busy', 429);
      else succeed(heard, response);
    }, 'write');
    expect([outcome.ok, outcome.attempts, calls]).toEqual([true, 3, 3]);
  });

  it('does not repeat a write after a 503, which a proxy says too when it lost the answer', async () => {
    const { outcome, calls } = await call((_, response) => answer(response, 'busy', 503), 'write');
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'unavailable', executed: 'maybe' } });
    expect(calls).toBe(1);
  });

  it.each([
    [404, '404 page not found', 'unavailable', 'is not there'],
    [410, 'Gone', 'unavailable', 'is gone'],
    [405, 'Method Not Allowed', 'misconfigured', 'does not take messages'],
  ])('HTTP %i of a proxy is told of the server, not of an argument', async (status, body, kind, says) => {
    const { outcome } = await call((_, response) => answer(response, body, status), 'read', { attempts: 1 });
    expect(outcome).toMatchObject({
      ok: false,
      fault: {
        kind,
        origin: 'server',
        message: `The endpoint of the server ${says} (HTTP ${status}: ${body})`,
      },
      text: expect.stringContaining('check its `url`'),
    });
  });

  it.each([
    [404, 'unavailable', 'backoff'],
    [410, 'unavailable', 'backoff'],
    [405, 'misconfigured', 'never'],
  ])('a problem document of a router under HTTP %i is told of the server', async (status, kind, when) => {
    const body = { type: 'about:blank', title: 'Odd', status, detail: 'No route matches this path' };
    const script: Script = (_, response) =>
      response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(body));
    const { outcome } = await call(script, 'read', { attempts: 1 });
    expect(outcome).toMatchObject({
      ok: false,
      fault: { kind, origin: 'server', retry: { when } },
      text: expect.stringContaining('check its `url`'),
    });
  });

  it.each([
    ['', 3],
    ['no Route matched with those values', 3],
    ['Nobody home', 1],
  ])('sends a write that is answered 404 %j %i times', async (body, times) => {
    const { calls } = await call((_, response) => answer(response, body, 404), 'write', { attempts: 3 });
    expect(calls).toBe(times);
  });

  it('tells the model what a repetition can do, unless the tool only reads', async () => {
    const script: Script = (_, response) => answer(response, 'busy', 503);
    expect((await call(script, 'write')).outcome).toMatchObject({
      text: 'busy. The service is down; back off, then try again. It may have happened; check before you repeat a change.',
    });
    expect((await call(script, 'read', { attempts: 1 })).outcome).toMatchObject({
      text: 'busy. The service is down; back off, then try again.',
    });
  });

  it('keeps Retry-After, and does not wait longer than it may', async () => {
    const { outcome, calls } = await call((_, response) =>
      answer(response, 'later', 429, { 'retry-after': '120' }),
    );
    expect(outcome).toMatchObject({
      ok: false,
      fault: { kind: 'rate_limited', retry: { afterMs: 120_000 } },
      reason:
        'Not tried again: the server asks to wait 120000 ms, longer than the 60000 ms that are waited for',
    });
    expect(calls).toBe(1);
  });

  it('unwraps the JSON-RPC error behind a 404', async () => {
    const { outcome } = await call((heard, response) =>
      answer(
        response,
        { jsonrpc: '2.0', id: heard.id, error: { code: -32601, message: 'Method not found' } },
        404,
      ),
    );
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'unsupported', message: 'Method not found' } });
  });

  it('notices a stream that ends without an answer, and repeats only what reads', async () => {
    const lost: Script = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(': working\n\n');
    };
    const read = await call(lost, 'read');
    expect(read.outcome).toMatchObject({
      ok: false,
      attempts: 3,
      fault: { kind: 'disconnected', origin: 'transport' },
    });
    const write = await call(lost, 'write');
    expect(write.outcome).toMatchObject({
      ok: false,
      attempts: 1,
      fault: { kind: 'disconnected', executed: 'maybe' },
    });
    expect(write.calls).toBe(1);
  });

  it('notices a stream that breaks in the middle of an event', async () => {
    const { outcome } = await call((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc"');
      setImmediate(() => response.destroy());
    }, 'write');
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'disconnected', executed: 'maybe' } });
  });

  it('tells a lost connection from a refused one', async () => {
    const lost = await call((_, response) => response.destroy(), 'write');
    expect(lost.outcome).toMatchObject({ fault: { kind: 'disconnected', executed: 'maybe' }, attempts: 1 });
    const closed = await scriptedHttp(() => undefined);
    await closed[Symbol.asyncDispose]();
    const client = http(closed.url);
    await expect(client.connect()).rejects.toMatchObject({ fault: { kind: 'unavailable', executed: 'no' } });
  });

  it('tells a timeout from a cancellation', async () => {
    const silent: Script = () => undefined;
    const late = await call(silent, 'write', { attemptTimeoutMs: 100 });
    expect(late.outcome).toMatchObject({
      fault: { kind: 'timeout', origin: 'local', executed: 'maybe' },
      attempts: 1,
    });
    await using server = await scriptedHttp(silent);
    const client = http(server.url);
    await client.connect();
    const giveUp = new AbortController();
    const running = client.call({ name: 'read' }, { signal: giveUp.signal });
    setTimeout(() => giveUp.abort(new Error('enough')), 20);
    expect(await running).toMatchObject({ ok: false, fault: { kind: 'cancelled', origin: 'local' } });
    const timed = await client.call({ name: 'write' }, { signal: AbortSignal.timeout(50) });
    expect(timed).toMatchObject({
      ok: false,
      fault: { kind: 'timeout', origin: 'local', executed: 'maybe' },
    });
    expect(timed).toMatchObject({ text: expect.stringContaining('It may have happened; check before you') });
    await client.close();
  });

  it.each([
    [404, 'Session not found'],
    [400, 'Bad Request: No valid session ID provided'],
  ])(
    'starts a new session when the old one has expired (%i), and repeats even a write',
    async (status, message) => {
      let session = 0;
      const { outcome, heard } = await call(
        (one, response) => {
          if (one.session === 's1') {
            answer(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message } }, status);
          } else succeed(one, response);
        },
        'write',
        {},
        () => {
          session += 1;
          return `s${session}`;
        },
      );
      expect(outcome).toMatchObject({ ok: true, attempts: 2 });
      expect(heard.filter(({ method }) => method === 'initialize').map((one) => one.session)).toEqual([
        undefined,
        undefined,
      ]);
      expect(heard.at(-1)).toMatchObject({ method: 'tools/call', session: 's2' });
    },
  );

  it.each([404, 400])('keeps its session where another is told that it has none (%i)', async (status) => {
    const error = { code: -32001, message: 'Session not found' };
    const { outcome, heard, calls } = await call(
      (_one, response) => answer(response, { jsonrpc: '2.0', id: 4711, error }, status),
      'write',
      {},
      () => 's-1234',
    );
    expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(outcome).not.toMatchObject({ fault: { kind: 'expired' } });
    expect(calls).toBe(1);
    expect(heard.filter(({ method }) => method === 'initialize')).toHaveLength(1);
  });

  it.each([
    ['another session', 'Session cs_77 not found', 'maybe', 1],
    ['its session', 'Session s-1234 not found', 'no', 2],
    ['no session', '', 'no', 2],
  ])('a 404 that names %s proves nothing but that', async (_what, body, executed, times) => {
    const { outcome, calls } = await call(
      (_one, response) => answer(response, body, 404),
      'write',
      { attempts: 2 },
      () => 's-1234',
    );
    expect(outcome).toMatchObject({ ok: false, fault: { executed } });
    expect(calls).toBe(times);
  });

  it.each([
    ['mail', 'maybe'],
    ['write', 'no'],
  ])('a refusal of the tool %s is about that tool', async (tool, executed) => {
    const said = `Input validation error: Invalid arguments for tool ${tool}: address: Required`;
    const { outcome, calls } = await call((_one, response) => answer(response, said, 400), 'write');
    expect(outcome).toMatchObject({ ok: false, fault: { executed } });
    expect(calls).toBe(1);
  });

  it('what is sent again in a new session is an attempt like any other', async () => {
    const { outcome, calls } = await call(
      (_one, response, count) => (count === 1 ? answer(response, '', 404) : answer(response, 'busy', 429)),
      'write',
      { attempts: 2 },
      () => 's-1234',
    );
    expect(outcome).toMatchObject({ ok: false, attempts: 2 });
    expect(calls).toBe(2);
  });

  it('tells the server the deadline and the attempt', async () => {
    const { heard } = await call((one, response, count) => {
      if (count === 1) answer(response, 'busy', 503);
      else succeed(one, response);
    });
    const metas = heard.filter(({ method }) => method === 'tools/call').map(({ params }) => params?._meta);
    expect(metas.map((meta) => meta?.['dev.mayday/attempt'])).toEqual([1, 2]);
    expect(metas[0]?.['dev.mayday/deadline']).toBeTypeOf('number');
    expect(metas[0]?.['dev.mayday/deadline']).toBe(metas[1]?.['dev.mayday/deadline']);
  });

  it('QA-26 retries a rate limit that only the text of a result tells of, unless it could happen twice', async () => {
    const limited: Script = (heard, response, count) => {
      if (count < 3) fail(heard, response, 'Rate limit exceeded');
      else succeed(heard, response);
    };
    const read = await call(limited, 'read');
    expect([read.outcome.ok, read.calls]).toEqual([true, 3]);
    const write = await call(limited, 'write');
    expect([write.outcome.ok, write.calls]).toEqual([false, 1]);
  });

  it('QA-24 QA-27 EM-31 makes one call where a second one is no use', async () => {
    const { outcome, calls } = await call((heard, response) => fail(heard, response, 'Permission denied'));
    expect([outcome.ok, calls]).toEqual([false, 1]);
  });

  it('QA-25 reads a failing result without content', async () => {
    const { outcome } = await call((heard, response) =>
      answer(response, { jsonrpc: '2.0', id: heard.id, result: { isError: true, content: [] } }),
    );
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'unknown' } });
  });

  it('hands over a failing result like the SDK, with the fault beside it', async () => {
    await using server = await scriptedHttp((heard, response) => fail(heard, response, 'No such order: 7'));
    const client = http(server.url);
    await client.connect();
    expect(await client.callTool({ name: 'write' })).toMatchObject({
      isError: true,
      content: [{ text: 'No such order: 7' }],
      _meta: { 'dev.mayday/fault': { kind: 'not_found', retryable: false } },
    });
    await client.close();
  });

  it('throws a fault where the SDK throws', async () => {
    await using server = await scriptedHttp((heard, response) =>
      answer(response, { jsonrpc: '2.0', id: heard.id, error: { code: -32602, message: 'Unknown tool: x' } }),
    );
    const client = http(server.url);
    await client.connect();
    await expect(client.callTool({ name: 'x' })).rejects.toBeInstanceOf(FaultError);
    await expect(client.getPrompt({ name: 'x' })).rejects.toBeInstanceOf(FaultError);
    await client.close();
  });

  it('returns every failure as a result, or throws it, if asked to', async () => {
    await using server = await scriptedHttp((heard, response) => fail(heard, response, 'No such order: 7'));
    const throwing = http(server.url, { failures: 'throw' });
    await throwing.connect();
    await expect(throwing.callTool({ name: 'write' })).rejects.toMatchObject({
      fault: { kind: 'not_found' },
    });
    const returning = http(server.url, { failures: 'result' });
    await returning.close();
    expect(await returning.callTool({ name: 'write' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('Not connected') }],
    });
    await throwing.close();
  });

  it('tells the check of an output on this side from a failure of the server', async () => {
    const { outcome } = await call((heard, response) => succeed(heard, response), 'typed');
    expect(outcome).toMatchObject({
      ok: false,
      fault: { kind: 'invalid_output', origin: 'local', executed: 'yes' },
    });
  });

  it('returns the server’s failure even if it breaks the output schema', async () => {
    const { outcome } = await call((heard, response) => {
      const result = {
        isError: true,
        content: [{ type: 'text', text: 'No such order' }],
        structuredContent: { wrong: 1 },
      };
      answer(response, { jsonrpc: '2.0', id: heard.id, result });
    }, 'typed');
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'not_found' } });
  });

  it('lets the operator overrule the annotations in both directions', async () => {
    const lost: Script = (_, response) => response.destroy();
    const tools = { read: { repeatable: false }, write: { repeatable: true } };
    expect((await call(lost, 'read', { tools })).calls).toBe(1);
    expect((await call(lost, 'write', { tools })).calls).toBe(3);
    expect((await call(lost, 'set', { trustAnnotations: false })).calls).toBe(1);
    expect((await call(lost, 'set')).calls).toBe(3);
  });

  it('reports each fault with its plan', async () => {
    const events: FaultEvent[] = [];
    await call(
      (heard, response, count) => {
        if (count === 1) answer(response, 'busy', 429);
        else succeed(heard, response);
      },
      'write',
      { onFault: (event: FaultEvent) => events.push(event) },
    );
    expect(events).toMatchObject([{ attempt: 1, fault: { kind: 'rate_limited' }, plan: { retry: true } }]);
    expect(events[0]?.plan.reason).toBe(
      'Attempt 2 of 3 follows in 0 ms: rate limited, and the call was not executed',
    );
  });

  describe('bad input', () => {
    const rpc = (id: unknown, body: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...body });
    const result = { content: [{ type: 'text', text: 'first' }] };

    it('takes the first of two answers', async () => {
      const { outcome } = await call((heard, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const second = { content: [{ type: 'text', text: 'second' }] };
        response.end(`data: ${rpc(heard.id, { result })}\n\ndata: ${rpc(heard.id, { result: second })}\n\n`);
      });
      expect(outcome).toMatchObject({ ok: true, result });
    });

    it.each([
      ['an answer to somebody else', (): string => rpc(999_999, { result }), 'invalid_output'],
      ['garbage', (): string => '<html>not json</html>', 'invalid_output'],
      ['JSON that is no message', (): string => '[1,2,3]', 'invalid_output'],
      [
        'an error without an id',
        (): string => rpc(null, { error: { code: -32603, message: 'no' } }),
        'internal',
      ],
      [
        'a code that is no integer',
        (id: unknown): string => rpc(id, { error: { code: 'E', message: 'no' } }),
        'internal',
      ],
    ])('gives one clear fault for %s', async (_, body, kind) => {
      const { outcome, calls } = await call((heard, response) => answer(response, body(heard.id)), 'write');
      expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { kind } });
      expect(calls).toBe(1);
    });

    it.each([
      [
        'in a tool result',
        (heard: { id?: unknown }, text: string) =>
          rpc(heard.id, { result: { isError: true, content: [{ type: 'text', text }] } }),
        200,
      ],
      [
        'as a protocol error',
        (heard: { id?: unknown }, text: string) => rpc(heard.id, { error: { code: -32603, message: text } }),
        200,
      ],
      ['behind a status', (_: unknown, text: string) => text, 500],
    ])('bounds an error of ten megabytes %s', async (_, body, status) => {
      const text = 'boom '.repeat(2_000_000);
      const { outcome } = await call(
        (heard, response) => answer(response, body(heard, text), status),
        'write',
      );
      expect(outcome.ok).toBe(false);
      expect(JSON.stringify(outcome).length).toBeLessThan(20_000);
    });

    it.each(['-1', 'NaN', '31536000', '1e400', 'never'])('stays bounded under a hint of %s', async (hint) => {
      const { outcome, calls } = await call((heard, response, count) => {
        if (count < 3) answer(response, 'later', 503, { 'retry-after': hint });
        else succeed(heard, response);
      });
      // A year is not waited for; nonsense is no hint.
      expect([outcome.ok, calls]).toEqual(hint === '31536000' ? [false, 1] : [true, 3]);
    });
  });
});

it('notices a lost stream on the SDK’s own v2 transport too', async () => {
  await using server = await scriptedHttp((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(': working\n\n');
  });
  const client = plainHttp(server.url);
  await client.connect();
  expect(await client.call({ name: 'write' })).toMatchObject({ ok: false, fault: { kind: 'disconnected' } });
  await client.close();
});

it.each([
  [404, 'Session not found'],
  [400, 'Invalid or missing session ID'],
])('mends an expired session on the SDK’s own v2 transport too: %i', async (status, said) => {
  let session = 0;
  await using server = await scriptedHttp(
    (heard, response) => {
      if (heard.session === 's1') answer(response, said, status);
      else succeed(heard, response);
    },
    () => {
      session += 1;
      return `s${session}`;
    },
  );
  const client = plainHttp(server.url);
  await client.connect();
  // Its headers are gone by the time that we see it: no proof for a call that changes something.
  expect(await client.call({ name: 'write' })).toMatchObject({
    ok: false,
    fault: { kind: 'expired', executed: 'maybe' },
  });
  expect(await client.call({ name: 'write' })).toMatchObject({ ok: true });
  await client.close();
});

it('shares circuits between clients of the same upstream', async () => {
  await using server = await scriptedHttp((heard, response) =>
    fail(heard, response, 'Internal server error'),
  );
  const [flavour] = FLAVOURS;
  const first = flavour!.http(server.url, { upstream: { targetBreaker: { consecutive: 3 }, patienceMs: 0 } });
  const second = flavour!.http(server.url, { upstream: first.upstream });
  await Promise.all([first.connect(), second.connect()]);
  for (let at = 0; at < 3; at += 1) await first.call({ name: 'write' });
  const refused = await second.call({ name: 'write' });
  expect(refused).toMatchObject({
    ok: false,
    attempts: 0,
    fault: { kind: 'unavailable', origin: 'local', executed: 'no', subject: { type: 'tool', id: 'write' } },
  });
  expect(server.calls('write')).toBe(3);
  await Promise.all([first.close(), second.close()]);
});

it('does not retry below a caller that counts the attempts', async () => {
  await using server = await scriptedHttp((_, response) => answer(response, 'busy', 503));
  const client = FLAVOURS[0]!.http(server.url);
  await client.connect();
  const outcome = await client.call({ name: 'write', _meta: { 'dev.mayday/attempt': 1 } } as never);
  expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { kind: 'unavailable' } });
  expect(server.calls('write')).toBe(1);
  await client.close();
});
