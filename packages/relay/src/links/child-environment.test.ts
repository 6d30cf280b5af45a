import { afterEach, expect, it } from 'vitest';
import { childEnvironment } from './child-environment.ts';

afterEach(() => {
  delete process.env['MAYDAY_TEST_SECRET'];
});

it('holds what a program needs to run, and nothing else', () => {
  process.env['MAYDAY_TEST_SECRET'] = 'x';
  const env = childEnvironment();
  expect(env['PATH']).toBe(process.env['PATH']);
  expect(Object.values(env).every((value) => typeof value === 'string')).toBe(true);
  expect(env['MAYDAY_TEST_SECRET']).toBeUndefined();
});
