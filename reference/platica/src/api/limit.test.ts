import { openCounts } from '@mayday/reference-shared';
import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { createLimit, WINDOW_MS } from './limit.ts';

describe('the limit of a key', () => {
  it('refuses with 429 and the usual headers, and opens again when the second is over', () => {
    let now = 10_500;
    const folder = tempFolder();
    const count = createLimit(openCounts(folder, WINDOW_MS), 2, () => now);
    const elsewhere = createLimit(openCounts(folder, WINDOW_MS), 2, () => now);
    count('a');
    elsewhere('a');
    count('b');
    expect(refusalOf(() => count('a'))).toEqual([429, '1', '2', '0', '12']);
    now = 11_500;
    expect(refusalOf(() => count('a'))).toBeUndefined();
  });

  it('holds in any second, also across the end of one', () => {
    let now = 10_000;
    const count = createLimit(openCounts(tempFolder(), WINDOW_MS), 2, () => now);
    count('a');
    now = 10_900;
    count('a');
    now = 11_000;
    count('a');
    now = 11_800;
    expect(refusalOf(() => count('a'))?.[0]).toBe(429);
    now = 11_900;
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
