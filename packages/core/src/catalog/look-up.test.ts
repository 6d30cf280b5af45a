import { expect, test } from 'vitest';
import { buildCatalogue } from './catalogue.ts';
import { lookUp, termsOf } from './look-up.ts';

const catalogue = buildCatalogue();
const found = (query: string | number): readonly string[] =>
  lookUp(catalogue, query).codes.map(({ source, kind }) => `${source} ${kind}`);

test.each([
  ['-32003', ['closient rate_limited', 'erlmcp not_found']],
  [-32003, ['closient rate_limited', 'erlmcp not_found']],
  [' +3001 ', ['onx rate_limited']],
  ['RateLimitExceeded', ['onx rate_limited']],
  ['rate limit exceeded', ['onx rate_limited']],
  ['econnrefused', ['errno unavailable']],
  ['Server not initialized', ['erlmcp not_ready']],
  ['400', ['platica invalid_arguments', 'platica invalid_arguments', 'http invalid_arguments']],
  ['Must specify a valid workspace', ['platica invalid_arguments']],
  ['Must specify a valid workspace: one of ws_norte, ws_sur', ['platica invalid_arguments']],
  ['Must specify a valid workspaces', []],
  ['Resource template not found: file:///{x}', ['erlmcp not_found']],
  ['Not found: order 7', []],
  ['499', ['http cancelled']],
  ['498765', []],
  ['__proto__', []],
  ['', []],
  ['---', []],
])('finds every meaning of %j', (query, meanings) => {
  expect(found(query)).toEqual(meanings);
});

test('gives a status that nobody defined the meaning of its class', () => {
  expect(found('477')).toEqual(['http invalid_request']);
  expect(found('299')).toEqual([]);
});

test('finds a kind by its name before any message, by its title after', () => {
  expect(lookUp(catalogue, 'rate-limited').kind?.kind).toBe('rate_limited');
  expect(lookUp(catalogue, 'connection lost').kind?.kind).toBe('disconnected');
  expect(lookUp(catalogue, 'unauthorized').kind).toBeUndefined();
});

test('finds everything that it offers as a term', () => {
  const lost = termsOf(catalogue).filter((term) => {
    const { kind, codes } = lookUp(catalogue, term);
    return kind === undefined && codes.length === 0;
  });
  expect(lost).toEqual([]);
});
