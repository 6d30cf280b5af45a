import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import {
  type Breaker,
  type BreakerState,
  type CircuitOpen,
  createBreaker,
  type Permit,
  type Verdict,
} from './breaker.ts';

/** A call that ends at once; the refusal, if there is one. */
function call(breaker: Breaker, verdict: Verdict): CircuitOpen | undefined {
  const permit = breaker.admit();
  if (!permit.admitted) return permit;
  permit.settle(verdict);
  return undefined;
}

/** A call that has not ended yet. */
function begin(breaker: Breaker): Permit {
  const permit = breaker.admit();
  if (!permit.admitted) throw new Error('refused');
  return permit;
}

function opened(clock = fakeClock()) {
  const states: BreakerState[] = [];
  const breaker = createBreaker({
    clock,
    consecutive: 3,
    openMs: 1000,
    onState: (state) => states.push(state),
  });
  for (let failure = 0; failure < 3; failure += 1) call(breaker, 'failure');
  return { breaker, clock, states };
}

it('opens after failures in a row and says when to try again', async () => {
  const { breaker, clock } = opened();
  expect(breaker.state).toBe('open');
  await clock.advance(400);
  expect(call(breaker, 'success')).toEqual({ admitted: false, afterMs: 600, failedProbes: 0 });
});

it('opens at half of the calls, from ten calls on', async () => {
  const breaker = createBreaker({ clock: fakeClock() });
  const half: readonly Verdict[] = ['failure', 'success'];
  for (let at = 0; at < 9; at += 1) call(breaker, half[at % 2] ?? 'success');
  expect(breaker.state).toBe('closed');
  call(breaker, 'failure');
  expect(breaker.state).toBe('open');
});

it('forgets failures that left the window', async () => {
  const clock = fakeClock();
  const breaker = createBreaker({ clock, consecutive: 99 });
  for (let at = 0; at < 9; at += 1) call(breaker, 'failure');
  await clock.advance(3300);
  call(breaker, 'failure');
  expect(breaker.state).toBe('closed');
});

it('counts a neutral outcome neither way', async () => {
  const breaker = createBreaker({ clock: fakeClock(), consecutive: 3 });
  for (let at = 0; at < 50; at += 1) call(breaker, 'neutral');
  expect(breaker.state).toBe('closed');
  call(breaker, 'failure');
  call(breaker, 'neutral');
  call(breaker, 'failure');
  call(breaker, 'failure');
  expect(breaker.state).toBe('open');
});

it('lets one probe through and closes when it succeeds', async () => {
  const { breaker, clock, states } = opened();
  await clock.advance(1000);
  const probe = begin(breaker);
  expect(breaker.state).toBe('half_open');
  expect(call(breaker, 'success')).toEqual({ admitted: false, afterMs: 100, failedProbes: 0 });
  probe.settle('success');
  expect(states).toEqual(['open', 'half_open', 'closed']);
});

it.each([
  [['failure', 'success', 'success'], 'closed'],
  [['success', 'failure', 'failure'], 'open'],
] as const)('goes by the majority of several probes: %j is %s', async (outcomes, state) => {
  const clock = fakeClock();
  const breaker = createBreaker({ clock, consecutive: 1, probes: 3, openMs: 1000 });
  call(breaker, 'failure');
  await clock.advance(1000);
  const probes = outcomes.map(() => begin(breaker));
  expect(call(breaker, 'success')).toMatchObject({ admitted: false });
  for (const [at, outcome] of outcomes.entries()) probes[at]?.settle(outcome);
  expect(breaker.state).toBe(state);
});

it('does not wait for a slow probe when the others have decided', async () => {
  const clock = fakeClock();
  const breaker = createBreaker({ clock, consecutive: 1, probes: 3, openMs: 1000 });
  call(breaker, 'failure');
  await clock.advance(1000);
  const slow = begin(breaker);
  call(breaker, 'success');
  call(breaker, 'success');
  expect(breaker.state).toBe('closed');
  slow.settle('failure');
  expect(breaker.state).toBe('closed');
});

it('counts the first word about a call, and no other', () => {
  const breaker = createBreaker({ clock: fakeClock(), consecutive: 2 });
  const permit = begin(breaker);
  permit.settle('failure');
  permit.settle('failure');
  expect(breaker.state).toBe('closed');
});

