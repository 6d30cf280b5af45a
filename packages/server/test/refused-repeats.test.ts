/** Repeats under a key that are refused before anybody looks at the key: what became of the first is not denied. */
import { fault } from '@mayday/core';
import { guardHandler } from '@mayday/server/http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../src/clock.ts';
import { createMemoryIdempotency, type Guard, type GuardOptions, guard, keys, scopes } from '../src/index.ts';
import { KEY } from './till.ts';
import { answerOf, faultIn, httpRequest } from './wire.ts';

const MAYBE = { 'dev.mayday/executed': 'maybe' };
const record = { principal: 'ann', id: 'ann', scopes: ['pay'] };

interface Shop {
  readonly paid: unknown[];
  /** From here on the callers cannot be looked up, or are refused. */
  spoil(): void;
  pay(key: string, meta?: object, bearer?: string): Promise<unknown>;
}

function shop(guards: (isSpoilt: () => boolean) => readonly Guard[], options: GuardOptions = {}): Shop {
  let isSpoilt = false;
  const paid: unknown[] = [];
  const handler = guardHandler(
    createMcpHandler(() => {
      const server = guard(new McpServer({ name: 'shop', version: '1' }), {
        ...options,
        guards: guards(() => isSpoilt),
      });
      server.registerTool('pay', {}, async () => {
        paid.push(1);
        return { content: [] };
      });
      return server;
    }),
  );
  return {
    paid,
    spoil: () => {
      isSpoilt = true;
    },
    async pay(key, meta = {}, bearer = 'abcdefghijklmnopqrstuvwxyz0123456789') {
      const params = { name: 'pay', arguments: {}, _meta: { [KEY]: key, ...meta } };
      const headers = { authorization: `Bearer ${bearer}` };
      const answer = await answerOf(handler.fetch(httpRequest('2025-11-25', 'tools/call', params, headers)));
      return faultIn(answer?.message);
    },
  };
}

const door = (refuse: () => never) => (isSpoilt: () => boolean) => [
  {
    name: 'door',
    before() {
      if (isSpoilt()) refuse();
    },
  },
];

const WAYS: { readonly [what: string]: (isSpoilt: () => boolean) => readonly Guard[] } = {
  'callers cannot be looked up': (isSpoilt) => [
    keys({
      lookup() {
        if (isSpoilt()) throw new Error('connect ECONNREFUSED 10.0.0.5');
        return record;
      },
    }),
  ],
  'the key was revoked': (isSpoilt) => [keys({ lookup: () => ({ ...record, revoked: isSpoilt() }) })],
  'the key is gone': (isSpoilt) => [keys({ lookup: () => (isSpoilt() ? undefined : record) })],
  'scopes were lost': (isSpoilt) => [
    keys({ lookup: () => ({ ...record, scopes: isSpoilt() ? [] : ['pay'] }) }),
    scopes({ required: { pay: ['pay'] } }),
  ],
  'a guard of its own is busy': door(() => {
    throw fault.overloaded('Too busy');
  }),
  'a guard of its own fails': door(() => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }),
};

describe.each(Object.entries(WAYS))('%s', (_, guards) => {
  it.each([
    ['says nothing', {}],
    ['says `maybe`', MAYBE],
    ['counts, and says `maybe`', { ...MAYBE, 'dev.mayday/attempt': 2, 'dev.mayday/call': 'c' }],
  ])('of a payment that is made, where the caller %s', async (_how, meta) => {
    const { paid, pay, spoil } = shop(guards);
    const key = crypto.randomUUID();
    await pay(key);
    expect(paid).toHaveLength(1);
    spoil();
    const told = await pay(key, meta);
    expect(told).toMatchObject({
      executed: 'maybe',
      advice: expect.stringContaining('It may have happened'),
    });
    expect(paid).toHaveLength(1);
  });

  it('of a call that says `maybe`, and of which nothing is known here', async () => {
    const { pay, spoil } = shop(guards);
    spoil();
    expect(await pay(crypto.randomUUID(), MAYBE)).toMatchObject({ executed: 'maybe' });
  });

  it('says `no` of a first attempt by somebody who counts, and knows all that was done under the key', async () => {
    const { pay, spoil } = shop(guards);
    spoil();
    const counted = { 'dev.mayday/attempt': 1, 'dev.mayday/call': 'c', 'dev.mayday/executed': 'no' };
    expect(await pay(crypto.randomUUID(), counted)).toMatchObject({ executed: 'no' });
  });

  it('of a payment that is made, where both sides were started anew since, and count from 1 again', async () => {
    const idempotency = { store: createMemoryIdempotency() };
    const before = shop(guards, { idempotency, clock: { ...systemClock } });
    const key = crypto.randomUUID();
    await before.pay(key, { 'dev.mayday/attempt': 1, 'dev.mayday/call': 'b' });
    expect(before.paid).toHaveLength(1);
    const after = shop(guards, { idempotency, clock: { ...systemClock } });
    after.spoil();
    expect(await after.pay(key, { 'dev.mayday/attempt': 1, 'dev.mayday/call': 'c' })).toMatchObject({
      executed: 'maybe',
      advice: expect.stringContaining('It may have happened'),
    });
    expect(after.paid).toHaveLength(0);
  });
});

it('tells nobody of the keys of others: all who cannot be named are told the same', async () => {
  const { pay, spoil } = shop((isSpoilt) => [keys({ lookup: () => (isSpoilt() ? undefined : record) })]);
  await pay('k');
  spoil();
  const others = 'zyxwvutsrqponmlkjihgfedcba9876543210';
  const { correlation_id: _a, ...known } = (await pay('k', {}, others)) as { correlation_id: string };
  const { correlation_id: _b, ...unknown } = (await pay('other', {}, others)) as { correlation_id: string };
  expect(known).toEqual(unknown);
  expect(known).toMatchObject({ kind: 'unauthenticated', executed: 'maybe' });
});

it('says `no` where the caller is named, and nothing was made under the key', async () => {
  const { pay } = shop(() => [keys({ lookup: () => record }), scopes({ required: { pay: ['more'] } })]);
  expect(await pay('unheard of')).toMatchObject({ kind: 'forbidden', executed: 'no' });
});

it('says `maybe` where another process on the same store may have made it', async () => {
  const store = createMemoryIdempotency();
  const { pay } = shop(() => [keys({ lookup: () => record }), scopes({ required: { pay: ['more'] } })], {
    idempotency: { store },
  });
  expect(await pay('k')).toMatchObject({ kind: 'forbidden', executed: 'maybe' });
});
