/** Exactly once for calls that carry a key, by default: stored, joined, or a conflict. */
import { fault, makeFault, toDocument } from '@mayday/core';
import { createMemoryIdempotency } from '@mayday/policy';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { approval, createMemoryApprovals, type GuardOptions, guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { ask, connectRaw, faultIn, textOf } from './wire.ts';

const KEY = 'dev.mayday/idempotency-key';

interface Till {
  readonly paid: number[];
  pay(amount: number, key?: unknown, more?: object): Promise<Message>;
}

/** A till that books first, and then does what it is told. */
async function till(afterwards: () => unknown = () => undefined, options?: GuardOptions): Promise<Till> {
  const paid: number[] = [];
  const server = guard(new McpServer({ name: 'till', version: '1' }), options);
  server.registerTool('pay', { inputSchema: z.object({ amount: z.number() }) }, async ({ amount }) => {
    paid.push(amount);
    await afterwards();
    return { content: [{ type: 'text', text: `paid ${amount}, receipt ${paid.length}` }] };
  });
  const client = await connectRaw(server);
  return {
    paid,
    pay: (amount, key, more = {}) =>
      client.ask('tools/call', {
        name: 'pay',
        arguments: { amount },
        ...(key === undefined ? {} : { _meta: { [KEY]: key, ...more } }),
      }),
  };
}

const said = (message: Message): string => textOf({ message });

describe('a call with a key', () => {
  it('is done once: a repeat gets the stored answer', async () => {
    const { pay, paid } = await till();
    const first = await pay(5, 'k');
    expect(said(first)).toBe('paid 5, receipt 1');
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
  });

  it('is done again under another key, and each time without one', async () => {
    const { pay, paid } = await till();
    await pay(5, 'k');
    await pay(5, 'l');
    await pay(5);
    await pay(5);
    expect(paid).toHaveLength(4);
  });

  it('is joined while it runs', async () => {
    let finish: () => void = () => {};
    const { pay, paid } = await till(() => new Promise<void>((resolve) => (finish = resolve)));
    const both = [pay(5, 'k'), pay(5, 'k')];
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(paid).toEqual([5]);
    finish();
    expect((await Promise.all(both)).map(said)).toEqual(['paid 5, receipt 1', 'paid 5, receipt 1']);
  });

  it('with other arguments is a conflict, and nothing is done', async () => {
    const { pay, paid } = await till();
    await pay(5, 'k');
    const other = await pay(6, 'k');
    expect(faultIn(other)).toMatchObject({ kind: 'conflict', executed: 'no', subject: { type: 'key' } });
    expect(paid).toEqual([5]);
  });

  it.each([
    ['in words', {}],
    [
      'in a document',
      { _meta: { 'dev.mayday/fault': toDocument(makeFault({ kind: 'unavailable', executed: 'maybe' })) } },
    ],
  ])('that returned a failure %s says in a repeat that asking again does not help', async (_, more) => {
    const server = guard(new McpServer({ name: 'till', version: '1' }));
    const content = [{ type: 'text' as const, text: 'fetch failed: 503 Service Unavailable' }];
    server.registerTool('pay', {}, async () => ({ isError: true, content, ...more }));
    const client = await connectRaw(server);
    const pay = () => client.ask('tools/call', { name: 'pay', arguments: {}, _meta: { [KEY]: 'k' } });
    const [first, second] = [await pay(), await pay()];
    expect(faultIn(first)).toMatchObject({ kind: 'unavailable', retryable: true });
    expect(faultIn(second)).toMatchObject({ kind: 'unavailable', retryable: false, executed: 'maybe' });
    expect(said(second)).toContain('503 Service Unavailable');
  });

  it("that returned somebody else's declaration that nothing was done is not done again", async () => {
    const server = guard(new McpServer({ name: 'till', version: '1' }));
    const document = toDocument(makeFault({ kind: 'unavailable', executed: 'no' }));
    const content = [{ type: 'text' as const, text: 'The bank is down' }];
    let times = 0;
    server.registerTool('pay', {}, async () => {
      times += 1;
      return { isError: true, content, _meta: { 'dev.mayday/fault': document } };
    });
    const client = await connectRaw(server);
    const pay = () => client.ask('tools/call', { name: 'pay', arguments: {}, _meta: { [KEY]: 'k' } });
    expect(faultIn(await pay())).toMatchObject({ kind: 'unavailable', retryable: true, executed: 'maybe' });
    expect(faultIn(await pay())).toMatchObject({ kind: 'unavailable', retryable: false, executed: 'maybe' });
    expect(times).toBe(1);
  });

  it('that threw with the word of its author that nothing was done can be done again', async () => {
    let times = 0;
    const { pay, paid } = await till(() => {
      if (++times === 1) throw fault.unavailable('The bank is closed', { executed: 'no' });
    });
    expect(faultIn(await pay(5, 'k'))).toMatchObject({ kind: 'unavailable', executed: 'no' });
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 2');
    expect(paid).toEqual([5, 5]);
  });

  it('that failed after it began is not done again', async () => {
    const { pay, paid } = await till(() => {
      throw Object.assign(new Error('the mail failed'), { status: 503 });
    });
    const first = await pay(5, 'k');
    const second = await pay(5, 'k');
    expect(faultIn(first)).toMatchObject({ kind: 'unavailable', executed: 'maybe', retryable: true });
    expect(faultIn(second)).toMatchObject({ kind: 'unavailable', executed: 'maybe', retryable: false });
    expect(faultIn(second)['correlation_id']).toBe(faultIn(first)['correlation_id']);
    expect(paid).toEqual([5]);
  });

  it('that failed after it began says what to do: to look first, then to call anew', async () => {
    const { pay } = await till(() => {
      throw Object.assign(new Error('the mail failed'), { status: 503 });
    });
    await pay(5, 'k');
    expect(said(await pay(5, 'k'))).toBe(
      'Unavailable. It may have happened; check before you repeat a change.',
    );
  });

  it('that says it only reads, and that it is destructive, is not made again', async () => {
    let calls = 0;
    const server = guard(new McpServer({ name: 's', version: '1' }));
    const annotations = { readOnlyHint: true, destructiveHint: true };
    server.registerTool('wipe', { annotations }, async () => {
      calls += 1;
      throw new Error('down');
    });
    const client = await connectRaw(server);
    const params = { name: 'wipe', _meta: { [KEY]: 'k' } };
    await client.ask('tools/call', params);
    await client.ask('tools/call', params);
    expect(calls).toBe(1);
  });

  it('keeps its answer and its key when hooks of a guard throw', async () => {
    const seen: unknown[] = [];
    const broken = {
      name: 'broken',
      after() {
        throw new Error('after');
      },
      over() {
        throw new Error('over');
      },
    };
    const { pay, paid } = await till(() => undefined, {
      guards: [broken],
      onFault: ({ cause }) => void seen.push((cause as Error | undefined)?.message),
    });
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
    expect(seen).toContain('after');
    expect(seen).toContain('over');
  });

  it('that only reads is made again after a failure', async () => {
    let calls = 0;
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('look', { annotations: { readOnlyHint: true } }, async () => {
      if (++calls === 1) throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
      return { content: [{ type: 'text', text: 'found' }] };
    });
    const client = await connectRaw(server);
    const params = { name: 'look', _meta: { [KEY]: 'k' } };
    expect(faultIn(await client.ask('tools/call', params))).toMatchObject({ kind: 'unavailable' });
    expect(said(await client.ask('tools/call', params))).toBe('found');
  });

  it('that failed without doing anything, as its author says, may be made again', async () => {
    let broken = true;
    const { pay, paid } = await till(() => {
      if (broken) throw fault.unavailable('The till is closed', { executed: 'no' });
    });
    expect(faultIn(await pay(5, 'k'))).toMatchObject({ executed: 'no' });
    broken = false;
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 2');
    expect(paid).toEqual([5, 5]);
  });

  it('that was refused for its arguments is not remembered', async () => {
    const { pay, paid } = await till();
    expect(faultIn(await pay('x' as never, 'k'))).toMatchObject({ kind: 'invalid_arguments' });
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
  });

  it('that returned an error result gets the same result again', async () => {
    let calls = 0;
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('t', {}, async () => {
      calls++;
      return { isError: true, content: [{ type: 'text', text: `Order ${calls} not found` }] };
    });
    const client = await connectRaw(server);
    const params = { name: 't', _meta: { [KEY]: 'k' } };
    const answers = [await client.ask('tools/call', params), await client.ask('tools/call', params)];
    expect(answers.map((message) => said(message))).toEqual(['Order 1 not found', 'Order 1 not found']);
    expect(calls).toBe(1);
  });

  it('that returned an error which passes elsewhere is final under its key', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('t', {}, async () => ({
      isError: true,
      content: [{ type: 'text', text: 'Paid; the mail service is unavailable' }],
    }));
    const client = await connectRaw(server);
    const params = { name: 't', _meta: { [KEY]: 'k' } };
    const [first, again] = [await client.ask('tools/call', params), await client.ask('tools/call', params)];
    expect(faultIn(first)).toMatchObject({ kind: 'unavailable', retryable: true, executed: 'maybe' });
    expect(faultIn(again)).toMatchObject({ kind: 'unavailable', retryable: false, executed: 'maybe' });
    expect(again.result?.['content']).toEqual([
      { type: 'text', text: 'Paid; the mail service is unavailable' },
      { type: 'text', text: 'It may have happened; check before you repeat a change.' },
    ]);
  });

  it('goes on when its caller has stopped waiting, and is there for the repeat', async () => {
    let finish: () => void = () => {};
    const { pay, paid } = await till(() => new Promise<void>((resolve) => (finish = resolve)), {
      deadlineMs: 40,
    });
    expect(faultIn(await pay(5, 'k'))).toMatchObject({ kind: 'timeout', executed: 'maybe' });
    finish();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
  });

  it('is refused when the key cannot be one', async () => {
    const { pay, paid } = await till();
    expect(faultIn(await pay(5, 'x'.repeat(300)))).toMatchObject({
      kind: 'invalid_arguments',
      executed: 'no',
    });
    expect(faultIn(await pay(5, ''))).toMatchObject({ kind: 'invalid_arguments' });
    expect(faultIn(await pay(5, { toString: 1 }))).toMatchObject({ kind: 'invalid_arguments' });
    expect(paid).toEqual([]);
  });
});

