import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { startCall } from '../call.ts';
import { compose, type Handler } from '../policy.ts';
import { deadline } from './deadline.ts';

const callOf = (init: object = {}) => startCall({ upstream: 'shop', ...init });
const never = (): Promise<never> => new Promise(() => undefined);

it('ends a call that ignores its signal, and hands over the work that goes on', async () => {
  const clock = fakeClock();
  let finish: () => void = () => undefined;
  const handle = compose<string, ReturnType<typeof callOf>>([deadline({ ms: 200, clock })], async (call) => {
    call.progress.began = true;
    await new Promise<void>((resolve) => (finish = resolve));
    return { ok: true, value: 'late' };
  });
  const outcome = await clock.until(handle(callOf()));
  expect(outcome).toMatchObject({
    ok: false,
    ended: 'deadline',
    fault: { kind: 'timeout', origin: 'local', executed: 'maybe' },
  });
  finish();
  expect(await (outcome as { rest?: Promise<unknown> }).rest).toEqual({ ok: true, value: 'late' });
});

it('says that nothing was executed when nothing had begun', async () => {
  const clock = fakeClock();
  const handle = compose([deadline({ ms: 200, clock })], never);
  expect(await clock.until(handle(callOf()))).toMatchObject({ fault: { kind: 'timeout', executed: 'no' } });
});

it('takes the earliest of its own, the call’s and the one from above', async () => {
  const clock = fakeClock();
  const given: number[] = [];
  const note: Handler<string> = async (call) => {
    given.push(call.deadline - clock.now());
    return { ok: true, value: '' };
  };
  const handle = compose([deadline({ ms: 500, clock })], note);
  const now = clock.now();
  for (const init of [
    {},
    { deadline: now + 300 },
    { above: { deadline: now + 100 } },
    { deadline: now + 900 },
  ])
    await handle(callOf(init));
  expect(given).toEqual([500, 300, 100, 500]);
});

it('lets those below say more than it could', async () => {
  const clock = fakeClock();
  const handle = compose<string, ReturnType<typeof callOf>>(
    [deadline({ ms: 200, clock })],
    async ({ signal }) => {
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      return { ok: true, value: 'just in time' };
    },
  );
  expect(await clock.until(handle(callOf()))).toEqual({ ok: true, value: 'just in time' });
});

it('tells a caller that gives up from a time that is over', async () => {
  const clock = fakeClock();
  const giveUp = new AbortController();
  const handle = compose([deadline({ ms: 200, clock })], never);
  const running = handle(callOf({ signal: giveUp.signal }));
  giveUp.abort();
  expect(await clock.until(running)).toMatchObject({ ended: 'cancelled', fault: { kind: 'cancelled' } });
});

it.each([
  [
    'after the deadline from above',
    { above: { deadline: 999_999 } },
    'deadline',
    'timeout',
    'the deadline had passed',
  ],
  ['after its own deadline', { deadline: 1_000_000 }, 'deadline', 'timeout', 'the deadline had passed'],
  [
    'when its caller has left',
    { signal: AbortSignal.abort() },
    'cancelled',
    'cancelled',
    'the caller had given up',
  ],
])('begins nothing that comes %s', async (_, init, ended, kind, why) => {
  const clock = fakeClock(1_000_000);
  let begun = 0;
  const handle = compose<string, ReturnType<typeof callOf>>([deadline({ ms: 200, clock })], async () => {
    begun += 1;
    return { ok: true, value: 'done' };
  });
  expect(await clock.until(handle(callOf(init)))).toMatchObject({
    ok: false,
    ended,
    reason: `Not begun: ${why} already`,
    fault: { kind, executed: 'no' },
  });
  expect(begun).toBe(0);
});
