import { expect, it } from 'vitest';
import { ago, counted, duration, span } from './times.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');

it.each([
  ['2026-11-16T12:00:00Z', 'now'],
  ['2026-11-16T12:00:01Z', 'now'],
  ['2026-11-16T11:59:48Z', '12 s ago'],
  ['2026-11-16T11:57:00Z', '3 min ago'],
  ['2026-11-16T09:30:00Z', '2 h ago'],
  ['2026-11-12T12:00:00Z', '4 days ago'],
  ['2026-11-16T12:04:30Z', 'in 4 min'],
  ['whenever', 'whenever'],
])('%s is %s', (at, said) => {
  expect(ago(at, NOW)).toBe(said);
});

it('says durations and numbers in few words', () => {
  expect([span(-5), span(59_999), duration(37.6), duration(2490)]).toEqual(['0 s', '59 s', '38 ms', '2.5 s']);
  expect([counted(1, 'fault'), counted(0, 'fault'), counted(2, 'try', 'tries')]).toEqual([
    '1 fault',
    '0 faults',
    '2 tries',
  ]);
});