describe('a repetition of a call that may have been executed', () => {
  const EXECUTED = 'dev.mayday/executed';

  it('is not made where nothing is known of the first: another process may have made it', async () => {
    const { pay, paid } = await till();
    const answer = await pay(5, 'k', { [EXECUTED]: 'maybe' });
    expect(faultIn(answer)).toMatchObject({ kind: 'disconnected', executed: 'maybe', retryable: false });
    expect(said(answer)).toBe(
      'Nothing is known here of the first call with this idempotency key; it was not made again. It may have happened; check before you repeat a change.',
    );
    expect(paid).toEqual([]);
  });

  it('gets the answer of the first where that is known', async () => {
    const { pay, paid } = await till();
    await pay(5, 'k');
    expect(said(await pay(5, 'k', { [EXECUTED]: 'maybe' }))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
  });

  it('is made where a shared store says that there was none', async () => {
    const store = createMemoryIdempotency();
    const { pay, paid } = await till(() => undefined, { idempotency: { store } });
    expect(said(await pay(5, 'k', { [EXECUTED]: 'maybe' }))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
  });
});

describe('the listing', () => {
  const list = async (options?: GuardOptions) => {
    const server = guard(new McpServer({ name: 's', version: '1' }), options);
    const work = async () => ({ content: [] });
    server.registerTool('pay', { _meta: { color: 'red' } }, work);
    server.registerTool('look', { annotations: { readOnlyHint: true } }, work);
    server.registerTool('own', { _meta: { [KEY]: false } }, work);
    const { result } = await (await connectRaw(server)).ask('tools/list');
    const tools = result?.['tools'] as { name: string; _meta?: object }[];
    return tools.map(({ name, _meta }) => [name, _meta]);
  };

  it('declares that tools which change something take keys', async () => {
    expect(await list()).toEqual([
      ['pay', { color: 'red', [KEY]: true }],
      ['look', undefined],
      ['own', { [KEY]: false }],
    ]);
  });

  it('declares nothing where keys are ignored', async () => {
    expect(await list({ idempotency: false })).toEqual([
      ['pay', { color: 'red' }],
      ['look', undefined],
      ['own', { [KEY]: false }],
    ]);
  });

  it('of a low-level server declares it too', async () => {
    const server = guard(new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } }));
    const inputSchema = { type: 'object' as const };
    server.setRequestHandler('tools/list', async () => ({ tools: [{ name: 'pay', inputSchema }] }));
    const { result } = await (await connectRaw(server)).ask('tools/list');
    expect(result?.['tools']).toEqual([{ name: 'pay', inputSchema, _meta: { [KEY]: true } }]);
  });

  it('keeps the author’s word: a tool that opts out is called each time', async () => {
    let calls = 0;
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('own', { _meta: { [KEY]: false } }, async () => {
      calls++;
      return { content: [] };
    });
    const client = await connectRaw(server);
    for (let i = 0; i < 2; i++) await client.ask('tools/call', { name: 'own', _meta: { [KEY]: 'k' } });
    expect(calls).toBe(2);
  });
});

