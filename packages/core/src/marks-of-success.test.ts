import { expect, it } from 'vitest';
import { marksSuccess } from './marks-of-success.ts';

it.each([
  { is_error: 'no' },
  { hasErrors: 'N' },
  { rateLimited: 'no' },
  { error: null },
  { errors: [] },
  { error: 'none' },
  { errno: 0 },
  { accepted: 'yes' },
])('%j says that nothing is wrong', (said) => {
  expect(marksSuccess({ answer: [said] })).toBe(true);
});

it.each([{ error: 'no' }, { is_error: 'yes' }, { error: 'nope' }, { errno: 7 }, { accepted: 'no' }])(
  '%j does not',
  (said) => {
    expect(marksSuccess({ answer: [said] })).toBe(false);
  },
);
