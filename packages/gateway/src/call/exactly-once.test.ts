import { createMemoryIdempotency } from '@mayday/policy';
import { answered, decode, lost, peek, resultOf, type WireCall, type WireHandler } from '@mayday/relay';
import { expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { exactlyOnce } from './exactly-once.ts';
import { keyedTools } from './keyed-tools.ts';
import { createToolHints } from './tool-hints.ts';

/** A server that counts what it does. */
function payments(answer: (call: WireCall, count: number) => ReturnType<WireHandler>): {
  readonly pay: WireHandler;
  readonly count: () => number;
} {
  let count = 0;
  const hints = createToolHints();
  hints.learnForAll([{ name: 'keyed', _meta: { 'dev.mayday/idempotency-key': true } }]);
  const limits = { timeoutMs: 5000, maxTimeMs: 60_000 };
  const pay = exactlyOnce(
    createMemoryIdempotency(),
    limits,
    keyedTools(limits, hints),
  )((call) => answer(call, ++count));
  return { pay, count: () => count };
}

const fine = async (_call: WireCall, count: number): ReturnType<WireHandler> =>
  answered({
    body: Buffer.from(`{"jsonrpc":"2.0","id":7,"result":{"paid":${count}}}`),
    status: 200,
    headers: { 'content-type': 'application/json' },
    isStream: false,
  });

function keyed(key: unknown, args: object = { to: 'bob' }, more: object = {}): WireCall {
  return {
    ...wireCall({ name: 'pay', arguments: args, _meta: { 'dev.mayday/idempotency-key': key } }),
    ...more,
  };
}

/** The same call, from somebody who counts requests differently. */
function askedAgain(call: WireCall): WireCall {
  const body = Buffer.from(call.body.toString().replace('"id":7', '"id":"again"'));
  return { ...call, body, peek: { ...call.peek, idEnd: call.peek.idStart + 7 } };
}

it('answers a repeat with the first answer, under the id of the repeat', async () => {
  const { pay, count } = payments(fine);
  await pay(keyed('k1'));
  const again = await pay(askedAgain(keyed('k1')));
  expect(count()).toBe(1);
  expect(again.ok && again.value.type === 'answer' && decode(again.value.body)).toEqual({
    jsonrpc: '2.0',
    id: 'again',
    result: { paid: 1 },
  });
});

it('lets a repeat of a running call wait for it', async () => {
  let finish = (): void => {};
  const { pay, count } = payments(
    (call, made) => new Promise((resolve) => (finish = () => resolve(fine(call, made)))),
  );
  const both = [pay(keyed('k1')), pay(keyed('k1'))];
  await new Promise((resolve) => setTimeout(resolve, 5));
  finish();
  expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([true, true]);
  expect(count()).toBe(1);
});

it('refuses the key for other arguments', async () => {
  const { pay, count } = payments(fine);
  await pay(keyed('k1', { to: 'bob' }));
  expect(await pay(keyed('k1', { to: 'eve' }))).toMatchObject({ ok: false, fault: { kind: 'conflict' } });
  expect(count()).toBe(1);
});

it('refuses the task of the first call to one that wants a result', async () => {
  const body = Buffer.from('{"jsonrpc":"2.0","id":7,"result":{"task":{"taskId":"t1","status":"working"}}}');
  const { pay, count } = payments(async () =>
    answered({ body, status: 200, headers: { 'content-type': 'application/json' }, isStream: false }),
  );
  const said = { name: 'pay', arguments: { to: 'bob' }, _meta: { 'dev.mayday/idempotency-key': 'k1' } };
  const asTask = wireCall({ ...said, task: {} });
  await pay(asTask);
  expect(await pay(wireCall(said))).toMatchObject({
    ok: false,
    fault: { kind: 'conflict', executed: 'maybe' },
  });
  expect(await pay(asTask)).toMatchObject({ ok: true });
  expect(count()).toBe(1);
});

it('does not make a call again that may have been executed', async () => {
  const { pay, count } = payments(async (call) => lost(call, { kind: 'timeout', message: 'late' }));
  await pay(keyed('k1'));
  expect(await pay(keyed('k1'))).toMatchObject({ ok: false, fault: { retryable: false } });
  expect(count()).toBe(1);
});

it('makes a call again that was certainly not executed', async () => {
  const { pay, count } = payments(async (call) =>
    lost(call, { kind: 'unavailable', executed: 'no', message: 'down' }),
  );
  await pay(keyed('k1'));
  await pay(keyed('k1'));
  expect(count()).toBe(2);
});

it('leaves open what became of a repeat while nobody can look it up', async () => {
  const claim = async (): Promise<never> => Promise.reject(new Error('down'));
  const limits = { timeoutMs: 5000, maxTimeMs: 60_000 };
  const store = { claim, finish: () => undefined, free: () => undefined };
  const pay = exactlyOnce(store, limits, keyedTools(limits, createToolHints()))((call) => fine(call, 1));
  const meta = { 'dev.mayday/idempotency-key': 'k1', 'dev.mayday/executed': 'maybe' };
  const repeat = wireCall({ name: 'pay', arguments: { to: 'bob' }, _meta: meta });
  expect(await pay(repeat)).toMatchObject({
    fault: {
      kind: 'unavailable',
      executed: 'maybe',
      advice:
        'The service is down; back off, then try again. It may have happened; check before you repeat a change.',
    },
  });
  expect(await pay(keyed('k1'))).toMatchObject({ fault: { kind: 'unavailable', executed: 'no' } });
});

it('leaves open what another gateway may have done while nobody can look it up', async () => {
  const claim = async (): Promise<never> => Promise.reject(new Error('down'));
  const limits = { timeoutMs: 5000, maxTimeMs: 60_000 };
  const hints = createToolHints();
  hints.learnForAll([{ name: 'list', annotations: { readOnlyHint: true } }]);
  const executed = async (more: object, isShared: boolean): Promise<unknown> => {
    const store = { claim, finish: () => undefined, free: () => undefined, isShared };
    const outcome = await exactlyOnce(store, limits, keyedTools(limits, hints))((call) => fine(call, 1))(
      keyed('k1', {}, more),
    );
    return outcome.ok || outcome.fault.executed;
  };
  expect(await executed({}, true)).toBe('maybe');
  expect(await executed({ target: 'list' }, true)).toBe('no');
  // A count begins with 1 again where both sides were started anew. Who made the key knows of all calls under it, and says so.
  expect(await executed({ above: { attempt: 1 } }, true)).toBe('maybe');
  const known = { 'dev.mayday/idempotency-key': 'k1', 'dev.mayday/executed': 'no' };
  expect(await executed({ above: { attempt: 1 }, meta: known }, true)).toBe('no');
  expect(await executed({}, false)).toBe('no');
});

it('keeps keys of different callers apart', async () => {
  const { pay, count } = payments(fine);
  await pay(keyed('k1', {}, named('ada')));
  await pay(keyed('k1', {}, named('bob')));
  expect(count()).toBe(2);
});

it('asks nothing of a call without a key', async () => {
  const { pay, count } = payments(fine);
  await pay(keyed(undefined));
  await pay(keyed(undefined));
  expect(count()).toBe(2);
});

it.each([[7], [null], [{ toString: 1 }], [['k']]])('refuses %j for a key', async (key) => {
  const { pay, count } = payments(fine);
  expect(await pay(keyed(key))).toMatchObject({
    ok: false,
    fault: { kind: 'invalid_arguments', executed: 'no' },
  });
  expect(count()).toBe(0);
});

it('keeps the answer for the repeat when the first caller has gone', async () => {
  const left = new AbortController();
  let finish = (): void => {};
  const { pay, count } = payments(
    (call, made) => new Promise((resolve) => (finish = () => resolve(fine(call, made)))),
  );
  const first = pay(keyed('k1', {}, { signal: left.signal }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  left.abort();
  expect(await first).toMatchObject({ ok: false, fault: { kind: 'cancelled' } });
  const again = pay(keyed('k1', {}));
  finish();
  expect(await again).toMatchObject({ ok: true, replayed: true });
  expect(count()).toBe(1);
});

it('tells the order of arguments from what they say, whatever text they hold', async () => {
  const { pay, count } = payments(fine);
  const said = { id: '3e409c9d-57ef-4e58-8b7e-12e5a6b7c8d9', card: 'x "4111111111111111" \\', n: 1.5 };
  const turned = Object.fromEntries(Object.entries(said).reverse());
  const first = await pay(keyed('k', said));
  const again = await pay(keyed('k', turned));
  expect([first.ok, again.ok, count()]).toEqual([true, true, 1]);
});

it('tells amounts apart that a parser would round to the same', async () => {
  const { pay, count } = payments(fine);
  const amount = (digits: string): WireCall => {
    const params = `{"name":"pay","arguments":{"cents":${digits}},"_meta":{"dev.mayday/idempotency-key":"k"}}`;
    const body = Buffer.from(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`);
    return { ...keyed('k', { cents: Number(digits) }), body, peek: peek(body) };
  };
  await pay(amount('9007199254740993'));
  for (const digits of ['9007199254740992', '9007199254740993.0', '1234567890.1234567', '9007199254740993e0'])
    expect(await pay(amount(digits))).toMatchObject({ ok: false, fault: { kind: 'conflict' } });
  expect(count()).toBe(1);
});

it('does not make a call again that another may have made, unless its server can tell', async () => {
  const { pay, count } = payments(fine);
  const repeat = (name: string): WireCall => {
    const meta = { 'dev.mayday/idempotency-key': 'k', 'dev.mayday/executed': 'maybe' };
    return wireCall({ name, arguments: {}, _meta: meta });
  };
  expect(await pay(repeat('pay'))).toMatchObject({
    ok: false,
    fault: { kind: 'disconnected', executed: 'maybe', retryable: false },
  });
  expect(count()).toBe(0);
  expect(await pay(repeat('keyed'))).toMatchObject({ ok: true });
});

it.each([
  ['keyed', 'disconnected', { ok: true }, 2],
  ['keyed', 'internal', { ok: false, fault: { kind: 'internal' } }, 1],
  ['pay', 'disconnected', { ok: false, fault: { kind: 'disconnected' } }, 1],
] as const)(
  'asks again for an answer that another gateway has lost: %s, %s',
  async (name, kind, outcome, times) => {
    const { pay, count } = payments(async (call, made) => {
      if (made > 1) return fine(call, made);
      const fault = { kind, executed: 'maybe', message: 'so' } as const;
      const message = { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'so' } };
      const bytes = Buffer.from(JSON.stringify(message));
      return { ...lost(call, fault), value: { type: 'message', message, bytes, status: 200 } as const };
    });
    const ask = (): WireCall =>
      wireCall({ name, arguments: {}, _meta: { 'dev.mayday/idempotency-key': 'k' } });
    await pay(ask());
    expect(await pay(ask())).toMatchObject(outcome);
    expect(count()).toBe(times);
  },
);

it('makes each round of a call once, and gives what it was told to whoever asks again', async () => {
  const rounds: unknown[] = [];
  const { pay } = payments(async (call) => {
    const answers = call.params()?.['inputResponses'] as { a?: number; b?: number } | undefined;
    rounds.push(answers);
    const asks = (inputRequests: object) => ({ resultType: 'input_required', inputRequests });
    const result =
      answers === undefined ? asks({ a: 1 }) : answers.b === undefined ? asks({ b: 1 }) : { paid: 1 };
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 7, result }));
    return answered({ body, status: 200, headers: {}, isStream: false });
  });
  const round = (inputResponses?: object): WireCall =>
    wireCall({ name: 'pay', arguments: {}, inputResponses, _meta: { 'dev.mayday/idempotency-key': 'k' } });
  const results: unknown[] = [];
  for (const call of [
    round(),
    round(),
    round({ a: 1 }),
    round({ a: 1 }),
    round({ b: 1 }),
    round(),
    round({ b: 1 }),
  ]) {
    const outcome = await pay(call);
    results.push(outcome.ok && outcome.value.type === 'answer' && resultOf(decode(outcome.value.body)));
  }
  const [first, second] = [{ a: 1 }, { b: 1 }].map((inputRequests) => ({
    resultType: 'input_required',
    inputRequests,
  }));
  expect(results).toEqual([first, first, second, second, { paid: 1 }, first, { paid: 1 }]);
  expect(rounds).toEqual([undefined, { a: 1 }, { b: 1 }]);
});

it('refuses a round with other answers of the user than those it was made with', async () => {
  const { pay, count } = payments(fine);
  const round = (more: object = {}): WireCall =>
    wireCall({ name: 'pay', arguments: {}, ...more, _meta: { 'dev.mayday/idempotency-key': 'k' } });
  await pay(round({ inputResponses: { sure: { action: 'accept', content: { ok: 'y' } } } }));
  const other = await pay(round({ inputResponses: { sure: { action: 'accept', content: { ok: 'n' } } } }));
  const same = await pay(round({ inputResponses: { sure: { content: { ok: 'y' }, action: 'accept' } } }));
  expect(other).toMatchObject({ ok: false, fault: { kind: 'conflict', executed: 'maybe' } });
  expect(same).toMatchObject({ ok: true });
  expect(await pay(round())).toMatchObject({ ok: true });
  // An earlier question, to which the user may well have answered something else.
  const earlier = { inputResponses: { name: { action: 'accept' } }, requestState: 'first' };
  expect(await pay(round(earlier))).toMatchObject({ ok: true });
  expect(count()).toBe(1);
});

it('tells callers apart by whatever they prove themselves with', async () => {
  const { pay, count } = payments(fine);
  for (const headers of [{ 'x-api-key': 'alice' }, { 'x-api-key': 'bob' }, { cookie: 'a=1' }, {}])
    await pay(keyed('k1', {}, { headers }));
  expect(count()).toBe(4);
  await pay(keyed('k1', {}, { headers: { 'x-api-key': 'bob' } }));
  expect(count()).toBe(4);
});

it.each([
  ['no', 1],
  ['maybe', 0],
  ['yes', 0],
])('makes a call whose caller says that it was executed: %s', async (executed, times) => {
  const { pay, count } = payments(fine);
  const _meta = { 'dev.mayday/idempotency-key': 'k', 'dev.mayday/executed': executed };
  await pay(wireCall({ name: 'pay', arguments: {}, _meta }));
  expect(count()).toBe(times);
});

it('tells a server of no doubt about a round that it has not been asked for yet', async () => {
  const told: unknown[] = [];
  const { pay } = payments(async (call, made) => {
    told.push(call.progress.executed);
    if (made === 1) return lost(call, { kind: 'disconnected', executed: 'maybe', message: 'cut' });
    const result = made === 2 ? { resultType: 'input_required', inputRequests: {} } : { paid: made };
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 7, result }));
    return answered({ body, status: 200, headers: {}, isStream: false });
  });
  const round = (more: object = {}): WireCall => ({
    ...wireCall({ name: 'keyed', arguments: {}, ...more, _meta: { 'dev.mayday/idempotency-key': 'k' } }),
    revision: '2026-07-28',
  });
  await pay(round());
  await pay(round());
  expect(await pay(round({ inputResponses: { a: 1 } }))).toMatchObject({ ok: true });
  expect(told).toEqual(['no', 'maybe', 'no']);
});

/** The keys that a server is sent. */
function sentKeys(settings: Parameters<typeof exactlyOnce>[1] = LIMITS, isShared = false) {
  const keys: unknown[] = [];
  const store = Object.assign(createMemoryIdempotency(), { isShared });
  const pay = exactlyOnce(
    store,
    settings,
    keyedTools(settings, createToolHints()),
  )((call) => {
    const { params } = decode(call.body) as { params: { _meta: Record<string, unknown> } };
    keys.push(params._meta['dev.mayday/idempotency-key']);
    return fine(call, keys.length);
  });
  return { keys, pay };
}

const LIMITS = { timeoutMs: 5000, maxTimeMs: 60_000 };
const named = (id: string): object => ({ by: { id, isKnown: true }, caller: id });
const TOKEN = { headers: { authorization: 'Bearer of-ada' } };

it.each<[string, object, object]>([
  ['names', named('ada'), named('bob')],
  ['credentials that stay here', TOKEN, { headers: { authorization: 'Bearer of-bob' } }],
])('gives a server two keys where callers with other %s have the same', async (_what, ada, bob) => {
  const { keys, pay } = sentKeys();
  await pay(keyed('order-7', {}, ada));
  await pay(keyed('order-7', {}, bob));
  await pay(keyed('order-8', {}, ada));
  expect(keys).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  expect(new Set([...keys, 'order-7', 'order-8']).size).toBe(5);
});

it('gives it the same key for the same caller, through whichever gateway', async () => {
  const [one, other] = [sentKeys(LIMITS, true), sentKeys(LIMITS, true)];
  await one.pay(keyed('order-7', {}, named('ada')));
  await other.pay(keyed('order-7', {}, named('ada')));
  expect(one.keys).toEqual(other.keys);
});

it.each<[string, object, Parameters<typeof exactlyOnce>[1], boolean]>([
  ['nobody who could be told apart', {}, LIMITS, false],
  ['somebody whose credentials go along', { ...TOKEN, withheld: () => undefined }, LIMITS, false],
  ['nobody in particular, for an API', {}, { ...LIMITS, type: 'openapi' }, true],
])('leaves the key of %s as it is', async (_who, more, settings, isShared) => {
  const { keys, pay } = sentKeys(settings, isShared);
  await pay(keyed('order-7', {}, more));
  expect(keys).toEqual(['order-7']);
});

/** Of version 4: there are APIs that take nothing else for a key. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('gives an API the key of a caller as a UUID', async () => {
  const { keys, pay } = sentKeys({ ...LIMITS, type: 'openapi' }, false);
  for (const id of ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay']) await pay(keyed('order-7', {}, named(id)));
  expect(keys).toEqual(Array.from({ length: 6 }, () => expect.stringMatching(UUID)));
  expect(new Set(keys).size).toBe(6);
});

it('sends another key on where the next gateway may keep its answers in the same place', async () => {
  const { keys, pay } = sentKeys({ ...LIMITS, type: 'url' }, true);
  await pay(keyed('order-7'));
  expect(keys).toEqual([expect.stringMatching(UUID)]);
});

it('does not ask a server about the key of a token that may have been renewed', async () => {
  const { pay, count } = payments(fine);
  const meta = { 'dev.mayday/idempotency-key': 'k1', 'dev.mayday/executed': 'maybe' };
  const repeat = wireCall({ name: 'keyed', arguments: {}, _meta: meta });
  expect(await pay({ ...repeat, ...TOKEN })).toMatchObject({
    fault: { kind: 'disconnected', executed: 'maybe', retryable: false },
  });
  expect(count()).toBe(0);
  expect(await pay({ ...repeat, ...TOKEN, withheld: () => undefined })).toMatchObject({ ok: true });
});
