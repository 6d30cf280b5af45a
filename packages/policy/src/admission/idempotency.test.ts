import { type FaultInit, makeFault } from '@mayday/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { type Call, startCall } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { compose, type Policy } from '../policy.ts';
import { deadline } from '../resilience/deadline.ts';
import { type IdempotencyOptions, idempotency } from './idempotency.ts';
import {
  createMemoryIdempotency,
  type IdempotencyStore,
  type KeyState,
  type MemoryIdempotencyOptions,
} from './idempotency-store.ts';

interface Run {
  readonly call: Call;
  end(outcome?: Outcome<string>): void;
}

/** Each execution waits until the test ends it. */
function setup(options: IdempotencyOptions<string> = {}, inside: Policy<string>[] = []) {
  const clock = fakeClock();
  const runs: Run[] = [];
  const policies = [idempotency<string, Call>({ clock, ...options }), ...inside];
  const handle = compose(policies, (call) => {
    call.progress.began = true;
    return new Promise((resolve) => {
      runs.push({ call, end: (outcome = { ok: true, value: `paid ${runs.length}` }) => resolve(outcome) });
    });
  });
  const pay = (init: object = {}) =>
    handle(
      startCall({
        upstream: 'bank',
        target: 'pay',
        caller: 'ada',
        arguments: { to: 'bob' },
        idempotencyKey: 'k1',
        ...init,
      }),
    );
  return { clock, runs, pay };
}

const failed = (init: FaultInit): Outcome<string> => ({ ok: false, fault: makeFault(init) });
const tick = () => new Promise((resolve) => setImmediate(resolve));

it('gives a repeat of a finished call its answer', async () => {
  const { runs, pay } = setup();
  const first = pay();
  await tick();
  runs[0]?.end();
  expect(await first).toEqual({ ok: true, value: 'paid 1' });
  expect(await pay()).toEqual({ ok: true, value: 'paid 1', replayed: true });
  expect(runs).toHaveLength(1);
});

it('lets a repeat of a running call join it', async () => {
  const { runs, pay } = setup();
  const all = [pay(), pay(), pay()];
  await tick();
  runs[0]?.end();
  expect(await Promise.all(all)).toEqual([
    { ok: true, value: 'paid 1' },
    { ok: true, value: 'paid 1', replayed: true },
    { ok: true, value: 'paid 1', replayed: true },
  ]);
  expect(runs).toHaveLength(1);
});

it('keeps nobody waiting for a call that cannot report back', async () => {
  const claim = (): KeyState => ({ state: 'unheard', fingerprint: 'f' });
  const store: IdempotencyStore = { claim, finish: () => undefined, free: () => undefined };
  const { runs, pay } = setup({ store, fingerprint: () => 'f' });
  expect(await pay()).toMatchObject({
    refused: { by: 'idempotency' },
    fault: { kind: 'unavailable', executed: 'maybe', retryable: true },
  });
  expect(runs).toHaveLength(0);
});

it('refuses the key for other arguments, running or finished', async () => {
  const { runs, pay } = setup();
  const conflict = { refused: { by: 'idempotency' }, fault: { kind: 'conflict', executed: 'no' } };
  const first = pay();
  await tick();
  expect(await pay({ arguments: [['to', 'bob']] })).toMatchObject(conflict);
  runs[0]?.end();
  await first;
  expect(await pay({ arguments: { to: 'eve' } })).toMatchObject(conflict);
  expect(runs).toHaveLength(1);
});

it('keeps callers, upstreams and targets apart', async () => {
  const { runs, pay } = setup();
  const all = [
    pay(),
    pay({ caller: 'bob' }),
    pay({ upstream: 'shop' }),
    pay({ target: 'refund' }),
    pay({ caller: undefined }),
  ];
  await tick();
  expect(runs).toHaveLength(5);
  for (const run of runs) run.end();
  await Promise.all(all);
});

it('frees the key of a call that was certainly not executed', async () => {
  const { runs, pay } = setup();
  const first = pay();
  await tick();
  runs[0]?.end(failed({ kind: 'unavailable', executed: 'no' }));
  expect(await first).toMatchObject({ ok: false });
  const second = pay();
  await tick();
  runs[1]?.end();
  expect(await second).toEqual({ ok: true, value: 'paid 2' });
});

