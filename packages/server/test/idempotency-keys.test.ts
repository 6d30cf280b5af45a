import { fault } from '@mayday/core';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type GuardOptions, guard } from '../src/index.ts';
import { KEY, said, till } from './till.ts';
import { ask, connectRaw, faultIn, textOf } from './wire.ts';

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

describe('a failure that is kept', () => {
  const limited = () => {
    throw Object.assign(new Error('Request failed with status code 429'), {
      status: 429,
      headers: { 'retry-after': '25' },
    });
  };
  it('says that no repetition of this call helps, and keeps the wait for the next one', async () => {
    const { pay } = await till(limited);
    const first = await pay(5, 'k');
    expect(faultIn(first)).toMatchObject({
      kind: 'rate_limited',
      retry: { when: 'after_wait', after_ms: 25_000, max_attempts: 0 },
    });
    expect(said(first)).toContain('Wait at least 25 s.');
  });

  it.each([
    ['without a key', () => till(limited).then(({ pay }) => pay(5))],
    [
      'of a call that goes on under its key',
      () => till(() => new Promise(() => undefined), { deadlineMs: 50 }).then(({ pay }) => pay(5, 'k')),
    ],
    [
      'of a call that did nothing',
      () =>
        till(() => {
          throw fault.unavailable('Closed', { executed: 'no' });
        }).then(({ pay }) => pay(5, 'k')),
    ],
  ])('says nothing of the kind %s', async (_, paid) => {
    const document = faultIn(await paid()) as { readonly retry: object };
    expect(document).toMatchObject({ retryable: true });
    expect(document.retry).not.toHaveProperty('max_attempts');
  });

  it('also when the handler returned it', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('pay', {}, async () => ({
      isError: true,
      content: [{ type: 'text', text: 'Service unavailable (503), please retry' }],
    }));
    const client = await connectRaw(server);
    const first = await client.ask('tools/call', { name: 'pay', _meta: { [KEY]: 'k' } });
    expect(faultIn(first)).toMatchObject({ kind: 'unavailable', retry: { max_attempts: 0 } });
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

  it('take no arguments and an empty list of them for the same', async () => {
    let calls = 0;
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('t', {}, async () => ({ content: [{ type: 'text', text: String(++calls) }] }));
    const client = await connectRaw(server);
    const _meta = { [KEY]: 'k' };
    const answers = [
      await client.ask('tools/call', { name: 't', _meta }),
      await client.ask('tools/call', { name: 't', arguments: {}, _meta }),
    ];
    expect(answers.map(said)).toEqual(['1', '1']);
  });

  describe('in a store that does not answer', () => {
    const hanging = () => {
      const freed: string[] = [];
      let answer: () => void = () => {};
      const claim = () =>
        new Promise<{ state: 'claimed' }>((resolve) => {
          answer = () => resolve({ state: 'claimed' });
        });
      const store = { claim, finish: async () => {}, free: async (key: string) => void freed.push(key) };
      return { store, freed, answer: () => answer() };
    };
    const soon = () => new Promise((resolve) => setTimeout(resolve, 10));

    it('are refused in time, and given back when it does', async () => {
      const { store, freed, answer } = hanging();
      const clock = {
        now: Date.now,
        setTimeout: (run: () => void, ms: number) => setTimeout(run, ms === 10_000 ? 5 : ms),
        clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
      };
      const { pay, paid } = await till(() => undefined, {
        clock,
        deadlineMs: 60_000,
        idempotency: { store },
      });
      const { result } = await pay(5, 'k');
      expect(result?.['_meta']).toMatchObject({
        'dev.mayday/fault': { kind: 'unavailable', executed: 'no' },
      });
      answer();
      await soon();
      expect([paid.length, freed.length]).toEqual([0, 1]);
    });

    it('are given back where only the word of a claim was lost', async () => {
      const claims = new Map<string, string | undefined>();
      const store = {
        claim: async ({ key, token }: { key: string; token?: string | undefined }) => {
          if (claims.has(key)) return { state: 'running' as const, fingerprint: '' };
          claims.set(key, token);
          throw new Error('connection closed');
        },
        finish: async () => {},
        free: async (key: string, token?: string) => void (claims.get(key) === token && claims.delete(key)),
      };
      const { pay } = await till(() => undefined, { idempotency: { store } });
      const { result } = await pay(5, 'k');
      expect(result?.['_meta']).toMatchObject({
        'dev.mayday/fault': { kind: 'unavailable', executed: 'no' },
      });
      await soon();
      expect([...claims]).toEqual([]);
    });

    it('begin nothing after the deadline', async () => {
      const { store, freed, answer } = hanging();
      const { pay, paid } = await till(() => undefined, { deadlineMs: 20, idempotency: { store } });
      await pay(5, 'k');
      answer();
      await soon();
      expect([paid.length, freed.length]).toEqual([0, 1]);
    });
  });

  it('can be left alone', async () => {
    const { pay, paid } = await till(() => undefined, { idempotency: false });
    await pay(5, 'k');
    await pay(5, 'k');
    expect(paid).toHaveLength(2);
  });
});

describe('a store that gives back something else than was kept', () => {
  const stored = (answer: string) => ({
    claim: ({ fingerprint }: { readonly fingerprint: string }) => ({
      state: 'done' as const,
      fingerprint,
      answer,
    }),
    finish() {},
    free() {},
  });

  it.each([
    '{"ok":true}',
    '{"ok":true,"value":{}}',
    '{"ok":true,"value":{"result":null}}',
    '{"ok":true,"value":{"result":5}}',
    '{"ok":true,"value":{"result":[]}}',
  ])('costs nobody an answer: %s', async (answer) => {
    const { pay, paid } = await till(() => undefined, { idempotency: { store: stored(answer) } });
    expect(faultIn(await pay(5, 'k'))).toMatchObject({ kind: 'conflict', executed: 'yes' });
    expect(paid).toEqual([]);
  });

  it('does not say that nothing was done, to whoever says that it may have been', async () => {
    const store = { ...stored(''), claim: () => Promise.reject(new Error('down')) };
    const { pay } = await till(() => undefined, { idempotency: { store } });
    const maybe = { 'dev.mayday/executed': 'maybe' };
    expect(faultIn(await pay(5, 'k'))).toMatchObject({ kind: 'unavailable', executed: 'no' });
    expect(faultIn(await pay(5, 'k', maybe))).toMatchObject({ kind: 'unavailable', executed: 'maybe' });
  });
});

describe('a call that is taken back while its arguments are looked at', () => {
  it('was not begun: a repeat under its key is made, once', async () => {
    const looked = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const inputSchema = z.object({}).refine(async () => {
      looked.resolve();
      await opened.promise;
      return true;
    });
    let paid = 0;
    const server = guard(new McpServer({ name: 'till', version: '1' }));
    server.registerTool('pay', { inputSchema }, async () => {
      paid++;
      return { content: [{ type: 'text', text: 'paid' }] };
    });
    const client = await connectRaw(server);
    const call = { name: 'pay', arguments: {}, _meta: { [KEY]: 'k' } };
    await client.send({ id: 'first', method: 'tools/call', params: call });
    await looked.promise;
    await client.send({ method: 'notifications/cancelled', params: { requestId: 'first' } });
    opened.resolve();
    expect(said(await client.ask('tools/call', call))).toBe('paid');
    expect(said(await client.ask('tools/call', call))).toBe('paid');
    expect(paid).toBe(1);
  });
});
