import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildCatalogue, type CatalogueCode } from './catalogue.ts';
import { checkLock, isLock, type Lock, lockOf } from './lock.ts';

const catalogue = buildCatalogue();
const committed = JSON.parse(
  readFileSync(new URL('../../catalog.lock.json', import.meta.url), 'utf8'),
) as unknown;

test('the catalogue keeps what the committed lock promises', () => {
  expect(isLock(committed)).toBe(true);
  expect(checkLock(committed as Lock, catalogue)).toEqual([]);
});

test('the committed lock holds every code; after adding one: npx mayday catalog lock > packages/core/catalog.lock.json', () => {
  expect(lockOf(catalogue)).toEqual(committed);
});

/** The catalogue with one code of Closient's changed or left out. */
function changed(code: number, change?: Partial<CatalogueCode>): { codes: readonly CatalogueCode[] } {
  const isIt = (entry: CatalogueCode): boolean => entry.source === 'closient' && entry.code === code;
  return {
    codes: catalogue.codes
      .filter((entry) => change !== undefined || !isIt(entry))
      .map((entry) => (isIt(entry) ? { ...entry, ...change } : entry)),
  };
}

test.each([
  ['removed', undefined, 'removed', 'closient -32201 (conflict) was removed'],
  ['renumbered', { code: -32250 }, 'renumbered', 'closient -32201 (conflict) was renumbered to -32250'],
  [
    'renamed',
    { name: 'clash' },
    'changed',
    'closient -32201 (conflict) changed its meaning: name was conflict, is clash',
  ],
  [
    'another kind',
    { kind: 'timeout' },
    'changed',
    'closient -32201 (conflict) changed its meaning: kind was conflict, is timeout',
  ],
  [
    'another subject',
    { subject: 'order' },
    'changed',
    'closient -32201 (conflict) changed its meaning: subject was none, is order',
  ],
  [
    'retryable',
    { retryable: true },
    'changed',
    'closient -32201 (conflict) changed its meaning: retryable was false, is true',
  ],
] as const)('reports a code that is %s', (_what, change, kind, message) => {
  expect(checkLock(lockOf(catalogue), changed(-32201, change))).toEqual([
    { source: 'closient', code: '-32201', change: kind, message },
  ]);
});

test('reports a code whose number went to another one as well', () => {
  const swapped = changed(-32201, { code: -32202 });
  const taken = {
    codes: swapped.codes.map((entry) =>
      entry.source === 'closient' && entry.code === -32200 ? { ...entry, code: -32201 } : entry,
    ),
  };
  expect(checkLock(lockOf(catalogue), taken).map(({ message }) => message)).toEqual([
    'closient -32200 (not_found) was renumbered to -32201',
    'closient -32201 (conflict) was renumbered to -32202',
  ]);
});

test('does not take a namesake for a renumbering', () => {
  const without = { codes: catalogue.codes.filter((entry) => entry.code !== 1095) };
  expect(checkLock(lockOf(catalogue), without)).toMatchObject([{ change: 'removed', code: '1095' }]);
});

test('passes a catalogue that only grew', () => {
  const { codes } = buildCatalogue({ application: [{ code: 'NEW', kind: 'timeout', meaning: 'Too slow' }] });
  expect(checkLock(lockOf(catalogue), { codes })).toEqual([]);
});

test('reports every code of a source that is gone', () => {
  const lock: Lock = { gone: { 1: { name: 'one', kind: 'timeout', subject: null, retryable: true } } };
  expect(checkLock(lock, catalogue)).toMatchObject([{ source: 'gone', code: '1', change: 'removed' }]);
});

test('is the same, whatever the order of the codes', () => {
  const reversed = { codes: [...catalogue.codes].reverse() };
  expect(JSON.stringify(lockOf(reversed))).toBe(JSON.stringify(lockOf(catalogue)));
});

test('promises nothing about the codes of others', () => {
  expect(Object.keys(lockOf(catalogue)).filter((source) => /http|errno|sdk/.test(source))).toEqual([]);
});

test.each([
  [null],
  [[]],
  [{ closient: [] }],
  [{ closient: { '-32001': { name: 'unauthorized' } } }],
  [{ closient: { '-32001': { name: 'a', kind: 'b', subject: 1, retryable: true } } }],
])('%j is no lock', (value) => {
  expect(isLock(value)).toBe(false);
});

test('survives prototype names as sources and codes', () => {
  const entry = '{"name":"a","kind":"b","subject":null,"retryable":true}';
  const lock = JSON.parse(`{"__proto__":{"constructor":${entry}},"closient":{"__proto__":${entry}}}`) as Lock;
  expect(checkLock(lock, catalogue).map(({ change }) => change)).toEqual(['removed', 'removed']);
});