it('does not execute again what may have been executed', async () => {
  const { runs, pay } = setup();
  const first = pay();
  await tick();
  runs[0]?.end(failed({ kind: 'disconnected', executed: 'maybe', message: 'lost' }));
  expect(await first).toMatchObject({ fault: { retryable: true } });
  expect(await pay()).toMatchObject({
    ok: false,
    replayed: true,
    fault: { kind: 'disconnected', message: 'lost', executed: 'maybe', retryable: false },
  });
  expect(runs).toHaveLength(1);
});

it('gives a repeat after a timeout the answer that came in the end', async () => {
  const clock = fakeClock();
  const { runs, pay } = setup({ clock }, [deadline({ ms: 100, clock })]);
  const first = pay();
  expect(await clock.until(first)).toMatchObject({ fault: { kind: 'timeout', executed: 'maybe' } });
  const second = pay();
  await tick();
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  expect(await second).toEqual({ ok: true, value: 'paid 1', replayed: true });
});

it('lets whoever joined go at the deadline, and the call go on', async () => {
  const { clock, runs, pay } = setup();
  const first = pay();
  await tick();
  const joined = await clock.until(pay({ deadline: clock.now() + 50 }));
  expect(joined).toMatchObject({ ended: 'deadline', fault: { kind: 'timeout', executed: 'maybe' } });
  runs[0]?.end();
  expect(await first).toMatchObject({ ok: true });
});

it('waits for a call that runs in another process, and gives one up that never came back', async () => {
  const store = createMemoryIdempotency();
  const here = setup({ store, leaseMs: 5000 });
  const there = setup({ store, leaseMs: 5000, clock: here.clock });
  const first = here.pay();
  await tick();
  const second = there.pay();
  await here.clock.advance(200);
  here.runs[0]?.end();
  await first;
  expect(await here.clock.until(second)).toEqual({ ok: true, value: 'paid 1', replayed: true });
  void here.pay({ idempotencyKey: 'k2' });
  await tick();
  expect(await here.clock.until(there.pay({ idempotencyKey: 'k2' }))).toMatchObject({
    fault: { kind: 'disconnected', executed: 'maybe', retryable: false },
  });
  expect([here.runs.length, there.runs.length]).toEqual([2, 0]);
});

it('forgets after a day', async () => {
  const { clock, runs, pay } = setup();
  const first = pay();
  await tick();
  runs[0]?.end();
  await first;
  await clock.advance(86_399_999);
  expect(await pay()).toMatchObject({ replayed: true });
  await clock.advance(1);
  void pay();
  await tick();
  expect(runs).toHaveLength(2);
});

it('says that a call was made when its answer is too large to keep', async () => {
  const { runs, pay } = setup({ maxAnswerLength: 100 });
  const first = pay();
  await tick();
  runs[0]?.end({ ok: true, value: 'x'.repeat(200) });
  expect(await first).toMatchObject({ ok: true });
  expect(await pay()).toMatchObject({ fault: { kind: 'conflict', executed: 'yes' } });
  expect(runs).toHaveLength(1);
});

it.each(['', 'x'.repeat(256)])('refuses the key %j', async (idempotencyKey) => {
  const { runs, pay } = setup();
  expect(await pay({ idempotencyKey })).toMatchObject({
    fault: { kind: 'invalid_arguments', executed: 'no' },
  });
  expect(runs).toHaveLength(0);
});

it('lets calls without a key through', async () => {
  const { runs, pay } = setup();
  void pay({ idempotencyKey: undefined });
  void pay({ idempotencyKey: true });
  await tick();
  expect(runs).toHaveLength(2);
});

it('refuses when the key cannot be looked up', async () => {
  const store = { claim: () => Promise.reject(new Error('down')), finish() {}, free() {} };
  const { runs, pay } = setup({ store });
  expect(await pay()).toMatchObject({ fault: { kind: 'unavailable', executed: 'no' } });
  expect(runs).toHaveLength(0);
});

/** A store of one answer a claim, at a time that the test sets. */
function shelf(options: MemoryIdempotencyOptions) {
  const store = createMemoryIdempotency(options);
  const claim = (owner: string, key: string, now = 0) =>
    store.claim({ key, owner, fingerprint: key, now, leaseMs: 1000, ttlMs: 1000 }) as KeyState;
  const make = (owner: string, key: string, now = 0): string => {
    const { state } = claim(owner, key, now);
    if (state === 'claimed') void store.finish({ key, answer: 'x', now });
    return state;
  };
  return { claim, make };
}