describe('keys', () => {
  it('of a low-level server are honoured', async () => {
    let calls = 0;
    const server = guard(new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } }));
    server.setRequestHandler('tools/call', async () => ({
      content: [{ type: 'text', text: String(++calls) }],
    }));
    const client = await connectRaw(server);
    for (let i = 0; i < 3; i++) await client.ask('tools/call', { name: 't', _meta: { [KEY]: 'k' } });
    expect(calls).toBe(1);
  });

  it('of different connections are different keys', async () => {
    const [one, other] = [await till(), await till()];
    await one.pay(5, 'k');
    await other.pay(5, 'k');
    expect([one.paid, other.paid]).toEqual([[5], [5]]);
  });

  it('over stateless HTTP are those of their caller, whichever server answers', async () => {
    const paid: string[] = [];
    const options: GuardOptions = {};
    const factory = () => {
      const server = guard(new McpServer({ name: 's', version: '1' }), options);
      server.registerTool('pay', {}, async () => {
        paid.push('x');
        return { content: [{ type: 'text', text: `receipt ${paid.length}` }] };
      });
      return server;
    };
    const call = async (authorization: string) =>
      textOf(
        await ask(
          factory,
          '2026-07-28',
          'tools/call',
          { name: 'pay', _meta: { [KEY]: 'k' } },
          { authorization },
        ),
      );
    expect(await call('Bearer of-ada')).toBe('receipt 1');
    expect(await call('Bearer of-ada')).toBe('receipt 1');
    expect(await call('Bearer of-bob')).toBe('receipt 2');
  });

  it('are forgotten in time, and kept within bounds', async () => {
    let now = 1_000_000;
    const clock = { now: () => now, setTimeout: () => 0, clearTimeout: () => {} };
    const { pay, paid } = await till(() => undefined, {
      clock,
      deadlineMs: false,
      idempotency: { ttlMs: 1000 },
    });
    await pay(5, 'k');
    now += 999;
    await pay(5, 'k');
    expect(paid).toHaveLength(1);
    now += 10_000_000;
    await pay(5, 'k');
    expect(paid).toHaveLength(2);
  });

  it('can be kept elsewhere', async () => {
    const seen: string[] = [];
    const answers = new Map<string, { fingerprint: string; answer?: string }>();
    const store = {
      async claim({ key, fingerprint }: { key: string; fingerprint: string }) {
        const known = answers.get(key);
        if (known?.answer !== undefined)
          return { state: 'done' as const, fingerprint: known.fingerprint, answer: known.answer };
        answers.set(key, { fingerprint });
        return { state: 'claimed' as const };
      },
      async finish({ key, answer }: { key: string; answer: string }) {
        seen.push(answer);
        answers.set(key, { fingerprint: answers.get(key)?.fingerprint ?? '', answer });
      },
      async free() {},
    };
    const { pay, paid } = await till(() => undefined, { idempotency: { store } });
    expect([said(await pay(5, 'k')), said(await pay(5, 'k'))]).toEqual([
      'paid 5, receipt 1',
      'paid 5, receipt 1',
    ]);
    expect(paid).toEqual([5]);
    expect(seen).toHaveLength(1);
  });

  it('can be left alone', async () => {
    const { pay, paid } = await till(() => undefined, { idempotency: false });
    await pay(5, 'k');
    await pay(5, 'k');
    expect(paid).toHaveLength(2);
  });
});

