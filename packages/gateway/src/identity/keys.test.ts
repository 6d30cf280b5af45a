import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeySettings } from '../settings/settings.ts';
import { createKeys } from './keys.ts';

function key(name: string, secret: string, more: Partial<KeySettings> = {}): KeySettings {
  const plain = { role: 'caller', dialect: undefined, upstreams: undefined, tenant: undefined } as const;
  return { name, key: secret, ...plain, scopes: [], ...more };
}

const KEYS = createKeys([
  key('ci', 'ci-secret-1'),
  key('ops', 'ops-secret-1', { role: 'operator', upstreams: ['files'], dialect: 'onx' }),
  key('ann', 'ann-secret-1', { tenant: 'acme', scopes: ['bank:pay'] }),
]);

describe('who calls', () => {
  it('finds a caller by the key, without the key', () => {
    expect(KEYS.find('Bearer ops-secret-1')).toMatchObject({
      id: '7da620bffaf237e5',
      name: 'ops',
      role: 'operator',
      dialect: 'onx',
      upstreams: ['files'],
    });
    expect(JSON.stringify(KEYS.find('bearer   ci-secret-1'))).not.toContain('secret');
  });

  it('knows whom a key belongs to, and what it may do', () => {
    expect(KEYS.find('Bearer ann-secret-1')).toMatchObject({ tenant: 'acme', scopes: ['bank:pay'] });
    expect(KEYS.find('Bearer ci-secret-1')).toMatchObject({ tenant: undefined, scopes: [] });
    expect(createKeys([]).find(undefined)).toMatchObject({ tenant: undefined, scopes: [] });
  });

  it('lets everybody in when there are no keys', () => {
    expect(createKeys([]).find(undefined)).toMatchObject({ id: 'anybody', role: 'operator' });
  });

  it.each([
    [undefined],
    [''],
    ['Bearer'],
    ['Bearer '],
    ['ci-secret-1'],
    ['Basic ci-secret-1'],
    ['Bearer ci-secret-1 '],
    ['Bearer ci-secret-1\u0000'],
    ['Bearer ci-secret-'],
    ['Bearer ci-secret-11'],
    ['Bearer CI-SECRET-1'],
    ['Bearer ci-secret-1, Bearer ops-secret-1'],
  ])('knows nobody by %j', (authorization) => {
    expect(KEYS.find(authorization)).toBeUndefined();
  });

  it('knows nobody by a header of any length', () => {
    expect(KEYS.find(`Bearer ${'x'.repeat(1_000_000)}`)).toBeUndefined();
  });

  it('never throws, and finds nobody by chance', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (said) => KEYS.find(`Bearer ${said}`) === undefined),
    );
  });
});

describe('the id of a caller', () => {
  const idOf = (name: string, secret: string): string | undefined =>
    createKeys([key(name, secret)]).known(`Bearer ${secret}`)?.id;

  it('stays when the key is exchanged, and differs from name to name', () => {
    expect(idOf('ci', 'one-secret')).toBe(idOf('ci', 'another-secret'));
    expect(idOf('ci', 'one-secret')).not.toBe(idOf('cj', 'one-secret'));
  });

  it('is 16 characters that hold neither the name nor the key', () => {
    expect(idOf('accounting', 'accounting-secret')).toMatch(/^[0-9a-f]{16}$/);
  });
});