it.each([
  ['runs elsewhere', { state: 'running', fingerprint: '' }],
  [
    'was made elsewhere',
    { state: 'done', fingerprint: '', answer: JSON.stringify({ ok: true, value: 'paid' }) },
  ],
] as const)(
  'does not say that nothing was done of a call that %s, when the store goes away',
  async (_, known) => {
    let isDown = false;
    const store: IdempotencyStore = {
      claim({ fingerprint }) {
        if (isDown) throw new Error('down');
        return { ...known, fingerprint };
      },
      finish() {},
      free() {},
    };
    const { clock, pay } = setup({ store });
    const first = pay();
    await tick();
    isDown = true;
    await clock.advance(60_000);
    await first;
    expect(await pay()).toMatchObject({ ok: false, fault: { kind: 'unavailable', executed: 'maybe' } });
    expect(await pay({ idempotencyKey: 'k2' })).toMatchObject({ ok: false, fault: { executed: 'no' } });
  },
);

it('forgets no key within its time: further ones are refused', () => {
  const { claim, make } = shelf({ maxKeys: 4, maxPerOwner: 3 });
  expect([claim('ada', 'a1'), make('ada', 'a2'), make('ada', 'a3'), claim('ada', 'a4')]).toEqual([
    { state: 'claimed' },
    'claimed',
    'claimed',
    { state: 'full' },
  ]);
  expect([make('bob', 'b1'), make('eve', 'e1')]).toEqual(['claimed', 'full']);
  expect([make('ada', 'a1'), make('ada', 'a2'), make('bob', 'b1')]).toEqual(['running', 'done', 'done']);
  expect([make('ada', 'a4', 1000), make('eve', 'e1', 1000)]).toEqual(['claimed', 'claimed']);
});

it('lets answers go when there is no room for them: of whoever has most, the oldest first', () => {
  const { claim, make } = shelf({ maxAnswers: 3, maxAnswersPerOwner: 2 });
  const answers = (): string[] =>
    ['a1', 'a2', 'a3', 'b1', 'e1'].filter(
      (key) => (claim(key.replace(/\d/, ''), key) as { answer?: string }).answer === 'x',
    );
  for (const key of ['a1', 'a2', 'a3']) make('a', key);
  make('b', 'b1');
  make('e', 'e1');
  expect(answers()).toEqual(['a3', 'b1', 'e1']);
  expect(claim('a', 'a1')).toEqual({ state: 'done', fingerprint: 'a1', answer: '' });
});

it('tells a repeat that the call was made when its answer had to go', async () => {
  const { runs, pay } = setup({ store: createMemoryIdempotency() });
  for (let at = 0; at <= 1000; at++) {
    const paid = pay({ idempotencyKey: `k${at}` });
    await tick();
    runs[at]?.end();
    await paid;
  }
  expect(await pay({ idempotencyKey: 'k0' })).toMatchObject({
    ok: false,
    fault: { executed: 'yes', retryable: false },
    replayed: true,
  });
  expect(await pay({ idempotencyKey: 'k0', arguments: { to: 'eve' } })).toMatchObject({
    fault: { kind: 'conflict' },
  });
  expect(runs).toHaveLength(1001);
});

it('executes no key twice, whatever happens in whatever order', async () => {
  const step = fc.record({
    key: fc.constantFrom('k1', 'k2'),
    act: fc.constantFrom('call', 'done', 'maybe', 'wait'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, runs, pay } = setup({ leaseMs: 500 });
      for (const { key, act } of steps) {
        if (act === 'call') void pay({ idempotencyKey: key });
        const open = runs.find((run) => run.call.idempotencyKey === key);
        if (act === 'done') open?.end();
        if (act === 'maybe') open?.end(failed({ kind: 'timeout', executed: 'maybe' }));
        await (act === 'wait' ? clock.advance(300) : tick());
      }
      const executions = runs.map(({ call }) => call.idempotencyKey);
      return new Set(executions).size === executions.length;
    }),
    { numRuns: 60 },
  );
});

/** A store in memory, one method of which does something else first. */
function storeWith(over: Partial<IdempotencyStore>): IdempotencyStore {
  const store = createMemoryIdempotency();
  return {
    claim: (claim) => store.claim(claim),
    finish: (done) => store.finish(done),
    free: (key) => store.free(key),
    ...over,
  };
}

/** Fails so often, and then does its work. */
function failing<A>(times: number, work: (given: A) => unknown): (given: A) => Promise<void> {
  let left = times;
  return async (given) => {
    left -= 1;
    if (left >= 0) throw new Error('redis://svc:hunter2@10.0.0.5 is down');
    await work(given);
  };
}

