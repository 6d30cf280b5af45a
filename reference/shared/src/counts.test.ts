import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { openCounts } from './counts.ts';

const minute = { limit: 2, windowMs: 60_000 };
const day = { limit: 3, windowMs: 86_400_000 };

describe('counts', () => {
  it('are shared by those who open the same folder, and survive them', () => {
    const folder = tempFolder();
    const [one, two] = [openCounts(folder, 60_000), openCounts(folder, 60_000)];
    expect(one.takeAll('a', [minute], 0)).toBe(0);
    expect(two.takeAll('a', [minute], 10)).toBe(0);
    expect(one.takeAll('a', [minute], 20)).toBe(59_980);
    one.close();
    two.close();
    const again = openCounts(folder, 60_000);
    expect(again.takeAll('a', [minute], 59_999)).toBe(1);
    expect(again.takeAll('a', [minute], 60_000)).toBe(0);
    again.close();
  });

  it('keep keys apart, and every allowance', () => {
    const counts = openCounts(tempFolder(), day.windowMs);
    expect([0, 1, 2].map((now) => counts.takeAll('a', [minute, day], now))).toEqual([0, 0, 59_998]);
    expect(counts.takeAll('b', [minute, day], 2)).toBe(0);
    expect(counts.takeAll('a', [minute, day], 60_000)).toBe(0);
    expect(counts.takeAll('a', [minute, day], 120_001)).toBe(86_400_000 - 120_001);
    expect(counts.used('a', day, 120_001)).toEqual({ left: 0, resetMs: 86_400_000 - 120_001 });
    counts.close();
  });

  it('a clock that was set back makes nobody wait longer than a window', () => {
    const counts = openCounts(tempFolder(), 60_000);
    for (const now of [900_000, 900_000]) counts.takeAll('a', [minute], now);
    expect(counts.takeAll('a', [minute], 0)).toBe(60_000);
    expect(counts.takeAll('a', [minute], 59_999)).toBe(1);
    expect(counts.takeAll('a', [minute], 60_000)).toBe(0);
    counts.close();
  });
});
