import { expect, it } from 'vitest';
import type { FaultDocument, FaultMemory } from '../api/documents.ts';
import { begun, fromMemory, type Gathered, goOn, hold, memoryOf, withNewer, withOlder } from './gathered.ts';

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

const many = (from: number, count: number): FaultDocument[] =>
  Array.from({ length: count }, (_, index) => fault(String(from + index)));
const of = (faults: readonly FaultDocument[], hasJournal = true): Gathered =>
  begun(faults, { hasOlder: false, hasJournal });

it('has the newest first, and each once', () => {
  const first = of([fault('2'), fault('1')]);
  expect(ids(withNewer(first, [fault('2'), fault('3'), fault('4')]).shown)).toBe('4 3 2 1');
  expect(ids(withOlder(first, [fault('1'), fault('0')], false).shown)).toBe('2 1 0');
  expect(withNewer(first, [fault('1')])).toBe(first);
});

it('keeps a thousand, and knows that there are older ones, if anybody has them', () => {
  const kept = withNewer(of([]), many(0, 1500));
  expect([kept.shown.length, kept.shown[0]?.id, kept.hasOlder]).toEqual([1000, '1499', true]);
  expect(withNewer(of([], false), many(0, 1500)).hasOlder).toBe(false);
  expect(withNewer(of([]), many(0, 1000)).hasOlder).toBe(false);
});

it('takes away no more than comes in of what was asked for', () => {
  const asked = withOlder(withNewer(of([]), many(2000, 1000)), many(500, 1500).reverse(), false);
  const one = withNewer(asked, [fault('3000')]);
  expect([asked.shown.length, one.shown.length, one.hasOlder]).toEqual([2500, 2500, true]);
  expect([one.shown[0]?.id, one.shown.at(-1)?.id]).toEqual(['3000', '501']);
});

it('holds still, takes older ones meanwhile, and goes on with all that came', () => {
  const held = withNewer(hold(of([fault('2')])), [fault('3'), fault('4')]);
  expect([ids(held.shown), held.held?.came]).toEqual(['2', 2]);
  const older = withOlder(held, [fault('1')], true);
  expect([ids(older.shown), older.hasOlder]).toEqual(['2 1', true]);
  expect(ids(goOn(withNewer(older, [fault('4'), fault('5')])).shown)).toBe('5 4 3 2 1');
  expect(goOn(older).held).toBeUndefined();
});

it('counts all that came while it was held, and leaves no gap', () => {
  const held = withNewer(hold(of([fault('1')])), many(10, 1100));
  expect(held.held?.came).toBe(1100);
  const { shown, hasOlder } = goOn(held);
  expect([shown.length, shown[0]?.id, shown.at(-1)?.id, hasOlder]).toEqual([1000, '1109', '110', true]);
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