it.each([1, Number.POSITIVE_INFINITY])(
  'answers and repeats when the answer cannot be stored %d times',
  async (times) => {
    const store = createMemoryIdempotency();
    const broken = storeWith({
      claim: (claim) => store.claim(claim),
      finish: failing(times, (done: never) => store.finish(done)),
    });
    const { clock, runs, pay } = setup({ store: broken });
    const first = pay();
    await tick();
    const joined = pay();
    await tick();
    runs[0]?.end();
    expect(await clock.until(first)).toEqual({ ok: true, value: 'paid 1' });
    expect(await clock.until(joined)).toEqual({ ok: true, value: 'paid 1', replayed: true });
    expect(await clock.until(pay())).toEqual({ ok: true, value: 'paid 1', replayed: true });
    expect(await clock.until(pay({ arguments: { to: 'eve' } }))).toMatchObject({
      fault: { kind: 'conflict' },
    });
    await clock.advance(7_200_000);
    expect(await clock.until(pay())).toEqual({ ok: true, value: 'paid 1', replayed: true });
    expect(runs).toHaveLength(1);
  },
);

it('answers in time when the store never takes the answer', async () => {
  const { clock, runs, pay } = setup({ store: storeWith({ finish: () => new Promise(() => {}) }) });
  const startedAt = clock.now();
  const first = pay({ deadline: startedAt + 300 });
  await tick();
  runs[0]?.end();
  expect(await clock.until(first)).toEqual({ ok: true, value: 'paid 1' });
  expect(clock.now() - startedAt).toBeLessThan(300);
  expect(await clock.until(pay())).toEqual({ ok: true, value: 'paid 1', replayed: true });
  expect(runs).toHaveLength(1);
});

it('makes a call again that did nothing as soon as the store can free its key', async () => {
  const store = createMemoryIdempotency();
  const { clock, runs, pay } = setup({
    store: {
      claim: (claim) => store.claim(claim),
      finish: (done) => store.finish(done),
      free: failing(9, (key: string) => store.free(key)),
    },
  });
  const first = pay();
  await tick();
  runs[0]?.end(failed({ kind: 'overloaded', executed: 'no' }));
  expect(await clock.until(first)).toMatchObject({ fault: { kind: 'overloaded' } });
  const again = pay();
  await clock.advance(2000);
  runs[1]?.end();
  expect(await clock.until(again)).toEqual({ ok: true, value: 'paid 2' });
});

it('refuses, and does not wait for ever, while the store hangs in freeing a key', async () => {
  const { clock, runs, pay } = setup({ store: storeWith({ free: () => new Promise(() => {}) }) });
  const first = pay();
  await tick();
  runs[0]?.end(failed({ kind: 'overloaded', executed: 'no' }));
  await clock.until(first);
  expect(await clock.until(pay())).toMatchObject({
    fault: { kind: 'unavailable', executed: 'no', message: 'The key cannot be freed now' },
  });
  expect(runs).toHaveLength(1);
});

it.each([undefined, null, 'claimed', {}, { state: 'soon' }, { state: 'done', fingerprint: 'x' }])(
  'refuses when the store says %j of a key, and nothing is executed',
  async (said) => {
    const { runs, pay } = setup({ store: storeWith({ claim: () => said as never }) });
    expect(await pay()).toMatchObject({
      refused: { by: 'idempotency' },
      fault: { kind: 'unavailable', executed: 'no' },
    });
    expect(runs).toHaveLength(0);
  },
);

it.each([
  [{ ttlMs: '1h' }, 'Expected `ttlMs` to be a positive number of milliseconds, got string'],
  [{ ttlMs: -1 }, 'Expected `ttlMs` to be a positive number of milliseconds, got -1'],
  [{ ttlMs: 0 }, 'Expected `ttlMs` to be a positive number of milliseconds, got 0'],
  [{ ttlMs: Number.NaN }, 'Expected `ttlMs` to be a positive number of milliseconds, got NaN'],
  [
    { ttlMs: Number.POSITIVE_INFINITY },
    'Expected `ttlMs` to be a positive number of milliseconds, got Infinity',
  ],
  [{ leaseMs: 0 }, 'Expected `leaseMs` to be a positive number of milliseconds, got 0'],
  [{ store: {} }, 'Expected `store` to have the methods `claim`, `finish` and `free`'],
  [{ store: null }, 'Expected `store` to have the methods `claim`, `finish` and `free`'],
  [{ ttlMS: 5 }, 'Unknown option `ttlMS` of `idempotency`; did you mean `ttlMs`?'],
])('refuses the options %j', (options, sentence) => {
  expect(() => idempotency(options as never)).toThrow(new TypeError(sentence));
});

