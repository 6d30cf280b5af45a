import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startCall } from '../call.ts';
import { sender } from './attempt.ts';

/** A sender that gives up by itself after so many milliseconds, in the words of somebody who was cancelled. */
const givesUpAfter = (ms: number) => async (): Promise<never> => {
  await sleep(ms);
  throw new DOMException('This operation was aborted', 'AbortError');
};

it('is a timeout where the timer of the sender goes off just before ours', async () => {
  const call = startCall({ upstream: 'shop', deadline: Date.now() + 45 });
  const outcome = await sender(givesUpAfter(40))(call);
  expect(outcome).toMatchObject({ ok: false, fault: { kind: 'timeout' }, ended: 'deadline' });
});

it('is cancelled where the sender was, long before any limit', async () => {
  const call = startCall({ upstream: 'shop', deadline: Date.now() + 60_000 });
  const outcome = await sender(givesUpAfter(1))(call);
  expect(outcome).toMatchObject({ ok: false, fault: { kind: 'cancelled' } });
  expect(outcome).not.toHaveProperty('ended', 'deadline');
});

it('takes what was thrown for no answer where isAnswer throws, and leaves no timer behind', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const isAnswer = (): never => {
    throw new Error('from the hook');
  };
  const send = sender(() => Promise.reject(new Error('Connection reset')), { isAnswer });
  expect(await send(startCall({ upstream: 'shop', deadline: Date.now() + 60_000 }))).toMatchObject({
    ok: false,
    answered: false,
    fault: { executed: 'maybe' },
  });
  expect(timers()).toBe(before);
});
