/** The greater part of a million steps of our policies, with servers of their own. `npm run world` goes further. */
import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { SEED, told } from './told.ts';

it('every law holds between our policies and a server', { timeout: 900_000 }, async () => {
  const found = await explore({ make: 'policies', steps: 880_000, seed: SEED, where: { way: 'direct' } });
  expect(told(found)).toBe('every law held');
  expect(found.steps).toBeGreaterThanOrEqual(880_000);
  expect(found.repeats).toBeGreaterThan(8000);
});
