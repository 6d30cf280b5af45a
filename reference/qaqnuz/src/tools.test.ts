import { post, rpcResponse } from '@mayday/reference-shared/testing';
import { digestKey } from '@mayday/server';
import { describe, expect, it } from 'vitest';
import { startPlatform, textOf } from '../test/platform.ts';
import { isReachable, TOOLS } from './tools.ts';

/** Every tool: its stability, what it needs, whom it is for, and what it takes. */
const FACTS: readonly (readonly [
  name: string,
  stability: string,
  scope: string,
  reach: string | undefined,
  governed: boolean | undefined,
  takes: string,
])[] = [
  ['find_contacts', 'stable', 'contacts.read', undefined, undefined, 'name'],
  ['get_contact', 'stable', 'contacts.read', undefined, undefined, 'id'],
  ['add_contact', 'stable', 'contacts.write', undefined, undefined, 'name email?'],
  ['check_stock', 'beta', 'stock.read', undefined, undefined, 'sku'],
  ['issue_refund', 'stable', 'payments.refund', undefined, true, 'order amount_cents'],
  ['export_contacts', 'deprecated', 'contacts.export', 'disabled', undefined, ''],
  ['impersonate_user', 'stable', 'users.impersonate', 'sensitive', undefined, 'user'],
];

describe('the tools', () => {
  it('are these', () => {
    const rows = Object.entries(TOOLS).map(([name, { description, scope, reach, governed, input }]) => {
      const takes = Object.entries(input.shape).map(
        ([field, schema]) => `${field}${schema.safeParse(undefined).success ? '?' : ''}`,
      );
      const stability = /^\[(\w+)\] [A-Z][^.]+\./.exec(description)?.[1];
      return [name, stability, scope, reach, governed, takes.join(' ')];
    });
    expect(rows).toEqual(FACTS);
  });

  it.each([
    ['find_contacts', [{ name: 'a' }, { name: 'a'.repeat(100) }], [{ name: '' }, { name: 'a'.repeat(101) }]],
    [
      'add_contact',
      [{ name: 'a' }, { name: 'a'.repeat(100), email: 'a@b.mx' }],
      [{ name: '' }, { name: 'a'.repeat(101) }, { name: 'a', email: 'a' }],
    ],
    ['check_stock', [{ sku: 'a' }, { sku: 'a'.repeat(64) }], [{ sku: '' }, { sku: 'a'.repeat(65) }]],
    [
      'issue_refund',
      [
        { order: 'a', amount_cents: 1 },
        { order: 'a'.repeat(64), amount_cents: 1 },
      ],
      [
        { order: '', amount_cents: 1 },
        { order: 'a'.repeat(65), amount_cents: 1 },
        { order: 'a', amount_cents: 0 },
        { order: 'a', amount_cents: 1.5 },
      ],
    ],
  ])('%s has its bounds', (name, taken, refused) => {
    const fits = (args: object) => TOOLS[name]?.input.safeParse(args).success;
    expect(taken.map(fits)).toEqual(taken.map(() => true));
    expect(refused.map(fits)).toEqual(refused.map(() => false));
  });

  it('are reached by their scope alone, and those for nobody by none', () => {
    const reached = (...scopes: string[]) =>
      FACTS.map(([name]) => name).filter((name) => isReachable(TOOLS[name] as never, scopes));
    expect(reached('contacts.read')).toEqual(['find_contacts', 'get_contact']);
    expect(reached('contacts.export', 'users.impersonate', 'contacts')).toEqual([]);
  });

  it('are listed with what they take, for who can reach them', async () => {
    const { url, key, store } = await startPlatform();
    const caller = key();
    const ask = async (authorization: string, method: string, params = {}) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return (await rpcResponse(await post(url, body, { authorization }))).result;
    };
    const { tools } = await ask(`Bearer ${key(['stock.read'])}`, 'tools/list');
    expect(tools).toMatchObject([
      {
        name: 'check_stock',
        description: '[beta] Asks the provider how many pieces of a product there are.',
        inputSchema: {
          type: 'object',
          properties: { sku: { type: 'string', minLength: 1, maxLength: 64 } },
        },
        annotations: { readOnlyHint: true },
      },
    ]);
    const writers = await ask(`Bearer ${key(['contacts.write'])}`, 'tools/list');
    expect(writers.tools).toMatchObject([{ name: 'add_contact', annotations: { readOnlyHint: false } }]);
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    expect((await ask('', 'initialize', hello)).serverInfo).toEqual({ name: 'qaqnuz', version: '1.0.0' });
    Object.assign(store.keys, {
      lookup: () => {
        throw new Error('disk full');
      },
    });
    expect(await ask(`Bearer ${caller}`, 'tools/list')).toEqual({ tools: [] });
  });
});

