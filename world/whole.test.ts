/** Worlds with everything that there is of ours: both SDKs' clients and servers, the guard, the gateway. */
import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { SEED, told } from './told.ts';

it('every law holds for thousands of calls with both SDKs', { timeout: 900_000 }, async () => {
  const found = await explore({ make: 'whole', steps: 30_000, seed: SEED });
  expect(told(found)).toBe('every law held');
  expect(found.steps).toBeGreaterThanOrEqual(30_000);
  // Otherwise nothing was ever tried again, and it has proved nothing.
  expect(found.repeats).toBeGreaterThan(500);
});
