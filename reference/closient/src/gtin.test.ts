import type { FaultError } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { checkDigit, checkGtin, isRestricted, requireGtin } from './gtin.ts';

describe('GTINs', () => {
  it.each([
    ['GTIN-8', '96385074', '00000096385074'],
    ['GTIN-12', '614141123452', '00614141123452'],
    ['GTIN-13', '9506000134352', '09506000134352'],
    ['GTIN-14', '00614141123452', '00614141123452'],
    ['with blanks around it', ' 9506000134352\n', '09506000134352'],
  ])('%s is padded to 14 digits', (_form, given, normalized) => {
    expect(checkGtin(given)).toEqual({ valid: true, normalized });
  });

  it.each([
    ['123', 'must be 8, 12, 13, or 14 digits'],
    ['1234567890', 'must be 8, 12, 13, or 14 digits'],
    ['abcdefgh', 'must be 8, 12, 13, or 14 digits'],
    ['９６３８５０７４', 'must be 8, 12, 13, or 14 digits'],
    ['', 'must be 8, 12, 13, or 14 digits'],
    ['9506000134353', 'has a wrong check digit, expected 2'],
    [9506000134352, 'must be a string of digits'],
    [null, 'must be a string of digits'],
  ])('%j is none: %s', (given, reason) => {
    expect(checkGtin(given)).toEqual({ valid: false, reason });
  });

  it('computes the check digit of the GS1 examples', () => {
    expect(['629104150021', '061414112345', '9638507'].map(checkDigit)).toEqual([3, 2, 4]);
  });

  it('CL-21 is named in the refusal, up to 64 characters of it', () => {
    const refused = (given: unknown) => {
      try {
        return requireGtin(given);
      } catch (thrown) {
        const { kind, message, issues } = (thrown as FaultError).fault;
        return { kind, message, issues };
      }
    };
    expect(refused('96385074')).toBe('00000096385074');
    expect(refused(`0${'1'.repeat(70)}`)).toEqual({
      kind: 'invalid_arguments',
      message: `The GTIN 0${'1'.repeat(63)} must be 8, 12, 13, or 14 digits`,
      issues: [{ path: ['gtin'], message: 'must be 8, 12, 13, or 14 digits', code: 'invalid_gtin' }],
    });
  });

  it('knows numbers of restricted circulation', () => {
    expect(['02012345678905', '00412345678909', '09506000134352'].map(isRestricted)).toEqual([
      true,
      true,
      false,
    ]);
  });
});
