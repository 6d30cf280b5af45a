import { expect, it } from 'vitest';
import { instructs } from './instructs.ts';

it.each([
  'Please try again later',
  'Something went wrong, please try again',
  'Please wait and try again',
  'An error occurred. Please retry in a few minutes.',
  'Oops! Please try again in a moment!',
])('does not take a wish for patience for something that is wrong with the input: %s', (words) => {
  expect(instructs(words)).toBe(false);
});

it.each([
  'Please provide a city and try again',
  'Title is required, please try again',
  'The room is taken; try again',
])('takes what a caller can change for what it is: %s', (words) => {
  expect(instructs(words)).toBe(true);
});
