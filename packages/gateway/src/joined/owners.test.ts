import { expect, it } from 'vitest';
import { Owners } from './owners.ts';

it('remembers the latest, in as much room as there is', () => {
  const owners = new Owners();
  const long = (i: number): string => `a://${i}/`.padEnd(4096, 'u');
  for (let i = 0; i < 3000; i++) owners.set(long(i), 'a');
  expect([...owners.names()].length).toBe(1024);
  expect([owners.of(long(2999)), owners.of(long(1976)), owners.of(long(1975))]).toEqual([
    'a',
    'a',
    undefined,
  ]);
});

it('forgets nothing that is listed: 20 000 of each of two servers', () => {
  const owners = new Owners();
  for (let i = 0; i < 20_000; i++) for (const server of ['a', 'b']) owners.set(`${server}_tool_${i}`, server);
  expect([owners.of('a_tool_0'), owners.of('b_tool_19999')]).toEqual(['a', 'b']);
});

it('takes no name that is longer than anybody needs', () => {
  const owners = new Owners();
  owners.set('u'.repeat(4097), 'a');
  expect([...owners.names()]).toEqual([]);
});

it('takes for likely what was known before, and for certain what is learned again', () => {
  const before = new Owners();
  before.set('a://1', 'a');
  before.set('a://2', 'a');
  const owners = before.doubted().doubted();
  owners.set('a://2', 'b');
  expect([owners.of('a://1'), owners.likely('a://1')]).toEqual([undefined, 'a']);
  expect([owners.of('a://2'), owners.likely('a://2')]).toEqual(['b', 'b']);
  expect(before.of('a://2')).toBe('a');
});