describe('an approval', () => {
  const make = async () => {
    const store = createMemoryApprovals({ newId: () => 'apr_1' });
    return { store, ...(await till(() => undefined, { guards: [approval({ tools: ['pay'], store })] })) };
  };

  it('is asked for after the arguments were checked', async () => {
    const { store, pay } = await make();
    expect(faultIn(await pay('x' as never))).toMatchObject({ kind: 'invalid_arguments' });
    expect(store.waiting()).toEqual([]);
    expect(faultIn(await pay(5))).toMatchObject({ kind: 'approval_required', executed: 'no' });
    expect(store.waiting()).toHaveLength(1);
  });

  it('is needed once for a call with a key, however often it is repeated', async () => {
    const { store, pay, paid } = await make();
    expect(faultIn(await pay(5, 'k'))).toMatchObject({ kind: 'approval_required' });
    store.approve('apr_1');
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
    expect(faultIn(await pay(5))).toMatchObject({ kind: 'approval_required' });
  });

  it('is asked for tools that were registered before the guard, too', async () => {
    let ran = 0;
    const plain = new McpServer({ name: 's', version: '1' });
    plain.registerTool('pay', {}, async () => {
      ran++;
      return { content: [] };
    });
    const store = createMemoryApprovals({ newId: () => 'apr_1' });
    const client = await connectRaw(guard(plain, { guards: [approval({ tools: ['pay'], store })] }));
    expect(faultIn(await client.ask('tools/call', { name: 'pay' }))).toMatchObject({
      kind: 'approval_required',
    });
    expect(ran).toBe(0);
    store.approve('apr_1');
    await client.ask('tools/call', { name: 'pay' });
    expect(ran).toBe(1);
    expect(faultIn(await client.ask('tools/call', { name: 'pay' }))).toMatchObject({
      kind: 'approval_required',
    });
  });
});