it('refuses bounds that nobody reads', () => {
  expect(() => createMemoryIdempotency({ answers: 1 } as never)).toThrow(
    new TypeError('Unknown option `answers` of `createMemoryIdempotency`; did you mean `maxAnswers`?'),
  );
});

it('forgets nothing when the clock is set', async () => {
  let [now, steadyMs] = [1_000_000, 5000];
  const clock = { ...fakeClock(), now: () => now, monotonic: () => steadyMs };
  const { runs, pay } = setup({ clock, store: createMemoryIdempotency() });
  const first = pay();
  await tick();
  runs[0]?.end();
  await first;
  now += 2 * 86_400_000;
  expect(await pay()).toEqual({ ok: true, value: 'paid 1', replayed: true });
  now -= 9 * 86_400_000;
  steadyMs += 86_399_000;
  expect(await pay()).toEqual({ ok: true, value: 'paid 1', replayed: true });
  steadyMs += 1001;
  void pay();
  await tick();
  expect(runs).toHaveLength(2);
});

/** A store that can be emptied, and that can be down. */
function frailStore() {
  let inside = createMemoryIdempotency();
  let isDown = false;
  const up = (): IdempotencyStore => {
    if (isDown) throw new Error('down');
    return inside;
  };
  const store: IdempotencyStore = {
    claim: async (claim) => up().claim(claim),
    finish: async (done) => up().finish(done),
    free: async (key, token) => up().free(key, token),
  };
  const empty = (): void => {
    inside = createMemoryIdempotency();
  };
  const breakDown = (): void => {
    isDown = true;
  };
  return { store, empty, breakDown };
}

const lost: Outcome<string> = failed({ kind: 'disconnected', executed: 'maybe' });

it.each(['empty', 'breakDown'] as const)(
  'lets a repeat join what runs here, whatever becomes of the store: %s',
  async (what) => {
    const { store, ...frail } = frailStore();
    const { clock, runs, pay } = setup({ store });
    const first = pay();
    await tick();
    frail[what]();
    const second = pay();
    const other = await pay({ arguments: { to: 'eve' } });
    await tick();
    runs[0]?.end();
    expect(await clock.until(second)).toEqual({ ok: true, value: 'paid 1', replayed: true });
    expect(await clock.until(first)).toEqual({ ok: true, value: 'paid 1' });
    expect(other).toMatchObject({ fault: { kind: 'conflict' } });
    expect(runs).toHaveLength(1);
  },
);

it.each([
  ['empty', undefined, { ok: true, value: 'paid 1', replayed: true }],
  ['breakDown', undefined, { ok: true, value: 'paid 1', replayed: true }],
  ['empty', lost, { ok: false, fault: { kind: 'disconnected', executed: 'maybe' }, replayed: true }],
  ['breakDown', lost, { ok: false, fault: { kind: 'disconnected', executed: 'maybe' }, replayed: true }],
] as const)(
  'knows what it has made itself, whatever becomes of the store: %s, %j',
  async (what, end, told) => {
    const { store, ...frail } = frailStore();
    const { runs, pay } = setup({ store });
    const first = pay();
    await tick();
    runs[0]?.end(end);
    await first;
    frail[what]();
    expect(await pay()).toMatchObject(told);
    expect(await pay({ arguments: { to: 'eve' } })).toMatchObject({ fault: { kind: 'conflict' } });
    expect(runs).toHaveLength(1);
  },
);

it('tells a store that has forgotten a call what became of it, for all who share it', async () => {
  const { store, empty } = frailStore();
  const here = setup({ store });
  const there = setup({ store });
  const first = here.pay();
  await tick();
  here.runs[0]?.end();
  await first;
  empty();
  await here.pay();
  expect(await there.pay()).toEqual({ ok: true, value: 'paid 1', replayed: true });
  expect(there.runs).toHaveLength(0);
});

it('makes a call again whose time is over, and one that did nothing', async () => {
  const { store, empty } = frailStore();
  const { clock, runs, pay } = setup({ store, ttlMs: 1000 });
  const first = pay();
  await tick();
  runs[0]?.end(failed({ kind: 'unavailable', executed: 'no' }));
  await first;
  empty();
  const second = pay();
  await tick();
  runs[1]?.end();
  await second;
  await clock.advance(1001);
  empty();
  const third = pay();
  await tick();
  runs[2]?.end();
  expect(await third).toEqual({ ok: true, value: 'paid 3' });
});
