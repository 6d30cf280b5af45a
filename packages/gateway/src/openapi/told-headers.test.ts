import { expect, it } from 'vitest';
import { headersBeside } from './told-headers.ts';

const query = new Map([
  ['page', { argument: 'page', isNumber: true }],
  ['after', { argument: 'after', isNumber: false }],
]);

it.each([
  ['</x?page=3>; rel="next"', ['There is more: call again with {"page":3}'], { next: { page: 3 } }],
  [
    '</x?page=abc&after=z>; rel="next"',
    ['There is more: call again with {"after":"z"}'],
    { next: { after: 'z' } },
  ],
  ['</x?page=abc>; rel="next"', ['There is more, but no argument of this operation asks for it'], undefined],
  ['</x?cursor=1>; rel="next"', ['There is more, but no argument of this operation asks for it'], undefined],
  ['</x?page=1>; rel="prev"', [], undefined],
])('tells of a next page what can be asked for: %s', (link, lines, meta) => {
  const said = { status: 200, headers: { link }, query, isBodiless: false, takesVersions: false };
  expect(headersBeside(said)).toEqual({ lines, meta });
});
