import { expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { openScope } from './scope.ts';

/** A clock whose timers fire when a test says so: those of Node fire up to a millisecond early. */
function handClock() {
  const timers: (() => void)[] = [];
  const clock = {
    now: () => 99,
    timer: (_ms: number, callback: () => void) => {
      timers.push(callback);
      return () => undefined;
    },
  } as unknown as Clock;
  return { clock, fire: () => timers.shift()?.() };
}

it('ends by the deadline of whoever stands around it, although its own clock says that it is not there yet', () => {
  const { clock, fire } = handClock();
  const bounds = { clock, deadline: 100, timeoutMs: Number.POSITIVE_INFINITY };
  const outer = openScope(bounds);
  const inner = openScope({ ...bounds, signal: AbortSignal.any([outer.signal]) });
  fire();
  expect([outer.ended, inner.ended]).toEqual(['deadline', 'deadline']);
  expect(openScope({ ...bounds, signal: outer.signal }).ended).toBe('deadline');
});

it.each(['attempt_timeout', 'cancelled', 'superseded'] as const)(
  'is cancelled by whoever stands around it and ends for another reason: %s',
  (why) => {
    const bounds = { clock: handClock().clock, deadline: 100, timeoutMs: Number.POSITIVE_INFINITY };
    const outer = openScope(bounds);
    const inner = openScope({ ...bounds, signal: outer.signal });
    outer.end(why);
    expect(inner.ended).toBe('cancelled');
  },
);

it.each([
  ['of `AbortSignal.timeout`', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
  ['of a framework', Object.assign(new Error('Tool timed out'), { name: 'ToolTimeoutError' })],
])('ends by its deadline with the timeout %s: nobody has cancelled anything', (_, reason) => {
  const bounds = { clock: handClock().clock, deadline: 100, timeoutMs: Number.POSITIVE_INFINITY };
  const timed = new AbortController();
  const running = openScope({ ...bounds, signal: AbortSignal.any([timed.signal]) });
  timed.abort(reason);
  const late = openScope({ ...bounds, signal: timed.signal });
  expect([running.ended, late.ended]).toEqual(['deadline', 'deadline']);
});
