/** What functions of the operator's answer: what is not understood lets nobody through, and the operator is told. */
import { fault } from '@mayday/core';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { concurrency, type Guard, type GuardOptions, guard, keys, rateLimit, scopes } from '../src/index.ts';
import { guard as guardV1 } from '../src/v1.ts';
import { connectRaw } from './wire.ts';

const work = async () => ({ content: [{ type: 'text' as const, text: 'RAN' }] });

const served = {
  v2: (options: GuardOptions) => {
    const server = guard(new McpServer({ name: 's', version: '1' }), options);
    server.registerTool('refund', {}, work);
    return server;
  },
  v1: (options: GuardOptions) => {
    const server = guardV1(new McpServerV1({ name: 's', version: '1' }), options);
    server.registerTool('refund', {}, work);
    return server;
  },
};

describe.each(['v2', 'v1'] as const)('on %s', (sdk) => {
  const asked = async (guards: readonly Guard[], method = 'tools/call') => {
    const log: { readonly err?: unknown }[] = [];
    const note = (fields: object) => void log.push(fields);
    const options = { guards, logger: { error: note, warn: note } };
    const { ask } = await connectRaw(served[sdk](options) as never);
    const answer = await ask(method, method === 'tools/call' ? { name: 'refund' } : {});
    return { text: JSON.stringify(answer), log: log.map(({ err }) => String(err)) };
  };
  const lookedUp = (record: unknown) =>
    asked([
      keys({ lookup: () => record as never, from: () => 'qx_live_good' }),
      scopes({ required: { refund: ['orders.refund'] } }),
    ]);

  it('a key that a database has revoked or expired is answered as one that nobody has', async () => {
    const record = { principal: 'ada', scopes: 'orders.refund' };
    expect((await lookedUp(record)).text).toContain('RAN');
    const { text: unknown } = await lookedUp(undefined);
    expect(unknown).toContain('Unauthorized');
    for (const answer of [
      null,
      [],
      false,
      {},
      { ...record, revoked: 1 },
      { ...record, expiresAt: '2020-01-01 00:00:00' },
      { ...record, expiresAt: 'soon' },
    ])
      expect((await lookedUp(answer)).text).toBe(unknown);
  });

  it('the log says what a record should be', async () => {
    const { log, text } = await lookedUp({ principal: 'ada', expiresAt: 'soon' });
    expect(log).toEqual([
      expect.stringContaining('Expected `expiresAt` of a key to be milliseconds, a Date'),
    ]);
    expect(text).not.toContain('expiresAt');
  });

  it.each(['orders.refund_readonly', '["x.orders.refund"]'])(
    'scopes %j do not give a part of them',
    async (held) => {
      expect((await lookedUp({ principal: 'ada', scopes: held })).text).toContain(
        'Missing scope orders.refund',
      );
    },
  );

  it.each<[string, () => Guard, string]>([
    ['a place', () => concurrency({ limit: 1, store: { acquire: () => true as never } }), '`acquire`'],
    ['a count', () => concurrency({ limit: 1, per: () => ({}) as never }), '`per`'],
    ['a rate', () => rateLimit({ limit: 1, windowMs: 1000, per: async () => 'x' } as never), '`per`'],
    ['what is required', () => scopes({ required: () => 'orders.refund' as never }), '`required`'],
  ])('%s that nobody can go by is no fault of the caller’s', async (_what, made, named) => {
    const { text, log } = await asked([made()]);
    expect(text).toContain('Internal error');
    expect(text).not.toContain('Expected');
    expect(log).toEqual([expect.stringContaining(`Expected ${named} to give`)]);
  });

  it.each([null, false])('a store of places that says %s has none', async (answer) => {
    const store = { acquire: () => answer as never };
    expect((await asked([concurrency({ limit: 1, store })])).text).toContain('Too many calls at once');
  });

  const no = () => fault.forbidden('Not for you');
  it.each<[string, () => unknown]>([
    ['a fault', no],
    ['a promise of a fault', async () => no()],
  ])('a guard that gives back %s has refused', async (_what, before) => {
    const { text } = await asked([{ name: 'own', before: before as never }]);
    expect(text).toContain('Not for you');
    expect(text).not.toContain('RAN');
    expect(text).toContain('"executed":"no"');
  });

  it.each<[string, () => unknown]>([
    ['false', () => false],
    ['a promise of false', async () => false],
    ['a text', () => 'no'],
    ['an object', () => ({ allowed: false })],
  ])('a guard that gives back %s lets nobody through, and the operator is told', async (_what, before) => {
    const { text, log } = await asked([{ name: 'own', before: before as never }]);
    expect(text).toContain('Internal error');
    expect(log).toEqual([
      expect.stringContaining('Expected `before` to throw a fault, or to give nothing, got '),
    ]);
  });

  it.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['true', () => true],
    ['a promise of nothing', async () => undefined],
  ])('a guard that gives back %s lets through', async (_what, before) => {
    expect((await asked([{ name: 'own', before: before as never }])).text).toContain('RAN');
  });

  it('an error that a guard gives back is as one that it throws', async () => {
    const given = await asked([{ name: 'own', before: (() => new Error('Order 7 not found')) as never }]);
    const thrown = await asked([
      {
        name: 'own',
        before: () => {
          throw new Error('Order 7 not found');
        },
      },
    ]);
    const bare = ({ text }: { text: string }) => text.replace(/[0-9a-f-]{36}/g, '');
    expect(bare(given)).toBe(bare(thrown));
  });

  it('a result that a guard gives a fault for does not go out', async () => {
    const { text } = await asked([{ name: 'own', result: no as never }]);
    expect(text).toContain('Not for you');
    expect(text).not.toContain('RAN');
    expect((await asked([{ name: 'own', result: (() => false) as never }])).text).not.toContain('RAN');
  });

  it.each<[string, () => unknown]>([
    ['a promise', async () => false],
    ['a text', () => 'no'],
    ['1', () => 1],
  ])('a guard whose `hides` gives %s hides the tool, and the operator is told once', async (_what, hides) => {
    const { text, log } = await asked([{ name: 'own', hides: hides as never }], 'tools/list');
    expect(text).not.toContain('refund');
    expect(log).toEqual([expect.stringContaining('Expected `hides` to ')]);
  });

  it.each([false, undefined, null, 0, ''])('a guard whose `hides` gives %j hides nothing', async (answer) => {
    const { text, log } = await asked([{ name: 'own', hides: () => answer as never }], 'tools/list');
    expect(text).toContain('refund');
    expect(log).toEqual([]);
  });
});
