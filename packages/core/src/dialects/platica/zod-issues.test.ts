/** Issues of all kinds, in Zod's words. */
import { expect, it } from 'vitest';
import { zodIssue, zodLine } from './zod-issues.ts';

// biome-ignore format: a table
it.each([
  [{ path: ['b'], message: 'required, expected number', code: 'required' }, ['b'], 'Invalid input: expected number, received undefined', 'invalid_type'],
  [{ path: ['b'], message: 'required, expected number (you sent c, did you mean b?)', code: 'required' }, ['b'], 'Invalid input: expected number, received undefined', 'invalid_type'],
  [{ path: ['b'], message: 'is needed', code: 'required' }, ['b'], 'Invalid input: expected nonoptional, received undefined', 'invalid_type'],
  [{ path: ['a', 'b'], message: 'expected number, received string', code: 'invalid_type' }, ['a', 'b'], 'Invalid input: expected number, received string', 'invalid_type'],
  [{ path: ['b'], message: 'expected number, received string' }, ['b'], 'Invalid input: expected number, received string', 'invalid_type'],
  [{ path: ['b'], message: 'Invalid input: expected number, received undefined' }, ['b'], 'Invalid input: expected number, received undefined', 'invalid_type'],
  [{ path: ['b'], message: 'expected one of "a"|"b"', code: 'invalid_value' }, ['b'], 'Invalid option: expected one of "a"|"b"', 'invalid_value'],
  [{ path: ['b'], message: 'expected "a"' }, ['b'], 'Invalid input: expected "a"', 'invalid_value'],
  [{ path: ['a', 'c'], message: 'unknown argument, did you mean d?', code: 'unrecognized_keys' }, ['a'], 'Unrecognized key: "c"', 'unrecognized_keys'],
  [{ path: [], message: 'Unrecognized key: "c"' }, [], 'Unrecognized key: "c"', 'unrecognized_keys'],
  [{ path: ['b'], message: 'Too small: expected number to be >=1' }, ['b'], 'Too small: expected number to be >=1', 'too_small'],
  [{ path: ['b'], message: 'Too big: expected number to be <=1' }, ['b'], 'Too big: expected number to be <=1', 'too_big'],
  [{ path: ['b'], message: 'Invalid email address' }, ['b'], 'Invalid email address', 'invalid_format'],
  [{ path: ['b'], message: 'Give an even number' }, ['b'], 'Give an even number', 'custom'],
  [{ path: ['b'], message: 'Required', code: 'invalid_type' }, ['b'], 'Required', 'invalid_type'],
])('PL-22 %j', (issue, path, message, code) => {
  expect(zodIssue(issue)).toEqual({ path, message, code });
  expect(zodLine(issue)).toBe(path.length === 0 ? message : `${path.join('.')}: ${message}`);
});
