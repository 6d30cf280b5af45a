/** Our policies with servers of their own, from another beginning each time. `npm run world` makes a million steps and more. */
import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { FRESH_SEED, told } from './told.ts';

it('every law holds between our policies and a server', { timeout: 900_000 }, async () => {
  const found = await explore({
    make: 'policies',
    steps: 220_000,
    seed: FRESH_SEED,
    where: { way: 'direct' },
  });
  expect(told(found), `FC_SEED=${FRESH_SEED}`).toBe('every law held');
  expect(found.steps).toBeGreaterThanOrEqual(220_000);
  expect(found.repeats).toBeGreaterThan(2000);
});
