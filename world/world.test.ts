/**
 * The model of the world: whatever happens between an agent and what a tool changes, nothing is done twice, every
 * call is answered once and in time, and nobody is told what is not so. `npm run world` goes further.
 */
import { expect, it } from 'vitest';
import { explore, type Found } from './explore.ts';

const SEED = 20_260_728;

function told({ broken }: Found): string {
  return broken === undefined
    ? 'every law held'
    : `${broken.laws.join('; ')}\n${JSON.stringify(broken.story)}`;
}

it('every law holds for a million steps of our policies', { timeout: 600_000 }, async () => {
  const found = await explore({ make: 'policies', steps: 1_000_000, seed: SEED });
  expect(told(found)).toBe('every law held');
  expect(found.steps).toBeGreaterThanOrEqual(1_000_000);
  // Otherwise nothing was ever tried again, and it has proved nothing.
  expect(found.repeats).toBeGreaterThan(10_000);
});

it('and for thousands of calls with both SDKs, the guard and the gateway', { timeout: 300_000 }, async () => {
  const found = await explore({ make: 'whole', steps: 60_000, seed: SEED });
  expect(told(found)).toBe('every law held');
  expect(found.repeats).toBeGreaterThan(500);
});
