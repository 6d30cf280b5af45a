/** The smaller part of a million steps of our policies, through the gateway. `npm run world` goes further. */
import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { SEED, told } from './told.ts';

it('every law holds through the gateway', { timeout: 900_000 }, async () => {
  const found = await explore({ make: 'policies', steps: 120_000, seed: SEED, where: { way: 'gateway' } });
  expect(told(found)).toBe('every law held');
  expect(found.steps).toBeGreaterThanOrEqual(120_000);
  expect(found.repeats).toBeGreaterThan(1200);
});