it('does not hold against the present what began before the circuit opened', async () => {
  const clock = fakeClock();
  const breaker = createBreaker({ clock, consecutive: 1, openMs: 1000 });
  const [early, late] = [begin(breaker), begin(breaker)];
  early.settle('failure');
  await clock.advance(1000);
  const probe = begin(breaker);
  late.settle('failure');
  expect(breaker.state).toBe('half_open');
  probe.settle('success');
  expect(breaker.state).toBe('closed');
});

describe('a probe that does not come back', () => {
  it('holds others for as long as they were told, and each time for longer', async () => {
    const { breaker, clock } = opened();
    await clock.advance(1000);
    const waits: (number | undefined)[] = [];
    for (let probe = 0; probe < 11; probe += 1) {
      begin(breaker);
      waits.push(breaker.check()?.afterMs);
      await clock.advance((breaker.check()?.afterMs ?? 0) - 1);
      expect(breaker.check()).toMatchObject({ admitted: false, afterMs: 1 });
      await clock.advance(1);
    }
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    expect(call(breaker, 'success')).toBeUndefined();
    expect(breaker.state).toBe('closed');
  });

  it('counts when it comes late', async () => {
    const { breaker, clock } = opened();
    await clock.advance(1000);
    const slow = begin(breaker);
    await clock.advance(100);
    begin(breaker);
    slow.settle('success');
    expect(breaker.state).toBe('closed');
  });
});

it('holds nobody back when its pause is over, whether or not somebody has tried', async () => {
  const { breaker, clock } = opened();
  expect(breaker.holding).toBe('open');
  await clock.advance(1000);
  expect([breaker.state, breaker.holding]).toEqual(['open', 'closed']);
  begin(breaker);
  expect(breaker.holding).toBe('half_open');
});

it('stays open twice as long after each failed probe, up to half a minute', async () => {
  const { breaker, clock } = opened();
  const waits: number[] = [];
  for (let probe = 0; probe < 7; probe += 1) {
    const refusal = breaker.check();
    waits.push(refusal?.afterMs ?? 0);
    await clock.advance(refusal?.afterMs ?? 0);
    call(breaker, 'failure');
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(breaker.check()).toMatchObject({ failedProbes: 7 });
});

it('lets another one probe after a probe that was called off', async () => {
  const { breaker, clock } = opened();
  await clock.advance(1000);
  expect(call(breaker, 'none')).toBeUndefined();
  expect(breaker.state).toBe('half_open');
  expect(call(breaker, 'success')).toBeUndefined();
  expect(breaker.state).toBe('closed');
});

it('closes after a probe that was answered with a caller’s mistake', async () => {
  const { breaker, clock } = opened();
  await clock.advance(1000);
  call(breaker, 'neutral');
  expect(breaker.state).toBe('closed');
});

it.each([
  [{ threshold: 3 }, 'Expected `threshold` to be a number from 0 to 1, got 3'],
  [{ minimumCalls: 0 }, 'Expected `minimumCalls` to be a positive integer, got 0'],
  [{ openMs: -1 }, 'Expected `openMs` to be a number of milliseconds, got -1'],
])('says what is wrong with %j', (options, message) => {
  expect(() => createBreaker(options)).toThrow(new TypeError(message));
});

it('closes when its probes came back well and nobody asks for more', async () => {
  const clock = fakeClock();
  const states: string[] = [];
  const breaker = createBreaker({
    clock,
    consecutive: 1,
    probes: 5,
    openMs: 1000,
    onState: (state) => states.push(state),
  });
  begin(breaker).settle('failure');
  await clock.advance(1000);
  begin(breaker).settle('success');
  expect(breaker.state).toBe('half_open');
  await clock.advance(999);
  expect(breaker.state).toBe('half_open');
  await clock.advance(1);
  expect(breaker.state).toBe('closed');
  expect(states).toEqual(['open', 'half_open', 'closed']);
  expect(Array.from({ length: 20 }, () => breaker.admit().admitted)).not.toContain(false);
});

it('does not close while a probe is under way, or after one has failed', async () => {
  const clock = fakeClock();
  const breaker = createBreaker({ clock, consecutive: 1, probes: 5, openMs: 1000 });
  begin(breaker).settle('failure');
  await clock.advance(1000);
  const slow = begin(breaker);
  begin(breaker).settle('success');
  await clock.advance(5000);
  expect(breaker.state).toBe('half_open');
  slow.settle('failure');
  await clock.advance(5000);
  expect(breaker.state).toBe('half_open');
});
