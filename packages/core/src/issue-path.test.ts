import { expect, it } from 'vitest';
import { read } from './index.ts';
import { pathFrom } from './issue-path.ts';

it.each([
  ['/items/0/qty', ['items', 0, 'qty']],
  ['#/items/0/qty', ['items', 0, 'qty']],
  ['#/a~1b/m~0n', ['a/b', 'm~n']],
  ['#/caf%C3%A9/a%20b', ['café', 'a b']],
  ['#/100%', ['100%']],
  ['/100%25', ['100%25']],
  ['#', []],
  ['#1', ['#1']],
  ['items.0.qty', ['items', 0, 'qty']],
])('%s', (said, path) => {
  expect(pathFrom(said)).toEqual(path);
});

it('reads the fields of a problem document', () => {
  const body = JSON.stringify({
    title: 'Your request is not valid.',
    errors: [
      { detail: 'must be a positive integer', pointer: '#/age' },
      { detail: "must be 'green', 'red' or 'blue'", pointer: '#/profile/color' },
    ],
  });
  const headers = { 'content-type': 'application/problem+json' };
  expect(read({ http: { status: 422, headers, body } })).toMatchObject({
    fault: { issues: [{ path: ['age'] }, { path: ['profile', 'color'] }] },
  });
});
