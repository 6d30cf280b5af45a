import { expect, it } from 'vitest';
import { createKeepers, type Keepers } from './keepers.ts';
import type { Learned, LivingWorker } from './messages.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

function worker(number: number, pid: number, second: number): LivingWorker {
  return { worker: number, pid, started_at: `2026-01-01T00:00:0${second}.000Z`, restarts: 0 };
}

/** Workers that all see the same ones alive, and tell each other through one that passes on and remembers. */
function crew() {
  const told: Learned[] = [];
  const all = new Map<number, Keepers>();
  let living: readonly LivingWorker[] = [];
  return {
    told,
    see(...now: readonly LivingWorker[]) {
      living = now;
    },
    comes(pid: number, before: readonly Learned[] = told) {
      const keepers = createKeepers({
        living: () => living,
        tell(fact) {
          told.push(fact);
          for (const [other, { hear }] of all) if (other !== pid) hear(fact);
        },
      });
      all.set(pid, keepers);
      for (const fact of [...before]) keepers.hear(fact);
      return keepers;
    },
  };
}

it('keeps with the first what it had when a second comes, and shares the rest out', () => {
  const { see, comes } = crew();
  see(worker(1, 11, 0));
  const one = comes(11);
  expect(NAMES.map((name) => one.of(name))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  see(worker(1, 11, 0), worker(2, 22, 1));
  const two = comes(22);
  expect(NAMES.map((name) => two.of(name))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  const others = ['i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'];
  const kept = others.map((name) => one.of(name));
  expect(others.map((name) => two.of(name))).toEqual(kept);
  expect(new Set(kept)).toEqual(new Set([1, 2]));
});

it('moves what one had that has died, and does not give it back', () => {
  const { see, comes } = crew();
  see(worker(1, 11, 0), worker(2, 22, 1));
  const one = comes(11);
  comes(22);
  const before = NAMES.map((name) => one.of(name));
  expect(new Set(before)).toEqual(new Set([1, 2]));
  see(worker(1, 11, 0));
  expect(NAMES.map((name) => one.of(name))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  see(worker(1, 11, 0), worker(2, 23, 5));
  const back = comes(23);
  expect(NAMES.map((name) => back.of(name))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  expect(NAMES.map((name) => one.of(name))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});

it('corrects one that has not heard who has it', () => {
  const { see, comes } = crew();
  see(worker(1, 11, 0));
  const one = comes(11);
  for (const name of NAMES) one.of(name);
  see(worker(1, 11, 0), worker(2, 22, 1));
  const two = comes(22, []);
  for (const name of NAMES) two.of(name);
  expect(NAMES.map((name) => two.of(name))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  expect(NAMES.map((name) => one.of(name))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});

it('leaves what is about something else to others', () => {
  const { see, comes } = crew();
  see(worker(1, 11, 0));
  expect(comes(11).hear({ begun: '' })).toBe(false);
});
