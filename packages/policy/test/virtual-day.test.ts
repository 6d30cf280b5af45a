import { expect, it } from 'vitest';
import { OUTAGE, planDay, STEADY, within } from '../../../bench/goodput/day.ts';
import { virtualDay } from './virtual-day.ts';

it.each([1, 2, 3, 4])(
  'lives through day %i: reads succeed, nothing is written twice, the load stays low',
  async (seed) => {
    const day = planDay(seed);
    const steady = day.filter(({ at }) => STEADY.some((span) => within(span, at))).length;
    const outage = day.filter(({ at }) => within(OUTAGE, at)).length;
    const figures = await virtualDay(seed, false);
    expect(figures.duplicateWrites).toBe(0);
    expect(figures.reads).toBeGreaterThanOrEqual(0.999);
    expect(figures.steadyRequests / steady).toBeLessThanOrEqual(1.15);
    expect(figures.outageRequests / outage).toBeLessThanOrEqual(1.1);
    expect(figures.recoverySeconds.brownout).toBeLessThanOrEqual(10);
    expect(figures.recoverySeconds.outage).toBeLessThanOrEqual(10);
  },
);

it('writes everything once where the server knows keys', async () => {
  const figures = await virtualDay(5, true);
  expect(figures.duplicateWrites).toBe(0);
  expect(figures.writes).toBeGreaterThanOrEqual(0.999);
});
