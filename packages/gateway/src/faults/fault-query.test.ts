import { describe, expect, it } from 'vitest';
import type { FaultEntry } from './fault-log.ts';
import { faultQueryOf } from './fault-query.ts';

const ENTRIES = [
  {
    at: 1_000,
    upstream: 'shop',
    target: 'pay',
    caller: 'ann',
    fault: { kind: 'timeout', correlation_id: 'c1' },
  },
  {
    at: 2_000,
    upstream: 'web',
    target: 'get',
    caller: null,
    fault: { kind: 'not_found', correlation_id: 'c2' },
  },
  {
    at: 3_000,
    upstream: 'shop',
    target: null,
    caller: 'ben',
    fault: { kind: 'not_found', correlation_id: 'c3' },
  },
] as unknown as readonly FaultEntry[];

function found(query: string): readonly number[] | string {
  const read = faultQueryOf(`/-/faults${query}`);
  return 'wrong' in read ? read.wrong : ENTRIES.filter(read.fits).map(({ at }) => at);
}

describe('which failures an operator asks for', () => {
  it.each([
    ['', [1_000, 2_000, 3_000]],
    ['?upstream=shop', [1_000, 3_000]],
    ['?upstream=shop&kind=not_found', [3_000]],
    ['?target=pay', [1_000]],
    ['?caller=ben', [3_000]],
    ['?correlation_id=c2', [2_000]],
    ['?since=2000', [2_000, 3_000]],
    ['?since=1970-01-01T00:00:02.500Z', [3_000]],
    ['?kind=nothing', []],
  ])('%s', (query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  it.each([
    ['?limit=abc', 'limit is a number from 1 to 1000'],
    ['?limit=0', 'limit is a number from 1 to 1000'],
    ['?limit=-1', 'limit is a number from 1 to 1000'],
    ['?limit=1001', 'limit is a number from 1 to 1000'],
    ['?since=yesterday', 'since is a time, such as 2026-01-31T12:00:00Z or milliseconds since 1970'],
    [
      '?tool=pay',
      'Nothing is called "tool" here; use limit, since, upstream, kind, target, caller, correlation_id',
    ],
  ])('%s is refused, not taken for everything', (query, words) => {
    expect(found(query)).toBe(words);
  });

  it('counts no more than was asked for', () => {
    expect(faultQueryOf('/-/faults?limit=7')).toMatchObject({ limit: 7 });
    expect(faultQueryOf('/-/faults')).toMatchObject({ limit: 100 });
  });
});
