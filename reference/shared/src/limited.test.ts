import type { Clock } from '@mayday/policy';
import { describe, expect, it } from 'vitest';
import { limited } from './limited.ts';

/** A clock that is moved by hand. */
function handClock() {
  let now = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  const clock: Clock = {
    now: () => now,
    timer(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const advance = async (ms: number): Promise<void> => {
    await Promise.resolve();
    now += ms;
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer);
      timer.run();
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  const { signal } = new AbortController();
  return { advance, timers, limit: { clock, ms: 100, signal, late: () => new Error('late') } };
}

describe('a time limit', () => {
  it('ER-45 ER-73 stands still while somebody else is waited for, and goes on where it stood', async () => {
    const { limit, advance } = handClock();
    const asked = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    let state = 'running';
    const ended = limited(limit, async (meanwhile) => {
      await begun.promise;
      state = await meanwhile(asked.promise);
      return new Promise<never>(() => {});
    }).catch((error: Error) => {
      state = error.message;
    });
    await advance(60);
    begun.resolve();
    await advance(0);
    await advance(10_000);
    asked.resolve('said');
    await advance(39);
    expect(state).toBe('said');
    await advance(1);
    await ended;
    expect(state).toBe('late');
  });

  it('leaves no timer behind, whoever is still waited for', async () => {
    const { limit, advance, timers } = handClock();
    const asked = Promise.withResolvers<void>();
    const answer = await limited(limit, (meanwhile) => {
      void meanwhile(asked.promise);
      return 'done';
    });
    asked.resolve();
    await advance(0);
    expect([answer, timers.size]).toEqual(['done', 0]);
  });
});
