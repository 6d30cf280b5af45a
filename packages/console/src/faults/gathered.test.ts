import { expect, it } from 'vitest';
import type { FaultDocument, FaultMemory } from '../api/documents.ts';
import { fromMemory, memoryOf, withNewer, withOlder } from './gathered.ts';

const fault = (id: string): FaultDocument => ({
  id,
  at: '2026-11-16T12:00:00Z',
  kind: 'timeout',
  origin: 'upstream',
  message: 'Slow',
  details: { target: 'pay' },
});
const ids = (faults: readonly FaultDocument[]): string => faults.map(({ id }) => id).join(' ');

const memory = (at: number, target: string, message: string): FaultMemory => ({
  at,
  upstream: 'bank',
  method: 'tools/call',
  target,
  caller: null,
  from: null,
  to: 'mayday',
  certainty: 1,
  attempts: 1,
  durationMs: 3,
  original: '',
  fault: { kind: 'timeout', origin: 'upstream', message, executed: 'maybe' },
});

it('has the newest first, and each once', () => {
  const first = [fault('2'), fault('1')];
  expect(ids(withNewer(first, [fault('2'), fault('3'), fault('4')]))).toBe('4 3 2 1');
  expect(ids(withOlder(first, [fault('1'), fault('0')]))).toBe('2 1 0');
  expect(withNewer(first, [fault('1')])).toBe(first);
});

it('keeps a thousand', () => {
  const many = Array.from({ length: 1500 }, (_, index) => fault(String(index)));
  const kept = withNewer([], many);
  expect([kept.length, kept[0]?.id]).toEqual([1000, '1499']);
});

it('tells of a memory as the journal does', () => {
  expect(fromMemory(memory(0, 'pay', 'Slow'))).toMatchObject({
    at: '1970-01-01T00:00:00.000Z',
    kind: 'timeout',
    upstream: 'bank',
    message: 'Slow',
    details: { target: 'pay', executed: 'maybe', correlation_id: null },
  });
});

it('finds the memory of a failure: the same words and tool, the nearest in time', () => {
  const noon = Date.parse('2026-11-16T12:00:00Z');
  const near = memory(noon + 400, 'pay', 'Slow');
  const others = [
    memory(noon + 2000, 'pay', 'Slow'),
    memory(noon, 'see', 'Slow'),
    memory(noon, 'pay', 'Gone'),
  ];
  expect(memoryOf(fault('1'), [...others, near])).toBe(near);
  expect(memoryOf(fault('1'), others.slice(1))).toBeUndefined();
});
