import { expect, it } from 'vitest';
import { metaOf, paramsOf, resultOf } from './params.ts';

it('gives out objects', () => {
  const message = { params: { _meta: { a: 1 } }, result: { b: 2 } };
  expect([paramsOf(message), metaOf(message), resultOf(message)]).toEqual([
    { _meta: { a: 1 } },
    { a: 1 },
    { b: 2 },
  ]);
});

it.each([
  undefined,
  null,
  7,
  'x',
  [],
  { params: [], result: 1 },
  { params: null },
  { params: { _meta: [] } },
])('gives nothing out of %j', (message) => {
  expect([metaOf(message), resultOf(message)]).toEqual([undefined, undefined]);
});
