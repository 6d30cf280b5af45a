/** What a bundle must not weigh more than: whoever adds to one of these sees it here. */
import { expect, test } from 'vitest';
import { ENTRIES } from '../bench/size/entries.ts';
import { weigh } from '../bench/size/weigh.ts';

const bounded = ENTRIES.filter(({ limit }) => limit !== undefined);

test('the compact paths have limits', () => {
  const compact = ENTRIES.filter(({ name }) => name.startsWith('compact:'));
  expect(compact.filter(({ limit }) => limit === undefined)).toEqual([]);
  expect(compact.length).toBe(18);
});

test.each(bounded.map(({ name, limit, source }) => [name, limit ?? 0, source] as const))(
  '%s weighs no more than %d kB',
  async (_name, limit, source) => {
    const { gzipped } = await weigh(source);
    expect(gzipped).toBeLessThanOrEqual(limit);
    // What is far below its limit has a limit that says nothing.
    expect(gzipped).toBeGreaterThan(limit * 0.85);
  },
);
