import { expect, it } from 'vitest';
import { ago, bytes, counted, duration, exactSpan, span } from './times.ts';

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

it('says what somebody has set as it was set', () => {
  expect([60_000, 90_000, 1500, 86_400_000, 7_200_000, 1].map(exactSpan)).toEqual([
    '1 min',
    '90 s',
    '1500 ms',
    '1 d',
    '2 h',
    '1 ms',
  ]);
  expect([0, 1, 1023, 1536, 16_777_216, 2 ** 40].map(bytes)).toEqual([
    '0 B',
    '1 B',
    '1023 B',
    '1.5 KiB',
    '16 MiB',
    '1024 GiB',
  ]);
});