describe('the caller’s deadline', () => {
  it('is obeyed: the answer is there in time, and the handler’s signal aborts', async () => {
    let signal: AbortSignal | undefined;
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('slow', {}, (ctx) => {
      signal = ctx.mcpReq.signal;
      return new Promise(() => {});
    });
    const client = await connectRaw(server);
    const deadline = Date.now() + 150;
    const answer = await client.ask('tools/call', {
      name: 'slow',
      _meta: { 'dev.mayday/deadline': deadline },
    });
    expect(Date.now()).toBeLessThanOrEqual(deadline);
    expect(faultIn(answer)).toMatchObject({ kind: 'timeout', executed: 'maybe' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal?.aborted).toBe(true);
  });

  it('that has passed already is not begun', async () => {
    const { pay, paid } = await till();
    const answer = await pay(5, 'k', { 'dev.mayday/deadline': Date.now() - 1000 });
    expect(faultIn(answer)).toMatchObject({ kind: 'timeout', executed: 'no' });
    expect(paid).toEqual([]);
  });

  it('never lengthens the server’s own', async () => {
    const { pay } = await till(() => new Promise(() => {}), { deadlineMs: 30 });
    const answer = await pay(5, 'k', { 'dev.mayday/deadline': Date.now() + 60_000 });
    expect(faultIn(answer)).toMatchObject({ kind: 'timeout', message: 'No answer within 30 ms' });
  });

  it.each(['soon', -1, Number.NaN, null, {}])('%o is none', async (deadline) => {
    const { pay } = await till();
    expect(said(await pay(5, 'k', { 'dev.mayday/deadline': deadline }))).toBe('paid 5, receipt 1');
  });
});
