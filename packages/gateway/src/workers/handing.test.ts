/** Connections on their way to workers. */
import { Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createHanding, type Handing, type Taker } from './handing.ts';

let handed: string[] = [];
let there: number[] = [];
const taker = (number: number): Taker => ({
  number,
  hand: (id) => void handed.push(`${id} to ${number}`),
});

function start(...workers: number[]): Handing {
  handed = [];
  there = workers;
  let count = 0;
  return createHanding(
    () => there.map(taker),
    () => count++, // they stay in their order
  );
}

afterEach(() => {
  vi.useRealTimers();
});

it('takes turns, and lets go of what was taken', () => {
  const handing = start(1, 2);
  const sockets = [new Socket(), new Socket(), new Socket()];
  for (const socket of sockets) handing.take(socket, 'callers');
  expect(handed).toEqual(['1 to 1', '2 to 2', '3 to 1']);
  handing.taken(2);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
});

it('hands what a dead worker has not taken to another', () => {
  const handing = start(1, 2);
  for (let i = 0; i < 3; i++) handing.take(new Socket(), 'callers');
  handing.taken(1);
  there = [2];
  handing.again(1);
  expect(handed.slice(3)).toEqual(['3 to 2']);
});

it('does not have all connections that come in pairs begin with the same worker', () => {
  handed = [];
  const handing = createHanding(() => [taker(1), taker(2)]);
  for (let i = 0; i < 200; i++) handing.take(new Socket(), 'callers');
  const firsts = handed.filter((_, i) => i % 2 === 0);
  const toOne = firsts.filter((line) => line.endsWith(' to 1')).length;
  expect(toOne).toBeGreaterThan(20);
  expect(toOne).toBeLessThan(80);
  expect(handed.filter((line) => line.endsWith(' to 1'))).toHaveLength(100);
  handing.close();
});

it('hands one that did not come along to another, unless its caller has gone', () => {
  const handing = start(1, 2);
  const sockets = [new Socket(), new Socket()];
  for (const socket of sockets) handing.take(socket, 'callers');
  sockets[0]?.destroy();
  for (const id of [1, 2, 3]) handing.missed(id);
  expect(handed).toEqual(['1 to 1', '2 to 2', '2 to 1']);
});

it('hands on however many come at once, and has only so many wait for somebody to come', () => {
  const handing = start(1);
  const crowd = Array.from({ length: 3000 }, () => new Socket());
  for (const socket of crowd) handing.take(socket, 'callers');
  expect(handed).toHaveLength(3000);
  expect(crowd.filter(({ destroyed }) => destroyed)).toEqual([]);
  there = [];
  handing.again(1);
  expect(crowd.map(({ destroyed }) => destroyed)).toEqual(crowd.map((_, i) => i >= 1024));
  there = [2];
  handing.again();
  expect(handed.slice(3000)).toHaveLength(1024);
  handing.close();
});

it('keeps those that come while nobody is there, for a while', () => {
  vi.useFakeTimers();
  const handing = start();
  const [first, second] = [new Socket(), new Socket()];
  handing.take(first, 'callers');
  vi.advanceTimersByTime(9000);
  handing.take(second, 'callers');
  vi.advanceTimersByTime(2000);
  there = [1];
  handing.again();
  expect([first.destroyed, second.destroyed, handed]).toEqual([true, false, ['2 to 1']]);
  vi.advanceTimersByTime(40_000);
  expect(second.destroyed).toBe(false);
});

it('lets go of what was handed to a worker that never says a word about it', () => {
  vi.useFakeTimers();
  const handing = start(1);
  const [taken, lost] = [new Socket(), new Socket()];
  handing.take(taken, 'callers');
  handing.take(lost, 'callers');
  vi.advanceTimersByTime(44_000);
  expect(lost.destroyed).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(lost.destroyed).toBe(true);
});
