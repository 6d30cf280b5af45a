import { describe, expect, it } from 'vitest';
import { createPaginate } from './cursor.ts';
import { createProgressTokens } from './progress.ts';

function handClock() {
  let now = 1000;
  return {
    now: () => now,
    timer: () => () => {},
    advance: (ms: number): void => {
      now += ms;
    },
  };
}

const codeOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (thrown) {
    return (thrown as { fault: { native: { code: number } } }).fault.native.code;
  }
};

describe('progress tokens', () => {
  it('ER-65 ER-66 are texts or whole numbers, in use once at a time, and known for a while', () => {
    const clock = handClock();
    const tokens = createProgressTokens(clock, 60);
    expect([tokens.begin('a'), tokens.begin(7)]).toEqual(['a', 7]);
    for (const wrong of ['a', 7, 1.5, null, undefined, {}, Number.MAX_SAFE_INTEGER + 1])
      expect(codeOf(() => tokens.begin(wrong))).toBe(-32091);
    expect(tokens.get('a')).toEqual({ progress: 0, total: 0, done: false });
    tokens.advance('a', 1, 4);
    tokens.advance('none', 1, 4);
    expect(tokens.get('a')).toEqual({ progress: 1, total: 4, done: false });
    clock.advance(1000);
    tokens.end('a');
    tokens.end('none');
    clock.advance(59);
    expect(tokens.get('a')).toEqual({ progress: 1, total: 4, done: true });
    clock.advance(1);
    expect([codeOf(() => tokens.get('a')), codeOf(() => tokens.get('none'))]).toEqual([-32092, -32091]);
    expect(tokens.begin('a')).toBe('a');
    expect(tokens.get('a').done).toBe(false);
  });

  it('are a thousand; the oldest is forgotten', () => {
    const tokens = createProgressTokens(handClock(), 60);
    for (let n = 0; n < 1000; n++) tokens.begin(n);
    expect(tokens.get(0).done).toBe(false);
    tokens.begin(1000);
    expect([codeOf(() => tokens.get(0)), tokens.get(1).done]).toEqual([-32091, false]);
  });
});

describe('a cursor', () => {
  it('ER-59 ER-60 leads to the next page of its own list, for a while, and nobody makes one up', () => {
    const clock = handClock();
    const paginate = createPaginate(clock, Buffer.from('secret'), 2, 90_500);
    const list = (cursor?: string, items = [1, 2, 3, 4], method = 'a') =>
      paginate(method, items, cursor === undefined ? {} : { cursor });
    const first = list();
    expect(first.items).toEqual([1, 2]);
    const cursor = first.nextCursor as string;
    expect(cursor).toMatch(/^page-2-1000-[0-9a-f]{16}$/);
    expect(list(cursor)).toEqual({ items: [3, 4] });
    expect(list(undefined, [1, 2])).toEqual({ items: [1, 2] });
    for (const wrong of [cursor.replace('-2-', '-3-'), cursor.replace('-1000-', '-1001-'), `${cursor}0`, ''])
      expect(codeOf(() => list(wrong))).toBe(-32071);
    expect(codeOf(() => list(cursor, [1], 'b'))).toBe(-32071);
    clock.advance(90_499);
    expect(list(cursor).items).toEqual([3, 4]);
    clock.advance(1);
    expect(() => list(cursor)).toThrow(
      expect.objectContaining({ fault: expect.objectContaining({ kind: 'expired' }) }),
    );
    expect(codeOf(() => list(cursor))).toBe(-32072);
  });
});
