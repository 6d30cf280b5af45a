import { expect, it } from 'vitest';
import { CallerCounts } from './caller-counts.ts';

it('counts what each caller holds', () => {
  const counts = new CallerCounts();
  for (const caller of ['a', 'a', 'b', undefined, '__proto__']) counts.add(caller);
  counts.remove('b');
  counts.remove('b');
  counts.remove(undefined);
  expect(['a', 'b', '__proto__', 'constructor', undefined].map((caller) => counts.of(caller))).toEqual([
    2, 0, 1, 0, 0,
  ]);
});
