import { expect, it } from 'vitest';
import { createLimiter } from './concurrency.ts';

it('lets so many in, and the next when one leaves', async () => {
  const limiter = createLimiter({ concurrency: 2 });
  const first = await limiter.acquire();
  await limiter.acquire();
  const third = limiter.acquire();
  expect([limiter.active, limiter.waiting]).toEqual([2, 1]);
  first?.();
  expect(await third).toBeTypeOf('function');
  expect([limiter.active, limiter.waiting]).toEqual([2, 0]);
});

it('gives a place back once, however often it is asked to', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  const release = await limiter.acquire();
  release?.();
  release?.();
  expect(limiter.active).toBe(0);
});

it('leaves the line with the signal', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  await limiter.acquire();
  const giveUp = new AbortController();
  const waiting = limiter.acquire(giveUp.signal);
  giveUp.abort();
  expect(await waiting).toBeUndefined();
  expect(limiter.waiting).toBe(0);
});

it('turns away when the line is full', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 0 });
  await limiter.acquire();
  expect(await limiter.acquire()).toBeUndefined();
});

it('says what is wrong with its options', () => {
  expect(() => createLimiter({ concurrency: 0 })).toThrow(
    new TypeError('Expected `concurrency` to be a positive integer, got 0'),
  );
});
