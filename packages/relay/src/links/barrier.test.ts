import { expect, it } from 'vitest';
import { barrier } from './barrier.ts';

it('tells what was thrown by its name, and not by what it says', () => {
  const told: string[] = [];
  for (const thrown of [new RangeError('secret'), 'secret', null]) {
    barrier(
      () => {
        throw thrown;
      },
      (what) => told.push(what),
    );
  }
  barrier(
    () => {},
    (what) => told.push(what),
  );
  expect(told).toEqual(['RangeError', 'string', 'object']);
});
