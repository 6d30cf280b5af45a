import { expect, it } from 'vitest';
import type { FaultDocument } from '../api/documents.ts';
import { fits, NO_FILTER, valuesOf } from './filter.ts';

const fault = (
  id: string,
  upstream: string,
  kind: string,
  target: string,
  message: string,
): FaultDocument => ({
  id,
  at: '2026-11-16T12:00:00Z',
  kind,
  origin: 'upstream',
  upstream,
  message,
  details: { target, caller: 'ann', correlation_id: `c-${id}` },
});

const ALL = [
  fault('1', 'bank', 'timeout', 'pay', 'Too slow'),
  fault('2', 'bank', 'not_found', 'see', 'No account A-17'),
  fault('3', 'shop', 'timeout', 'buy', 'Too slow again'),
];

it.each([
  [{}, ['1', '2', '3']],
  [{ upstream: 'bank' }, ['1', '2']],
  [{ kind: 'timeout' }, ['1', '3']],
  [{ upstream: 'bank', kind: 'timeout' }, ['1']],
  [{ words: 'PAY' }, ['1']],
  [{ words: 'account a-17' }, ['2']],
  [{ words: 'slow buy' }, ['3']],
  [{ words: 'c-2' }, ['2']],
  [{ words: '  ' }, ['1', '2', '3']],
  [{ words: 'nobody said this' }, []],
])('%j shows %j', (chosen, ids) => {
  expect(ALL.filter((one) => fits(one, { ...NO_FILTER, ...chosen })).map(({ id }) => id)).toEqual(ids);
});

it('offers what there is', () => {
  expect([valuesOf(ALL, 'upstream'), valuesOf(ALL, 'kind')]).toEqual([
    ['bank', 'shop'],
    ['not_found', 'timeout'],
  ]);
});
