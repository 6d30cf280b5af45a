import { expect, it } from 'vitest';
import { fakeClock } from '../../test/fake-clock.ts';
import { type Breaker, type BreakerState, createBreaker, type Verdict } from './breaker.ts';

const REFUSED = { refused: true };

function call(breaker: Breaker, verdict: Verdict): Promise<unknown> {
  return breaker.run(
    async () => verdict,
    (outcome) => outcome,
  );
}

async function opened(clock = fakeClock()) {
  const states: BreakerState[] = [];
  const breaker = createBreaker({
    clock,
    consecutive: 3,
    openMs: 1000,
    onState: (state) => states.push(state),
  });
  for (let failure = 0; failure < 3; failure += 1) await call(breaker, 'failure');
  return { breaker, clock, states };
}

it('opens after failures in a row and says when to try again', async () => {
  const { breaker, clock } = await opened();
  expect(breaker.state).toBe('open');
  await clock.advance(400);
  expect(await call(breaker, 'success')).toEqual({ refused: true, afterMs: 600, failedProbes: 0 });
});

it('opens at half of the calls, from ten calls on', async () => {
  const breaker = createBreaker({ clock: fakeClock() });
  const half: readonly Verdict[] = ['failure', 'success'];
  for (let at = 0; at < 9; at += 1) await call(breaker, half[at % 2] ?? 'success');
  expect(breaker.state).toBe('closed');
  await call(breaker, 'failure');
  expect(breaker.state).toBe('open');
});

it('forgets failures that left the window', async () => {
  const clock = fakeClock();
  const breaker = createBreaker({ clock, consecutive: 99 });
  for (let at = 0; at < 9; at += 1) await call(breaker, 'failure');
  await clock.advance(3300);
  await call(breaker, 'failure');
  expect(breaker.state).toBe('closed');
});

it('counts a neutral outcome neither way', async () => {
  const breaker = createBreaker({ clock: fakeClock(), consecutive: 3 });
  for (let at = 0; at < 50; at += 1) await call(breaker, 'neutral');
  expect(breaker.state).toBe('closed');
  await call(breaker, 'failure');
  await call(breaker, 'neutral');
  await call(breaker, 'failure');
  await call(breaker, 'failure');
  expect(breaker.state).toBe('open');
});

it('lets one probe through and closes when it succeeds', async () => {
  const { breaker, clock, states } = await opened();
  await clock.advance(1000);
  let finish: (verdict: Verdict) => void = () => undefined;
  const probe = breaker.run(
    () => new Promise<Verdict>((resolve) => (finish = resolve)),
    (outcome) => outcome,
  );
  expect(breaker.state).toBe('half_open');
  expect(await call(breaker, 'success')).toMatchObject(REFUSED);
  finish('success');
  expect(await probe).toBe('success');
  expect(states).toEqual(['open', 'half_open', 'closed']);
});

it('goes by the majority of several probes', async () => {
  for (const [outcomes, state] of [
    [['failure', 'success', 'success'], 'closed'],
    [['success', 'failure', 'failure'], 'open'],
  ] as const) {
    const clock = fakeClock();
    const breaker = createBreaker({ clock, consecutive: 1, probes: 3, openMs: 1000 });
    await call(breaker, 'failure');
    await clock.advance(1000);
    const finish: ((verdict: Verdict) => void)[] = [];
    const probes = outcomes.map(() =>
      breaker.run(
        () => new Promise<Verdict>((resolve) => finish.push(resolve)),
        (outcome) => outcome,
      ),
    );
    expect(await call(breaker, 'success')).toMatchObject(REFUSED);
    for (const [at, outcome] of outcomes.entries()) finish[at]?.(outcome);
    await Promise.all(probes);
    expect(breaker.state).toBe(state);
  }
});

it('does not wait for a slow probe when the others have decided', async () => {
  const clock = fakeClock();
  const breaker = createBreaker({ clock, consecutive: 1, probes: 3, openMs: 1000 });
  await call(breaker, 'failure');
  await clock.advance(1000);
  let finish: (verdict: Verdict) => void = () => undefined;
  const slow = breaker.run(
    () => new Promise<Verdict>((resolve) => (finish = resolve)),
    (outcome) => outcome,
  );
  await Promise.all([call(breaker, 'success'), call(breaker, 'success')]);
  await clock.advance(0);
  expect(breaker.state).toBe('closed');
  finish('failure');
  expect(await slow).toBe('failure');
});

it('stays open twice as long after each failed probe, up to half a minute', async () => {
  const { breaker, clock } = await opened();
  const waits: number[] = [];
  for (let probe = 0; probe < 7; probe += 1) {
    const refusal = breaker.check();
    waits.push(refusal?.afterMs ?? 0);
    await clock.advance(refusal?.afterMs ?? 0);
    await call(breaker, 'failure');
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(breaker.check()).toMatchObject({ failedProbes: 7 });
});

it('stays open after a probe that was called off', async () => {
  const { breaker, clock } = await opened();
  await clock.advance(1000);
  await call(breaker, 'none');
  expect(breaker.state).toBe('open');
  expect(breaker.check()).toMatchObject({ afterMs: 1000, failedProbes: 0 });
});

it('closes after a probe that was answered with a caller’s mistake', async () => {
  const { breaker, clock } = await opened();
  await clock.advance(1000);
  await call(breaker, 'neutral');
  expect(breaker.state).toBe('closed');
});

it('passes on what the call throws', async () => {
  const breaker = createBreaker({ clock: fakeClock() });
  const thrown = breaker.run(
    async () => {
      throw new RangeError('no');
    },
    () => 'success',
  );
  await expect(thrown).rejects.toThrow(new RangeError('no'));
});

it.each([
  [{ threshold: 3 }, 'Expected `threshold` to be a number from 0 to 1, got 3'],
  [{ minimumCalls: 0 }, 'Expected `minimumCalls` to be a positive integer, got 0'],
  [{ openMs: -1 }, 'Expected `openMs` to be a number of milliseconds, got -1'],
])('says what is wrong with %j', (options, message) => {
  expect(() => createBreaker(options)).toThrow(new TypeError(message));
});
