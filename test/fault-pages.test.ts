import { readdirSync, readFileSync } from 'node:fs';
import { KIND_NAMES, read } from '@mayday/core';
import { buildCatalogue } from '@mayday/core/catalog';
import { expect, test } from 'vitest';
import { generatedParts, newPage, updatePage } from '../scripts/fault-pages.ts';

const folder = new URL('../docs/faults/', import.meta.url);
const catalogue = buildCatalogue();
const pages = ['README', ...KIND_NAMES] as const;

test('there is one page for every kind, and none for anything else', () => {
  expect(readdirSync(folder).sort()).toEqual(pages.map((page) => `${page}.md`).sort());
});

test.each(pages)('the generated parts of %s are up to date; if not: npm run docs', (page) => {
  const text = readFileSync(new URL(`${page}.md`, folder), 'utf8');
  expect(text).toBe(updatePage(text, generatedParts(page, catalogue)));
});

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
