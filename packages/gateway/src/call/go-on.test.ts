import { answered, CallEnded, lost, type WireCall, type WireOutcome } from '@mayday/relay';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { goOn, restOf } from './go-on.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LATE = { kind: 'timeout', message: 'late' } as const;

/** A call with a key that its caller leaves, at a server that answers when it is told to. */
function left(maxTimeMs: number) {
  const caller = new AbortController();
  const call: WireCall = {
    ...wireCall({ name: 'pay', _meta: { 'dev.mayday/idempotency-key': 'k' } }),
    signal: caller.signal,
  };
  let answer = (): void => {};
  const outcome = goOn({ maxTimeMs })(
    (asked) =>
      new Promise<WireOutcome>((resolve) => {
        const body = Buffer.from('{"jsonrpc":"2.0","id":7,"result":{}}');
        answer = () => resolve(answered({ body, status: 200, headers: {}, isStream: false }));
        asked.signal.addEventListener('abort', () => {
          resolve(lost(asked, (asked.signal.reason as CallEnded).fault));
        });
      }),
  )(call);
  const leave = (): void => caller.abort(new CallEnded(LATE, { ended: 'attempt_timeout' }));
  return { call, outcome, leave, answer: () => answer() };
}

it('tells whoever leaves at once, and what it comes to later', async () => {
  const { call, outcome, leave, answer } = left(1000);
  leave();
  expect(await outcome).toMatchObject({ ok: false, fault: { kind: 'timeout' }, ended: 'attempt_timeout' });
  answer();
  expect(await restOf(call)).toMatchObject({ ok: true });
});

it('ends when it has taken too long in all, not as long again', async () => {
  const { call, outcome, leave } = left(1000);
  await vi.advanceTimersByTimeAsync(900);
  leave();
  await outcome;
  let rest: WireOutcome | undefined;
  void restOf(call)?.then((end) => {
    rest = end;
  });
  await vi.advanceTimersByTimeAsync(99);
  expect(rest).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(rest).toMatchObject({ ok: false, fault: { kind: 'timeout', message: 'late' } });
});

it('does not go on for somebody who leaves after that', async () => {
  const { call, outcome, leave } = left(1000);
  await vi.advanceTimersByTimeAsync(1000);
  leave();
  await outcome;
  expect(await restOf(call)).toMatchObject({ ok: false, fault: { kind: 'timeout' } });
});
