import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { boundedLines } from './bounded-lines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('tells so many lines in a minute, counts the rest, tells the last, and begins anew', async () => {
  const told: string[] = [];
  const line = boundedLines({
    perMinute: 2,
    tell: (text) => told.push(text),
    leftOut: (count) => `${count} left out`,
  });
  for (let i = 1; i <= 5; i++) line(`first ${i}`);
  expect(told).toEqual(['first 1', 'first 2', 'the rest left out']);
  await vi.advanceTimersByTimeAsync(60_000);
  for (let i = 1; i <= 2; i++) line(`second ${i}`);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(told.slice(3)).toEqual(['3 left out', 'first 5', 'second 1', 'second 2']);
});
