/** Exactly once, where the server helps: keys that the client makes by itself. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { FLAVOURS } from './flavours.ts';
import { answer, type Heard, scriptedHttp, succeed } from './scripted-http.ts';

const KEY = 'dev.mayday/idempotency-key';
const CALL = 'dev.mayday/call';
const KEYED = { name: 'pay', inputSchema: { type: 'object' }, _meta: { [KEY]: true } };

describe.each(FLAVOURS)('$name', ({ http }) => {
  /** The keys of all attempts at two calls of a tool whose first answer is lost. */
  async function keysOf(options: object = {}, tool = 'pay', tools: readonly object[] = [KEYED]) {
    await using server = await scriptedHttp(
      (heard, response, count) => {
        if (count === 1) response.destroy();
        else succeed(heard, response);
      },
      undefined,
      tools,
    );
    const client = http(server.url, { attemptTimeoutMs: 5000, ...options });
    await client.connect();
    await client.listTools();
    const outcomes = [await client.call({ name: tool }), await client.call({ name: tool })];
    await client.close();
    const keys = server.heard
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => params?._meta?.[KEY]);
    return { keys, ok: outcomes.map(({ ok }) => ok) };
  }

  it('makes one key for all attempts of a call, and another for the next', async () => {
    const { keys, ok } = await keysOf();
    expect(ok).toEqual([true, true]);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('names each call of a tool, and all attempts at it the same', async () => {
    await using server = await scriptedHttp((heard, response, count) => {
      if (count === 1) answer(response, 'later', 429, { 'retry-after': '0' });
      else succeed(heard, response);
    });
    const client = http(server.url);
    await client.connect();
    for (let call = 0; call < 2; call++) await client.call({ name: 'write' });
    await client.close();
    const calls = server.heard.filter(({ method }) => method === 'tools/call');
    const [first, second, other] = calls.map(({ params }) => String(params?._meta?.[CALL]));
    expect(calls).toHaveLength(3);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
    expect(other).toMatch(/^[\da-f-]{36}$/);
  });

  it.each([
    ['names each call under a key', {}, /^[\da-f-]{36}$/, false],
    ['keeps the name of a caller that counts by itself', { 'dev.mayday/attempt': 1 }, /^undefined$/, true],
    ['sends the name of a caller', { 'dev.mayday/attempt': 1, [CALL]: 'c' }, /^c$/, true],
  ])('%s', async (_name, _meta, form, isSame) => {
    await using server = await scriptedHttp((heard, response, count) => {
      if (count === 1) response.destroy();
      else succeed(heard, response);
    });
    const client = http(server.url);
    await client.connect();
    for (let call = 0; call < 2; call++)
      await client.call({ name: 'write', _meta } as never, { idempotencyKey: 'order-7' });
    await client.close();
    const calls = server.heard.filter(({ method }) => method === 'tools/call');
    const names = calls.map(({ params }) => String(params?._meta?.[CALL]));
    for (const name of names) expect(name).toMatch(form);
    expect(names.at(-1) === names[0]).toBe(isSame);
    expect(names.at(-2) === names[0]).toBe(true);
  });

  it('sends no name where nothing is told', async () => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(server.url, { tellServer: false });
    await client.connect();
    await client.call({ name: 'write' }, { idempotencyKey: 'order-7' });
    await client.close();
    expect(server.heard.at(-1)?.params?._meta).not.toHaveProperty([CALL]);
  });

  it.each([true, false])('does not repeat under a key what says that it knows none: %s', async (trust) => {
    const tools = [{ name: 'pay', inputSchema: { type: 'object' }, _meta: { [KEY]: false } }];
    await using server = await scriptedHttp((_, response) => response.destroy(), undefined, tools);
    const client = http(server.url, { trustAnnotations: trust });
    await client.connect();
    await client.listTools();
    for (const call of [
      () => client.call({ name: 'pay' }, { idempotencyKey: 'order-7' }),
      () => client.call({ name: 'pay', _meta: { [KEY]: 'order-7' } } as never),
    ])
      expect(await call()).toMatchObject({ ok: false, attempts: 1, fault: { executed: 'maybe' } });
    expect(server.calls('pay')).toBe(2);
    expect(server.heard.at(-1)?.params?._meta?.[KEY]).toBe('order-7');
    await client.close();
  });

  it.each([
    ['an empty one', ''],
    ['a long one', 'k'.repeat(256)],
    ['a number', 7],
    ['nothing', null],
    ['a promise', Promise.resolve('k')],
  ])('refuses a key that is none, before anything is sent: %s', async (_, key: unknown) => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response), undefined, [
      KEYED,
    ]);
    const client = http(server.url, { idempotencyKeys: () => key as string });
    await client.connect();
    await client.listTools();
    const mistake = {
      kind: 'misconfigured',
      executed: 'no',
      origin: 'local',
      message: expect.stringMatching(/^Not sent: Expected `idempotencyKeys\(\)` to be a text/),
    };
    expect(await client.call({ name: 'pay' })).toMatchObject({ ok: false, attempts: 0, fault: mistake });
    await expect(client.call({ name: 'other', _meta: { [KEY]: key } } as never)).rejects.toThrow(TypeError);
    await expect(client.call({ name: 'other' }, { idempotencyKey: key as string })).rejects.toThrow(
      TypeError,
    );
    await expect(client.callTool({ name: 'pay' })).rejects.toMatchObject({ fault: mistake });
    await client.close();
    expect(server.heard.filter(({ method }) => method === 'tools/call')).toEqual([]);
    expect(() => http(server.url, { idempotencyKeys: 'k' as never })).toThrow(TypeError);
  });

  it('tells the server when an earlier attempt may have been executed, and only then', async () => {
    await using server = await scriptedHttp(
      (heard, response, count) => {
        if (count === 1) answer(response, 'later', 429, { 'retry-after': '0' });
        else if (count === 2) response.destroy();
        else succeed(heard, response);
      },
      undefined,
      [KEYED],
    );
    const client = http(server.url, { tellServer: false });
    await client.connect();
    await client.listTools();
    expect(await client.call({ name: 'pay' })).toMatchObject({ ok: true, attempts: 3 });
    await client.close();
    const told = server.heard
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => params?._meta?.['dev.mayday/executed']);
    expect(told).toEqual([undefined, undefined, 'maybe']);
  });

  it('tells the server of a key that it made itself that nothing was executed under it', async () => {
    await using server = await scriptedHttp(
      (heard, response, count) => {
        if (count === 1) answer(response, 'later', 429, { 'retry-after': '0' });
        else if (count === 2) response.destroy();
        else succeed(heard, response);
      },
      undefined,
      [KEYED],
    );
    const client = http(server.url);
    await client.connect();
    await client.listTools();
    expect(await client.call({ name: 'pay' })).toMatchObject({ ok: true, attempts: 3 });
    await client.call({ name: 'pay' }, { idempotencyKey: 'order-7' });
    await client.close();
    const told = server.heard
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => params?._meta?.['dev.mayday/executed']);
    expect(told).toEqual(['no', 'no', 'maybe', undefined]);
  });

  it.each<[string, (string | undefined)[], (response: ServerResponse, heard: Heard) => void]>([
    ['may have been executed', [undefined, 'maybe', 'maybe'], (response) => response.destroy()],
    ['was refused', [undefined, undefined, undefined], (response) => answer(response, 'later', 429)],
  ])('tells the server when an earlier call under the key %s', async (_what, expected, fail) => {
    await using server = await scriptedHttp((heard, response, count) => {
      if (count === 1) fail(response, heard);
      else succeed(heard, response);
    });
    const client = http(server.url);
    await client.connect();
    const pay = (idempotencyKey: string, name = 'pay') =>
      client.call({ name }, { idempotencyKey, attempts: 1 });
    expect(await pay('order-7')).toMatchObject({ ok: false });
    await pay('order-7');
    await pay('order-7');
    await pay('order-8');
    await pay('order-7', 'refund');
    await client.close();
    const told = server.heard
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => params?._meta?.['dev.mayday/executed']);
    expect(told).toEqual([...expected, undefined, undefined]);
  });

  it('keeps it in mind when the next call under the key was refused', async () => {
    await using server = await scriptedHttp((heard, response, count) => {
      if (count === 1) response.destroy();
      else if (count === 2) answer(response, 'later', 429);
      else succeed(heard, response);
    });
    const client = http(server.url);
    await client.connect();
    for (let i = 0; i < 3; i++) await client.call({ name: 'pay' }, { idempotencyKey: 'k', attempts: 1 });
    await client.close();
    expect(server.heard.at(-1)?.params?._meta).toMatchObject({ 'dev.mayday/executed': 'maybe' });
  });

  it('makes keys after a new session as well, and repeats nothing on them until tools are listed', async () => {
    await using server = await scriptedHttp((_heard, response) => response.destroy(), undefined, [KEYED]);
    const client = http(server.url);
    await client.connect();
    await client.listTools();
    await client.close();
    await client.connect();
    expect(await client.call({ name: 'pay' })).toMatchObject({ ok: false, attempts: 1 });
    await client.close();
    expect(server.heard.at(-1)?.params?._meta?.[KEY]).toMatch(/^[\da-f-]{36}$/);
  });

  it('makes them as it is told', async () => {
    let made = 0;
    const { keys } = await keysOf({ idempotencyKeys: () => `order-${++made}` });
    expect(keys).toEqual(['order-1', 'order-1', 'order-2']);
  });

  it.each([
    ['it is told not to', { idempotencyKeys: false }, [KEYED]],
    ['tools are not believed', { trustAnnotations: false }, [KEYED]],
    ['the tool does not say that it takes them', {}, [{ ...KEYED, _meta: { [KEY]: 'yes' } }]],
  ])('makes none when %s, and repeats no write', async (_, options, tools) => {
    const { keys, ok } = await keysOf(options, 'pay', tools);
    expect(keys).toEqual([undefined, undefined]);
    expect(ok).toEqual([false, true]);
  });

  it('goes by a key that the caller put into `_meta`', async () => {
    await using server = await scriptedHttp((heard, response, count) => {
      if (count === 1) response.destroy();
      else succeed(heard, response);
    });
    const client = http(server.url);
    await client.connect();
    const params = { name: 'write', _meta: { [KEY]: 'mine' } };
    expect(await client.call(params as never)).toMatchObject({ ok: true, attempts: 2 });
    await client.close();
    expect(server.heard.at(-1)?.params?._meta).toMatchObject({ [KEY]: 'mine' });
  });
});

