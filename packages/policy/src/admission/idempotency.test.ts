import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { failed, setup, tick } from '../../test/keyed-calls.ts';
import { deadline } from '../resilience/deadline.ts';
import { idempotency } from './idempotency.ts';
import { createMemoryIdempotency, type IdempotencyStore, type KeyState } from './idempotency-store.ts';

it('gives a repeat of a finished call its answer', async () => {
  const { runs, pay } = setup();
  const first = pay();
  await tick();
  runs[0]?.end();
  expect(await first).toEqual({ ok: true, value: 'paid 1' });
  expect(await pay()).toEqual({ ok: true, value: 'paid 1', replayed: true });
  expect(runs).toHaveLength(1);
});

it('leaves the key free after a failure that may pass, where a second call does no harm', async () => {
  const { runs, pay } = setup({ isHarmless: () => true });
  const [first, joined] = [pay(), pay()];
  await tick();
  runs[0]?.end(failed({ kind: 'unavailable', executed: 'maybe' }));
  expect(await first).toMatchObject({ ok: false, fault: { kind: 'unavailable', retryable: true } });
  expect(await joined).toMatchObject({ replayed: true, fault: { retryable: true, executed: 'maybe' } });
  const second = pay();
  await tick();
  runs[1]?.end();
  expect(await second).toMatchObject({ ok: true });
  expect(await pay()).toMatchObject({ ok: true, replayed: true });
  expect(runs).toHaveLength(2);
});

it('says of a key that was left free that its call may have been executed, whatever refuses the next', async () => {
  const { runs, pay } = setup({ isHarmless: () => true });
  const first = pay();
  await tick();
  runs[0]?.end(failed({ kind: 'unavailable', executed: 'maybe' }));
  await first;
  void pay();
  await tick();
  expect(runs[1]?.call.progress.executed).toBe('maybe');
});

it.each([
  ['the failure does not pass', true, { kind: 'conflict', executed: 'maybe' }],
  ['a second call may do harm', false, { kind: 'unavailable', executed: 'maybe' }],
] as const)('keeps the failure as the last word where %s', async (_, isHarmless, fault) => {
  const { runs, pay } = setup({ isHarmless: () => isHarmless });
  const first = pay();
  await tick();
  runs[0]?.end(failed(fault));
  await first;
  expect(await pay()).toMatchObject({ replayed: true, fault: { kind: fault.kind, retryable: false } });
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
