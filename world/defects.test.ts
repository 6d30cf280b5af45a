/** A model that finds nothing proves nothing: every defect of the past, put back, is found. */
import { expect, it } from 'vitest';
import { DEFECTS } from './defects.ts';
import { explore } from './explore.ts';

it.each(DEFECTS)('finds it when $name', { timeout: 240_000 }, async ({ name: _, ...defect }) => {
  const found = await explore({ ...defect, steps: 60_000, seed: 1, shrinks: false });
  expect(found.broken?.laws.join('; ') ?? 'every law held').toMatch(defect.breaks);
});
