import { describe, expect, it } from 'vitest';
import { type Clock, createLimit } from './clock.ts';

/** A clock that is moved by hand. */
function handClock() {
  let now = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  const clock: Clock = {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const advance = (ms: number): void => {
    now += ms;
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer);
      timer.run();
    }
  };
  return { clock, advance };
}

describe('a time limit', () => {
  it('ER-45 ER-73 stands still while somebody else is waited for, and goes on where it stood', async () => {
    const { clock, advance } = handClock();
    const { over, meanwhile } = createLimit(clock, 100, () => new Error('late'));
    let isOver = false;
    over.catch(() => {
      isOver = true;
    });
    advance(60);
    let answer = (_said: string): void => {};
    const waited = meanwhile(
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
    );
    advance(10_000);
    answer('said');
    expect(await waited).toBe('said');
    advance(39);
    await Promise.resolve();
    expect(isOver).toBe(false);
    advance(1);
    await expect(over).rejects.toThrow('late');
  });

  it('ends nothing once it is stopped', async () => {
    const { clock, advance } = handClock();
    const { over, stop } = createLimit(clock, 100, () => new Error('late'));
    stop();
    advance(1000);
    expect(await Promise.race([over, Promise.resolve('still')])).toBe('still');
  });
});
