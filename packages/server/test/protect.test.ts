/** Guards around a function of one's own: they hold whatever the call is called, and however little is known of it. */
import { faultOf } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import {
  approval,
  type Call,
  concurrency,
  createMemoryApprovals,
  deadline,
  digestKey,
  type Guard,
  keys,
  protect,
  rateLimit,
  scopes,
  sizeLimits,
} from '../src/index.ts';

const CALLS: readonly Partial<Call>[] = [
  { name: 'pay' },
  { method: 'tools/call', name: 'pay' },
  { method: 'orders.pay', name: 'pay' },
  { method: 'POST /orders', name: 'pay', principal: 'ada' },
  { method: 'resources/read', name: 'pay' },
  { method: 'tasks/get', name: 'pay' },
  { method: 'ping', name: 'pay' },
];

const kindOf = (guards: readonly Guard[], call: Partial<Call>, run: () => unknown = () => 'done') =>
  protect(guards, call, run).then(
    () => undefined,
    (reason: unknown) => faultOf(reason)?.kind ?? String(reason),
  );

const slowly = () => new Promise((resolve) => setTimeout(resolve, 60));

describe.each(CALLS)('%j', (call) => {
  it('is held to a rate', async () => {
    const guards = [rateLimit({ limit: 1, windowMs: 60_000 })];
    expect([await kindOf(guards, call), await kindOf(guards, call)]).toEqual([undefined, 'rate_limited']);
  });

  it('needs scopes and consent', async () => {
    expect(await kindOf([scopes({ required: { pay: ['orders.pay'] } })], call)).toBe('forbidden');
    expect(
      await kindOf([scopes({ required: { pay: ['a'] }, opaque: true })], { ...call, scopes: ['a'] }),
    ).toBeUndefined();
    expect(await kindOf([approval({ tools: ['pay'], store: createMemoryApprovals() })], call)).toBe(
      'approval_required',
    );
  });

  it('without a key is nobody’s', async () => {
    expect(await kindOf([keys({ lookup: () => undefined })], call)).toBe('unauthenticated');
  });

  it('has a deadline', async () => {
    expect(await kindOf([deadline({ ms: 10 })], call, slowly)).toBe('timeout');
  });

  it('takes a place', async () => {
    const guards = [concurrency({ limit: 1 })];
    const kinds = await Promise.all([kindOf(guards, call, slowly), kindOf(guards, call, slowly)]);
    expect(kinds).toEqual([undefined, 'overloaded']);
  });

  it('has a size', async () => {
    const guards = [sizeLimits({ maxArgumentBytes: 20 })];
    expect(await kindOf(guards, call)).toBeUndefined();
    expect(await kindOf(guards, { ...call, arguments: { a: 'x'.repeat(30) } })).toBe('too_large');
  });

  it('is seen by a guard of one’s own', async () => {
    const own = { name: 'own', before: () => Promise.reject(new Error('no')) as never };
    expect(await kindOf([own], call)).toBe('Error: no');
  });
});

it('what a user says of methods counts', async () => {
  const guards = [rateLimit({ limit: 1, windowMs: 60_000, methods: ['orders.pay'] })];
  const kinds = [];
  for (const method of ['orders.look', 'orders.look', 'orders.pay', 'orders.pay'])
    kinds.push(await kindOf(guards, { method, name: 'x' }));
  expect(kinds).toEqual([undefined, undefined, undefined, 'rate_limited']);
  const tools = {
    name: 'own',
    methods: ['tools/call'],
    before: () => Promise.reject(new Error('no')) as never,
  };
  expect(await kindOf([tools], { method: 'orders.pay' })).toBeUndefined();
  expect(await kindOf([tools], { name: 'pay' })).toBe('Error: no');
});

it('counts each caller and function apart, as it does tools', async () => {
  const guards = [rateLimit({ limit: 1, windowMs: 60_000 })];
  const calls = [
    { name: 'pay' },
    { name: 'look' },
    { name: 'pay', principal: 'ada' },
    { method: 'orders.pay', name: 'pay' },
    { method: 'orders.pay' },
    { method: 'orders.look' },
  ];
  for (const call of calls) expect(await kindOf(guards, call)).toBeUndefined();
  for (const call of calls) expect(await kindOf(guards, call)).toBe('rate_limited');
});

