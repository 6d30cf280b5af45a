/** Exactly once for calls that carry a key, by default: stored, joined, or a conflict. */
import { fault, makeFault, toDocument } from '@mayday/core';
import { createMemoryIdempotency } from '@mayday/policy';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { approval, createMemoryApprovals, guard } from '../src/index.ts';
import { KEY, said, till } from './till.ts';
import { connectRaw, faultIn } from './wire.ts';

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

  it.each([
    ['by default', undefined],
    ['in a store of its own', () => createMemoryIdempotency()],
  ])('that failed in words for the log is stored with the reference: %s', async (_where, makeStore) => {
    const server = new McpServer({ name: 's', version: '1' });
    const store = makeStore?.();
    const guarded = guard(server, store === undefined ? {} : { idempotency: { store } });
    guarded.registerTool('pay', {}, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('connect ECONNREFUSED 10.0.0.5:5432');
    });
    const { ask } = await connectRaw(guarded);
    const pay = () => ask('tools/call', { name: 'pay', arguments: {}, _meta: { [KEY]: 'k' } });
    const answers = [...(await Promise.all([pay(), pay()])), await pay()];
    const ids = answers.map((answer) => faultIn(answer)['correlation_id']);
    expect(new Set(ids).size).toBe(1);
    expect(said(answers[1] as never)).toContain('It may have happened; check before you repeat a change.');
    for (const answer of answers) expect(said(answer)).toContain(`Reference: ${ids[0]}.`);
  });

  it('that was executed, and whose answer cannot be used, is told in the same words again', async () => {
    const guarded = guard(new McpServer({ name: 's', version: '1' }));
    guarded.registerTool('pay', {}, () => ({ content: [], structuredContent: { amount: 1n } }));
    const { ask } = await connectRaw(guarded);
    const pay = () => ask('tools/call', { name: 'pay', arguments: {}, _meta: { [KEY]: 'k' } });
    const answers = [await pay(), await pay()];
    expect(answers.map((answer) => faultIn(answer)['executed'])).toEqual(['yes', 'yes']);
    expect(said(answers[1] as never)).toBe(said(answers[0] as never));
    expect(said(answers[1] as never)).toContain('It ran but its answer was unusable; do not repeat it');
  });

  it('that failed in words for its caller is stored without one', async () => {
    const guarded = guard(new McpServer({ name: 's', version: '1' }));
    guarded.registerTool('pay', {}, () => {
      throw new Error('Order 7 not found');
    });
    const { ask } = await connectRaw(guarded);
    const pay = () => ask('tools/call', { name: 'pay', arguments: {}, _meta: { [KEY]: 'k' } });
    for (const answer of [await pay(), await pay()]) {
      expect(said(answer)).toContain('Order 7 not found');
      expect(said(answer)).not.toContain('Reference');
    }
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
    const reference = faultIn(await pay(5, 'k'))['correlation_id'];
    expect(said(await pay(5, 'k'))).toBe(
      `Unavailable. It may have happened; check before you repeat a change. Reference: ${reference}.`,
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
      content: [{ type: 'text', text: 'The mail service is unavailable' }],
    }));
    const client = await connectRaw(server);
    const params = { name: 't', _meta: { [KEY]: 'k' } };
    const [first, again] = [await client.ask('tools/call', params), await client.ask('tools/call', params)];
    expect(faultIn(first)).toMatchObject({ kind: 'unavailable', retryable: true, executed: 'maybe' });
    expect(faultIn(again)).toMatchObject({ kind: 'unavailable', retryable: false, executed: 'maybe' });
    expect(again.result?.['content']).toEqual([
      { type: 'text', text: 'The mail service is unavailable' },
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

  it('is not made on another connection, whatever the store knows: keys of a connection are its own', async () => {
    const store = createMemoryIdempotency();
    const [first, second] = [
      await till(() => undefined, { idempotency: { store } }),
      await till(() => undefined, { idempotency: { store } }),
    ];
    await first.pay(5, 'k');
    const answer = await second.pay(5, 'k', { [EXECUTED]: 'maybe' });
    expect(faultIn(answer)).toMatchObject({ kind: 'disconnected', executed: 'maybe', retryable: false });
    expect(second.paid).toEqual([]);
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
