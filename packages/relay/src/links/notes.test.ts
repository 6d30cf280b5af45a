import { expect, it } from 'vitest';
import { createNotes } from './notes.ts';

it('tells so much in a window of time, counts the rest, and goes on', () => {
  const told: string[] = [];
  let now = 0;
  const note = createNotes((text) => told.push(text), { now: () => now, limit: 2, windowMs: 1000 });
  for (const text of ['a', 'b', 'c', 'd']) note(text);
  now = 999;
  note('e');
  now = 1000;
  note('f');
  note('g');
  expect(told).toEqual([
    'a',
    'b',
    'more than 2 notes in 1 s; the rest of them is left out',
    'f (3 notes before this one were left out)',
    'g',
  ]);
});

it('tells one printable line', () => {
  const told: string[] = [];
  createNotes((text) => told.push(text), { now: () => 0 })(`\u001b[2J\r\n${'x'.repeat(1000)}`);
  expect(told).toEqual([` ${'x'.repeat(398)}…`]);
});

it('tells nothing of a secret in colours, or in the line behind its name', () => {
  const told: string[] = [];
  const note = createNotes((text) => told.push(text), { now: () => 0 });
  note('said: \u001b[31mpassword\u001b[0m=\u001b[33mTr0ub4dorX\u001b[0m');
  note('said:\nuser\tpassword\nsvc\tTr0ub4dorX');
  expect(told).toEqual(['said: password=[password:1]', 'said: user password svc [password:1]']);
});

it('is not ended by who listens, nor by nobody listening', () => {
  const note = createNotes(
    () => {
      throw new Error('no');
    },
    { now: () => 0 },
  );
  note('x');
  createNotes(undefined, { now: () => 0 })('x');
});