describe('what an operator reads', () => {
  it('names that a caller made up have at most 200 characters', async () => {
    const { key, call, store } = await startPlatform();
    const caller = key();
    for (const length of [200, 201]) await call(caller, 'x'.repeat(length));
    expect(store.audit.latest(2).map(({ tool }) => tool)).toEqual(['x'.repeat(200), `${'x'.repeat(199)}…`]);
  });

  it('a call that cannot be written down is in the log, and its outcome is what it is', async () => {
    const { key, call, store, log } = await startPlatform();
    const caller = key();
    Object.assign(store.audit, {
      add: () => {
        throw new Error('disk full');
      },
    });
    expect((await call(caller, 'find_contacts', { name: 'a' })).result.isError).toBe(false);
    expect(log).toMatchObject([
      { message: 'A call is missing in the audit log', fields: { tool: 'find_contacts' } },
    ]);
  });

  it('QA-9 flawed arguments are said one by one, in 500 characters', async () => {
    const { key, call } = await startPlatform();
    const said = textOf(await call(key(), 'add_contact', { name: '', email: 7, ['x'.repeat(600)]: 1 }));
    expect(said).toMatch(/^Invalid arguments\. name: .+; email: .+; Unrecognized key: "x+$/);
    expect(said).toHaveLength('Invalid arguments. '.length + 500);
  });
});

describe('a key', () => {
  it('is kept as its digest, for a brand, with scopes and an end', async () => {
    const { store } = await startPlatform();
    const { id, key } = store.keys.issue('acme', ['contacts.read', 'stock.read'], 5);
    expect([id, key]).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}$/),
      expect.stringMatching(/^qx_live_[\w-]{32}$/),
    ]);
    expect(store.keys.lookup(digestKey(key))).toEqual({
      principal: `acme/${id}`,
      scopes: ['contacts.read', 'stock.read'],
      revoked: false,
      expiresAt: 5,
    });
    expect(store.keys.lookup('nobody')).toBeUndefined();
    expect([store.keys.revoke(id), store.keys.revoke('nobody')]).toEqual([true, false]);
    expect(store.keys.lookup(digestKey(key))?.revoked).toBe(true);
    expect([store.keys.entitle('acme', true), store.keys.entitle('nobody', true)]).toEqual([true, false]);
  });

  it('of a brand sees its contacts alone, fifty at a time', async () => {
    const { contacts } = (await startPlatform()).store;
    for (let n = 0; n < 51; n++) contacts.add('acme', { name: `Ada ${n}` });
    const bob = contacts.add('other', { name: 'Bob', email: 'b@b.mx' });
    expect(bob).toEqual({ id: expect.stringMatching(/^con_[0-9a-f]{12}$/), name: 'Bob', email: 'b@b.mx' });
    expect([contacts.search('acme', 'ADA').length, contacts.search('other', 'a').length]).toEqual([50, 0]);
    expect([contacts.get('other', bob.id), contacts.get('acme', bob.id)]).toEqual([bob, undefined]);
  });
});
