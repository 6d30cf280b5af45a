import { expect, it } from 'vitest';
import { bucketsOf } from './buckets.ts';

const RANGE = { name: '1 hour', spanMs: 3_600_000, barMs: 900_000 };
const NOW = Date.parse('2026-11-16T12:07:00Z');

it('makes bars of equal width up to now, those with nothing too', () => {
  const counts = [
    { at: '2026-11-16T10:59:00Z', count: 100 },
    { at: '2026-11-16T11:15:00Z', count: 1 },
    { at: '2026-11-16T11:29:00Z', count: 2 },
    { at: '2026-11-16T12:00:00Z', count: 4 },
    { at: '2026-11-16T12:20:00Z', count: 8 },
  ];
  expect(bucketsOf(counts, RANGE, NOW)).toEqual([
    { from: Date.parse('2026-11-16T11:15:00Z'), count: 3 },
    { from: Date.parse('2026-11-16T11:30:00Z'), count: 0 },
    { from: Date.parse('2026-11-16T11:45:00Z'), count: 0 },
    { from: Date.parse('2026-11-16T12:00:00Z'), count: 12 },
  ]);
});
