import { expect, it } from 'vitest';
import { createMemoryPlaces, type Place } from './places.ts';

it('gives places, keeps a line, and refuses beyond it', async () => {
  const places = createMemoryPlaces();
  const wish = { key: 'a', limit: 1, queue: 1 };
  const first = places.acquire(wish) as Place;
  const second = places.acquire(wish);
  expect([second instanceof Promise, places.acquire(wish)]).toEqual([true, undefined]);
  expect(places.acquire({ ...wish, key: 'b' })).toBeDefined();
  await first.release();
  const place = await second;
  expect(place).toBeDefined();
  await first.release();
  expect(places.acquire({ ...wish, queue: 0 })).toBeUndefined();
  await place?.release();
  expect(places.acquire({ ...wish, queue: 0 })).not.toBeInstanceOf(Promise);
});

it('leaves the line with its signal, and cannot be called from there any more', async () => {
  const places = createMemoryPlaces();
  const wish = { key: 'a', limit: 1, queue: 2 };
  const first = places.acquire(wish) as Place;
  const [gone, called] = [new AbortController(), new AbortController()];
  const left = places.acquire({ ...wish, signal: gone.signal });
  const next = places.acquire({ ...wish, signal: called.signal });
  gone.abort();
  expect(await left).toBeUndefined();
  await first.release();
  const place = (await next) as Place;
  called.abort();
  expect(places.acquire({ ...wish, queue: 0 })).toBeUndefined();
  await place.release();
  expect(places.acquire({ ...wish, signal: AbortSignal.abort() })).toBeUndefined();
  expect(places.acquire({ ...wish, queue: 0 })).toBeDefined();
});
