import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { startCall } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { compose, type Handler } from '../policy.ts';
import { deadline } from '../resilience/deadline.ts';
import { concurrency } from './concurrency.ts';

const callOf = (init: object = {}) => startCall({ upstream: 'shop', target: 'pay', ...init });

/** Work that ends when it is told to, whatever its signal says; and how much of it goes on at once. */
function stubborn() {
  const ends: (() => void)[] = [];
  const seen = { running: 0, most: 0, begun: 0 };
  const work: Handler<string> = async (call) => {
    call.progress.began = true;
    seen.begun += 1;
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await new Promise<void>((resolve) => ends.push(resolve));
    seen.running -= 1;
    return { ok: true, value: 'done' };
  };
  return { seen, work, end: () => ends.shift()?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('lets so many run, the next when one has ended, and refuses the rest', async () => {
  const { seen, work, end } = stubborn();
  const handle = compose([concurrency({ limit: 2, queue: 1, clock: fakeClock() })], work);
  const calls = [callOf(), callOf(), callOf(), callOf()].map((call) => handle(call));
  expect(await calls[3]).toMatchObject({
    ok: false,
    refused: { by: 'concurrency' },
    fault: { kind: 'overloaded', origin: 'local', executed: 'no', retryable: true, details: { limit: 2 } },
  });
  expect(seen).toMatchObject({ running: 2, begun: 2 });
  end();
  await settle();
  expect(seen).toMatchObject({ running: 2, begun: 3, most: 2 });
});

it('counts by key', async () => {
  const { seen, work } = stubborn();
  const per = (call: { caller?: string | undefined }) => call.caller ?? '';
  const handle = compose([concurrency({ limit: 1, per, clock: fakeClock() })], work);
  void handle(callOf({ caller: 'ada' }));
  void handle(callOf({ caller: 'bob' }));
  await settle();
  expect(seen.running).toBe(2);
});

it('holds when deadlines fire and the work ignores them', async () => {
  const clock = fakeClock();
  const { seen, work, end } = stubborn();
  const handle = compose([deadline({ ms: 200, clock }), concurrency({ limit: 1, queue: 9, clock })], work);
  const outcomes: Outcome<string>[] = [];
  for (let at = 0; at < 6; at += 1) outcomes.push(await clock.until(handle(callOf())));
  expect(seen).toMatchObject({ most: 1, begun: 1 });
  expect(outcomes[0]).toMatchObject({ fault: { kind: 'timeout', executed: 'maybe' } });
  expect(outcomes.slice(1).map((one) => !one.ok && one.fault.executed)).toEqual([
    'no',
    'no',
    'no',
    'no',
    'no',
  ]);
  end();
  await settle();
  const next = handle(callOf());
  await settle();
  end();
  expect(await next).toEqual({ ok: true, value: 'done' });
});

it('holds when the cut is inside it: the place is free when the work has ended, or its grace is over', async () => {
  const clock = fakeClock();
  const { seen, work, end } = stubborn();
  const limit = concurrency<string, ReturnType<typeof callOf>>({ limit: 1, graceMs: 5000, clock });
  const handle = compose([limit, deadline({ ms: 200, clock })], work);
  await clock.until(handle(callOf()));
  expect(await handle(callOf())).toMatchObject({ refused: { by: 'concurrency' } });
  end();
  await settle();
  void handle(callOf());
  await clock.advance(5199);
  expect(await handle(callOf())).toMatchObject({ refused: { by: 'concurrency' } });
  await clock.advance(1);
  void handle(callOf());
  await settle();
  expect(seen.begun).toBe(3);
});

it('does not exceed its limit when fifty are called and cancelled, and does not wedge', async () => {
  const clock = fakeClock();
  const { seen, work, end } = stubborn();
  const handle = compose(
    [deadline({ ms: false, clock }), concurrency({ limit: 3, queue: 100, clock })],
    work,
  );
  for (let at = 0; at < 50; at += 1) {
    const giveUp = new AbortController();
    const called = handle(callOf({ signal: giveUp.signal }));
    await settle();
    giveUp.abort();
    expect(await clock.until(called)).toMatchObject({ fault: { kind: 'cancelled' } });
  }
  expect(seen).toMatchObject({ most: 3, begun: 3 });
  for (let at = 0; at < 3; at += 1) end();
  await settle();
  const next = handle(callOf());
  await settle();
  end();
  expect(await clock.until(next)).toEqual({ ok: true, value: 'done' });
});

it('gives the place back when the work throws', async () => {
  const handle = compose([concurrency({ limit: 1 })], async () => {
    throw new Error('boom');
  });
  expect(await handle(callOf())).toMatchObject({ fault: { kind: 'internal' } });
  expect(await handle(callOf())).toMatchObject({ fault: { kind: 'internal' } });
});

it('leaves the line when its patience is over, and says that nothing was executed', async () => {
  const clock = fakeClock();
  const { work } = stubborn();
  const handle = compose([concurrency({ limit: 1, queue: 5, clock })], work);
  void handle(callOf());
  expect(await clock.until(handle(callOf({ patienceMs: 500 })))).toMatchObject({
    refused: { by: 'concurrency' },
    fault: { executed: 'no' },
  });
});

it('leaves the line when its deadline passes or its caller does, and says which', async () => {
  const clock = fakeClock();
  const { work } = stubborn();
  const handle = compose([concurrency({ limit: 1, queue: 5, clock })], work);
  void handle(callOf());
  const reason = 'The call ended in line; nothing was sent';
  expect(await clock.until(handle(callOf({ deadline: clock.now() + 500 })))).toMatchObject({
    ended: 'deadline',
    reason,
    fault: { kind: 'timeout', executed: 'no' },
  });
  expect(await handle(callOf({ signal: AbortSignal.abort() }))).toMatchObject({
    ended: 'cancelled',
    reason,
    fault: { kind: 'cancelled', executed: 'no' },
  });
});

it('says in words how many are under way', async () => {
  const { work } = stubborn();
  const handle = compose([concurrency({ limit: 1, clock: fakeClock() })], work);
  void handle(callOf());
  expect(await handle(callOf())).toMatchObject({
    reason: 'No place became free in time; nothing was sent',
    fault: {
      subject: { type: 'upstream', id: 'shop' },
      message: 'Not sent: 1 calls to shop are under way and no place became free',
      retry: { when: 'after_wait', afterMs: 1000 },
    },
  });
});

it('says what is wrong with its options', () => {
  expect(() => concurrency({ limit: 0 })).toThrow(
    new TypeError('Expected `limit` to be a positive integer, got 0'),
  );
});
