import { type FaultInit, makeFault } from '@mayday/core';
import { expect, it } from 'vitest';
import { type Call, startCall } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { compose } from '../policy.ts';
import { approval } from './approval.ts';
import { createMemoryApprovals } from './approval-store.ts';

function setup(options: { maxOpen?: number; maxPerCaller?: number } = {}) {
  let ids = 0;
  let now = 0;
  const made: Call[] = [];
  const clock = { now: () => now };
  const store = createMemoryApprovals({ ...options, newId: () => `apr_${++ids}`, clock });
  const answers: Outcome<string>[] = [];
  const policy = approval<string, Call>({ targets: ['pay'], store, ttlMs: 1000, clock });
  const handle = compose([policy], async (call) => {
    made.push(call);
    return answers.shift() ?? { ok: true, value: 'paid' };
  });
  const pay = (args: unknown, init: object = {}) =>
    handle(startCall({ upstream: 'bank', target: 'pay', caller: 'ada', arguments: args, ...init }));
  return { store, made, answers, pay, at: (ms: number) => (now = ms), handle };
}

const failed = (init: FaultInit): Outcome<string> => ({ ok: false, fault: makeFault(init) });
const required = (id: string) => ({
  ok: false,
  refused: { by: 'approval' },
  fault: { kind: 'approval_required', executed: 'no', details: { approval_id: id } },
});

it('holds a call back until a person consents, and lets it through once', async () => {
  const { store, made, pay } = setup();
  expect(await pay({ amount: 5, to: 'bob' })).toMatchObject(required('apr_1'));
  expect(store.waiting()).toMatchObject([
    {
      id: 'apr_1',
      target: 'pay',
      caller: 'ada',
      upstream: 'bank',
      arguments: { amount: 5, to: 'bob' },
      expiresAt: 1000,
    },
  ]);
  expect(store.approve('apr_1')).toBe(true);
  expect(await pay({ to: 'bob', amount: 5 })).toEqual({ ok: true, value: 'paid' });
  expect(await pay({ to: 'bob', amount: 5 })).toMatchObject(required('apr_2'));
  expect(made).toHaveLength(1);
});

it.each([
  [{ to: 'bob', amount: 500 }],
  [[['to', 'bob']]],
  [{ to: 'bob', amount: '5' }],
  [{ to: ['bob'], amount: 5 }],
  [null],
])('binds the consent to its arguments: %j is another call', async (other) => {
  const { store, made, pay } = setup();
  await pay({ to: 'bob', amount: 5 });
  store.approve('apr_1');
  expect(await pay(other)).toMatchObject(required('apr_2'));
  expect(made).toHaveLength(0);
});

it('binds the consent to its caller', async () => {
  const { store, pay } = setup();
  await pay({ to: 'bob' });
  store.approve('apr_1');
  expect(await pay({ to: 'bob' }, { caller: 'eve' })).toMatchObject(required('apr_2'));
});

it('says no when a person said no, for as long as that counts', async () => {
  const { store, pay, at } = setup();
  await pay({});
  expect(store.reject('apr_1')).toBe(true);
  expect(await pay({})).toMatchObject({ fault: { kind: 'forbidden', details: { approval_id: 'apr_1' } } });
  expect(await pay({})).toMatchObject({ fault: { kind: 'forbidden' } });
  expect(store.approve('apr_1')).toBe(false);
  at(1000);
  expect(await pay({})).toMatchObject(required('apr_2'));
});

it('expires: a request that nobody decided, and a consent that nobody used', async () => {
  const { store, pay, at } = setup();
  await pay({});
  at(1000);
  expect(store.approve('apr_1')).toBe(false);
  expect(await pay({})).toMatchObject(required('apr_2'));
  at(1999);
  expect(store.approve('apr_2')).toBe(true);
  at(2999);
  expect(await pay({})).toMatchObject(required('apr_3'));
});

it('keeps the consent of a call that was certainly not executed, and of no other', async () => {
  const { store, pay, answers, made } = setup();
  answers.push(
    failed({ kind: 'unavailable', executed: 'no' }),
    failed({ kind: 'timeout', executed: 'maybe' }),
  );
  await pay({});
  store.approve('apr_1');
  expect(await pay({})).toMatchObject({ fault: { kind: 'unavailable' } });
  expect(await pay({})).toMatchObject({ fault: { kind: 'timeout' } });
  expect(await pay({})).toMatchObject(required('apr_2'));
  expect(made).toHaveLength(2);
});

it('is used by one of two calls that come at once', async () => {
  const { store, pay, made } = setup();
  await pay({});
  store.approve('apr_1');
  const both = await Promise.all([pay({}), pay({})]);
  expect(made).toHaveLength(1);
  expect(both[0]).toEqual({ ok: true, value: 'paid' });
  expect(both[1]).toMatchObject({ ok: false, fault: { kind: 'conflict', executed: 'no' } });
});

it('is bounded, for each caller and for all, and pushes nobody out', async () => {
  const { store, pay } = setup({ maxOpen: 3, maxPerCaller: 2 });
  await pay({ n: 1 });
  await pay({ n: 2 });
  expect(await pay({ n: 3 })).toMatchObject({ fault: { kind: 'overloaded', executed: 'no' } });
  expect(await pay({ n: 3 }, { caller: 'bob' })).toMatchObject(required('apr_3'));
  expect(await pay({ n: 3 }, { caller: 'eve' })).toMatchObject({ fault: { kind: 'overloaded' } });
  expect(store.waiting()).toHaveLength(3);
});

it('refuses when nobody can be asked', async () => {
  const store = { claim: () => Promise.reject(new Error('secret')), confirm() {}, release() {} };
  const handle = compose([approval({ targets: () => true, store })], async () => ({ ok: true, value: '' }));
  const outcome = await handle(startCall({ upstream: 'bank' }));
  expect(outcome).toMatchObject({
    fault: { kind: 'unavailable', executed: 'no', message: 'Approvals cannot be asked for now' },
    refused: { by: 'approval', reason: 'Error: secret' },
  });
  expect(JSON.stringify((outcome as { fault: object }).fault)).not.toContain('secret');
});

it('says in words what stands in the way', async () => {
  const { store, pay } = setup({ maxPerCaller: 1 });
  const told = (outcome: unknown): unknown => (outcome as { fault: { message: string } }).fault.message;
  expect(told(await pay({}))).toBe('pay requires approval (request apr_1)');
  expect(told(await pay({ n: 2 }))).toBe('pay requires approval, and too many requests are waiting already');
  store.approve('apr_1');
  const both = await Promise.all([pay({}), pay({})]);
  expect(told(both[1])).toBe('The approval of pay (request apr_1) is being used by another call');
  await pay({ n: 3 });
  store.reject('apr_2');
  expect(told(await pay({ n: 3 }))).toBe('The call to pay was not approved (request apr_2)');
});

it('is told under the name that the caller knows', async () => {
  const store = createMemoryApprovals({ newId: () => 'apr_1' });
  const policy = approval<string, Call>({
    targets: () => true,
    store,
    name: ({ target }) => `the tool ${target}`,
  });
  const handle = compose([policy], async () => ({ ok: true, value: 'paid' }));
  const pay = () => handle(startCall({ upstream: 'bank', target: 'pay' }));
  expect(await pay()).toMatchObject({ fault: { message: 'The tool pay requires approval (request apr_1)' } });
  store.reject('apr_1');
  expect(await pay()).toMatchObject({
    fault: { message: 'The call to the tool pay was not approved (request apr_1)' },
  });
});
