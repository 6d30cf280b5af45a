/** Policies with a defect behind a key: whoever repeats the call is answered, and never told that nothing was done. */
import { expect, it } from 'vitest';
import { startCall } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import { compose, type Policy } from '../policy.ts';
import { sender } from '../resilience/attempt.ts';
import { idempotency } from './idempotency.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function payer(broken: Policy<string>) {
  let paid = 0;
  const handle = compose(
    [idempotency<string, ReturnType<typeof startCall>>(), broken],
    sender(async () => {
      await wait(30);
      paid += 1;
      return 'paid';
    }),
  );
  const pay = (): Promise<Outcome<string>> =>
    handle(
      startCall({ upstream: 'bank', target: 'pay', caller: 'ada', arguments: {}, idempotencyKey: 'order-7' }),
    );
  return { pay, paid: () => paid };
}

const throwing: Policy<string> = (next) => async (call) => {
  await next(call);
  throw new TypeError('no such column');
};

it('tells whoever joined the call what the first one is told', async () => {
  const { pay, paid } = payer(throwing);
  const first = pay();
  const sameTurn = pay();
  await wait(10);
  const joined = pay();
  const executed = { ok: false, fault: { executed: 'yes' } };
  expect(await first).toMatchObject({ ...executed, fault: { kind: 'internal', executed: 'yes' } });
  expect(await sameTurn).toMatchObject(executed);
  expect(await joined).toMatchObject(executed);
  expect(paid()).toBe(1);
});

it('tells nobody who joined it that nothing was done, where the first one sent nothing', async () => {
  const { pay } = payer(() => async () => {
    await wait(30);
    throw new TypeError('no such column');
  });
  const first = pay();
  await wait(10);
  const joined = pay();
  await first;
  expect(await joined).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
});

it.each([
  ['without a fault', { ok: false }],
  ['with none in its place', { ok: false, fault: null }],
  ['with something else in its place', { ok: false, fault: 'busy' }],
  ['that is nothing', undefined],
])('answers the repeats of a call with an outcome %s', async (_what, outcome) => {
  const { pay, paid } = payer((next) => async (call) => {
    await next(call);
    return outcome as never;
  });
  expect(await pay()).toMatchObject({ ok: false, fault: { kind: 'internal', executed: 'yes' } });
  const repeat = await Promise.race([pay(), wait(2000)]);
  expect(repeat).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  expect(paid()).toBe(1);
});
