/** A sample of `npm run bench:duplicates`: one form of each kind, with everybody. */
import { expect, it } from 'vitest';
import { allCells, controlCells, measureCells } from './cells.ts';

const SAMPLE = ['thrown: 429', 'connection cut'];

it('writes that fail after the work are executed once, and reads are repeated', {
  timeout: 180_000,
}, async () => {
  const measured = await measureCells(allCells(SAMPLE));
  expect(measured).toHaveLength(24);
  expect(measured.filter(({ effects }) => effects !== 1)).toEqual([]);
  expect(measured.filter(({ isRead }) => !isRead)).toEqual([]);
});

it('so are those of a process that dies after the work', { timeout: 180_000 }, async () => {
  const ours = allCells(['the process dies']).filter(({ caller }) => caller === 'SDK v2');
  const measured = await measureCells(ours);
  expect(measured).toHaveLength(4);
  expect(measured.filter(({ effects, isRead }) => effects !== 1 || !isRead)).toEqual([]);
});

it('sees it when somebody does repeat them', { timeout: 180_000 }, async () => {
  const measured = await measureCells(controlCells(['text: fetch failed', 'connection cut']));
  expect(measured.map(({ effects }) => effects)).toEqual([3, 3]);
});