it('fills in what is not known of a call', async () => {
  let seen: Call | undefined;
  const own: Guard = {
    name: 'own',
    before(call) {
      seen = call;
    },
  };
  expect(await protect([own], { name: 'pay', arguments: { amount: 5 } }, () => 'done')).toBe('done');
  expect(seen).toMatchObject({
    method: 'tools/call',
    name: 'pay',
    arguments: { amount: 5 },
    message: { jsonrpc: '2.0', method: 'tools/call', params: { name: 'pay', arguments: { amount: 5 } } },
    revision: '2026-07-28',
    auth: undefined,
    principal: undefined,
    scopes: [],
    tool: { enabled: true },
  });
  expect([seen?.header('authorization'), seen?.meta('x')]).toEqual([undefined, undefined]);
});

it('has the caller and the scopes of what the transport knows, and from `keys`', async () => {
  const auth = { token: 't', clientId: 'ada', scopes: ['orders.pay'] };
  const needs = [scopes({ required: { pay: ['orders.pay'] } })];
  expect(await kindOf(needs, { name: 'pay', auth })).toBeUndefined();
  const known = new Map([[digestKey('a-key-of-bob-1'), { principal: 'bob', scopes: ['orders.pay'] }]]);
  const call = { name: 'pay', tenant: 'acme', header: () => 'Bearer a-key-of-bob-1' } as Partial<Call>;
  const seen: unknown[] = [];
  const own: Guard = {
    name: 'own',
    before: (whole) => void seen.push(whole.principal, (whole as { tenant?: string }).tenant),
  };
  expect(
    await kindOf([keys({ lookup: (digest) => known.get(digest) }), ...needs, own], call),
  ).toBeUndefined();
  expect([seen, call.principal]).toEqual([['bob', 'acme'], 'bob']);
});

it.each<[unknown, unknown, unknown, string]>([
  [
    [],
    undefined,
    () => 1,
    'Expected `call` to be an object that says what is known of the call, such as { name: "pay" }, got undefined',
  ],
  [
    [],
    null,
    () => 1,
    'Expected `call` to be an object that says what is known of the call, such as { name: "pay" }, got null',
  ],
  [
    [],
    'pay',
    () => 1,
    'Expected `call` to be an object that says what is known of the call, such as { name: "pay" }, got a string',
  ],
  [
    [],
    () => 1,
    undefined,
    'Expected `call` to be an object that says what is known of the call, such as { name: "pay" }, got a function',
  ],
  [undefined, {}, () => 1, 'Expected `guards` to be a list of guards, got undefined'],
  [
    rateLimit({ limit: 1, windowMs: 1 }),
    {},
    () => 1,
    'Expected `guards` to be a list of guards, got an object',
  ],
  [[], {}, undefined, 'Expected `run` to be a function, got undefined'],
  [
    [],
    { header: { authorization: 'Bearer s3cret' } },
    () => 1,
    'Expected `call.header` to be a function, got an object',
  ],
  [[], { meta: {} }, () => 1, 'Expected `call.meta` to be a function, got an object'],
  [[], { method: 5 }, () => 1, 'Expected `call.method` to be a text, got a number'],
  [[], { name: ['pay'] }, () => 1, 'Expected `call.name` to be a text, got a list'],
  [[], { tool: 'pay' }, () => 1, 'Expected `call.tool` to be an object, got a string'],
  [[], { principle: 'ada' }, () => 1, '`call` has no member `principle`: did you mean `principal`?'],
  [[], { argument: {} }, () => 1, '`call` has no member `argument`: did you mean `arguments`?'],
])('says what was expected: protect(%o, %o, %o)', async (guards, call, run, sentence) => {
  await expect(protect(guards as never, call as never, run as never)).rejects.toThrow(
    new TypeError(sentence),
  );
});
