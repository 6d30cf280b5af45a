import { read } from '@mayday/core';
import { buildCatalogue } from '@mayday/core/catalog';
import { expect, test } from 'vitest';
import { generatedParts, newPage, updatePage } from '../scripts/fault-pages.ts';

const catalogue = buildCatalogue();

test.each(catalogue.kinds.map(({ kind, example }) => [kind, example] as const))(
  'the example of %s reads as that kind',
  (kind, example) => {
    const reading = read(example);
    expect(reading.failure && reading.fault.kind).toBe(kind);
  },
);

test('an update changes what stands between the markers and nothing else', () => {
  const page = 'before\n<!-- generated: a -->\nold\n<!-- end: a -->\nafter\n';
  expect(updatePage(page, { a: 'new' })).toBe('before\n<!-- generated: a -->\nnew\n<!-- end: a -->\nafter\n');
});

test('a page without its markers is refused, not overwritten', () => {
  expect(() => updatePage('by hand', { a: 'new' })).toThrow(
    'Expected the markers <!-- generated: a --> and <!-- end: a --> in the page',
  );
});

test('a new page has a place for every generated part', () => {
  expect(() => updatePage(newPage('timeout'), generatedParts('timeout', catalogue))).not.toThrow();
});
