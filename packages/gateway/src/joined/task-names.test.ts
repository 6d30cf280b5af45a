import { expect, it } from 'vitest';
import { TaskNames } from './task-names.ts';

it('leaves an id to whoever names it first, and puts the name of the server in front of the others', () => {
  const tasks = new TaskNames();
  expect([tasks.nameOf('a', '1'), tasks.nameOf('b', '1'), tasks.nameOf('a', '1')]).toEqual(['1', 'b:1', '1']);
  expect([tasks.find('1'), tasks.find('b:1'), tasks.find('2')]).toEqual([
    { upstream: 'a', own: '1' },
    { upstream: 'b', own: '1' },
    undefined,
  ]);
});

it('is not led astray by ids that look like those', () => {
  const tasks = new TaskNames();
  const given = [
    ['a', 'b:1'],
    ['a', '1'],
    ['b', '1'],
    ['b', 'b:1'],
    ['b', 'b:b:1'],
  ] as const;
  const names = given.map(([upstream, own]) => tasks.nameOf(upstream, own));
  expect(new Set(names).size).toBe(5);
  expect(names.map((name) => tasks.find(name))).toEqual(given.map(([upstream, own]) => ({ upstream, own })));
});
