import { expect, it } from 'vitest';
import { Restarts } from './restarts.ts';

it('waits longer with every ending, up to half a minute', () => {
  const restarts = new Restarts();
  const waits: number[] = [];
  for (let i = 0; i < 12; i++) {
    restarts.ended(1000);
    waits.push(restarts.waitMs(1000));
  }
  expect(waits).toEqual([0, 250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  expect([restarts.waitMs(30_999), restarts.waitMs(31_000)]).toEqual([1, 0]);
});

it('forgets what was before when the process does its work', () => {
  const restarts = new Restarts();
  for (let i = 0; i < 5; i++) restarts.ended(0);
  restarts.worked();
  restarts.ended(0);
  expect(restarts.waitMs(0)).toBe(0);
});
