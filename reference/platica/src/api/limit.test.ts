import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { createLimit } from './limit.ts';
import { openStore } from './store.ts';

describe('the limit of a key', () => {
  it('refuses with 429 and the usual headers, and opens again when the second is over', () => {
    let now = 10_500;
    const folder = tempFolder();
    const count = createLimit(openStore(folder), 2, () => now);
    const elsewhere = createLimit(openStore(folder), 2, () => now);
    count('a');
    elsewhere('a');
    count('b');
    expect(refusalOf(() => count('a'))).toEqual([429, '1', '2', '0', '12']);
    now = 11_500;
    expect(refusalOf(() => count('a'))).toBeUndefined();
  });
});

function refusalOf(run: () => void): unknown[] | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    const { status, headers } = thrown as Response;
    const names = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
    return [status, ...names.map((name) => headers.get(name))];
  }
}
