import { afterEach, expect, it } from 'vitest';
import { childEnvironment } from './child-environment.ts';

afterEach(() => {
  delete process.env['MAYDAY_TEST_SECRET'];
  delete process.env['NODE_EXTRA_CA_CERTS'];
  delete process.env['https_proxy'];
});

it('holds what a program needs to run, and nothing else', () => {
  process.env['MAYDAY_TEST_SECRET'] = 'x';
  const env = childEnvironment();
  expect(env['PATH']).toBe(process.env['PATH']);
  expect(Object.values(env).every((value) => typeof value === 'string')).toBe(true);
  expect(env['MAYDAY_TEST_SECRET']).toBeUndefined();
});

it('says how the network is reached', () => {
  process.env['NODE_EXTRA_CA_CERTS'] = '/ca.pem';
  process.env['https_proxy'] = 'http://proxy:3128';
  expect(childEnvironment()).toMatchObject({
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    https_proxy: 'http://proxy:3128',
  });
});