describe.each(FLAVOURS)('$name, told to send once', ({ http }) => {
  it.each([
    [{ tools: { read: { once: true } } }, {}],
    [{}, { once: true }],
  ])('sends once, whatever is known about the failure: %j %j', async (options, extras) => {
    await using server = await scriptedHttp((_, response) =>
      answer(response, 'later', 429, { 'retry-after': '0' }),
    );
    const client = http(server.url, options);
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: 'read' }, extras);
    await client.close();
    expect(server.calls('read')).toBe(1);
    expect(outcome).toMatchObject({
      ok: false,
      reason: 'Not tried again: the call is to be sent once at most',
    });
  });
});

describe.each(FLAVOURS)('$name, with a judgement of one’s own', ({ http }) => {
  it('repeats an HTTP 500 on a read, and on no write', async () => {
    await using server = await scriptedHttp((heard, response, count) => {
      if (count === 1) answer(response, 'oops', 500);
      else succeed(heard, response);
    });
    const retryIf = ({ kind }: { kind: string }) => kind === 'internal' || undefined;
    const client = http(server.url, { retryIf });
    await client.connect();
    await client.listTools();
    expect(await client.call({ name: 'read' })).toMatchObject({ ok: true, attempts: 2 });
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: false, attempts: 1 });
    await client.close();
  });
});
