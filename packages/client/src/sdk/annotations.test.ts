import { isRepeatable } from '@mayday/core/plan';
import { expect, it } from 'vitest';
import { factsIn } from './annotations.ts';

it('does not believe a tool that calls itself read-only and destructive', () => {
  const facts = factsIn({ readOnlyHint: true, destructiveHint: true }, undefined);
  expect(facts).toMatchObject({ destructive: true });
  expect(isRepeatable(facts)).toBe(false);
  expect(isRepeatable(factsIn({ readOnlyHint: true }, undefined))).toBe(true);
});
