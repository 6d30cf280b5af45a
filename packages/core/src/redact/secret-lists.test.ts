/** Several secrets behind one name, as sentences list them: all of them go. */
import { describe, expect, test } from 'vitest';
import { createRedactor, redact } from './index.ts';

const strict = createRedactor({ level: 'strict' });

/** Each text, and which parts of it are secret. */
const LISTS: readonly (readonly [text: string, ...secrets: string[]])[] = [
  ['recovery codes: 8f3k-22la, 99dk-1lsq', '8f3k-22la', '99dk-1lsq'],
  ['Your backup codes are 8f3k-22la and 99dk-1lsq', '8f3k-22la', '99dk-1lsq'],
  ['recovery codes: 8f3k-22la, kdlq-mslq, 99dk-1lsq', '8f3k-22la', 'kdlq-mslq', '99dk-1lsq'],
  ['recovery codes: 12345678, 87654321, 11223344', '12345678', '87654321', '11223344'],
  ['recovery codes: 12345678, 87654321 and 11223344', '12345678', '87654321', '11223344'],
  ['recovery codes: 12345678; 87654321; or 11223344', '12345678', '87654321', '11223344'],
  ['recovery codes:\n- 8f3k-22la\n- 99dk-1lsq', '8f3k-22la', '99dk-1lsq'],
  ['recovery codes 8f3k22la\n99dk1lsq\nabcd1234', '8f3k22la', '99dk1lsq', 'abcd1234'],
  ['recovery codes: "12345678", "87654321"', '12345678', '87654321'],
  ['OTP codes 993817, 223344', '993817', '223344'],
  ['OTPs: 993817, 223344', '993817', '223344'],
  ['OTP: 993817, 223344', '993817', '223344'],
  ['verification codes: 993817 and 223344', '993817', '223344'],
  ['security codes 993817 or 223344', '993817', '223344'],
  ['PINs: 4711, 4712', '4711', '4712'],
  ['PINs 4711 and 4712', '4711', '4712'],
  ['PIN: 4711, 4712', '4711', '4712'],
  ['user pins: 4711, 4712', '4711', '4712'],
  ['PINS: 471100, 471200', '471100', '471200'],
  ['tokens: Zx9Qw8Er7Ty6Ui5Op4, Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  ['tokens Zx9Qw8Er7Ty6Ui5Op4 and Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  ['tokens: Zx9Qw8Er7Ty6Ui5Op4', 'Zx9Qw8Er7Ty6Ui5Op4'],
  ['tried tokens: Zx9Qw8Er7Ty6Ui5Op4, Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  [
    'access tokens: Zx9Qw8Er7Ty6, Aa1Ss2Dd3Ff4 or Bb1Nn2Mm3Kk4',
    'Zx9Qw8Er7Ty6',
    'Aa1Ss2Dd3Ff4',
    'Bb1Nn2Mm3Kk4',
  ],
  ['token: Zx9Qw8Er7Ty6, Aa1Ss2Dd3Ff4', 'Zx9Qw8Er7Ty6', 'Aa1Ss2Dd3Ff4'],
  ['JWTs: Zx9Qw8Er7Ty6Ui5Op4, Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  ['API keys: Zx9Qw8Er7Ty6Ui5Op4, Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  ['license keys: ABCD-EFGH-1234-WXYZ, QWER-TYUI-5678-ASDF', 'ABCD-EFGH-1234-WXYZ', 'QWER-TYUI-5678-ASDF'],
  ['private keys: Zx9Qw8Er7Ty6Ui5Op4, Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  ['signing keys: Zx9Qw8Er7Ty6Ui5Op4 and Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  ['secrets: Zx9Qw8Er7Ty6Ui5Op4, Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  ['client secrets: Zx9Qw8Er7Ty6Ui5Op4, Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  ['credentials: Zx9Qw8Er7Ty6Ui5Op4, Aa1Ss2Dd3Ff4Gg5Hh6', 'Zx9Qw8Er7Ty6Ui5Op4', 'Aa1Ss2Dd3Ff4Gg5Hh6'],
  ['recovery codes:\n1. 12345678\n2. 87654321', '12345678', '87654321'],
  ['CVVs: 123, 456', '123', '456'],
  ['passwords: Hunter2!x, Tr0ub4dor&3', 'Hunter2!x', 'Tr0ub4dor&3'],
  ['The passwords are Hunter2!x or Tr0ub4dor&3', 'Hunter2!x', 'Tr0ub4dor&3'],
  ['passphrases: Hunter2!x, Tr0ub4dor&3', 'Hunter2!x', 'Tr0ub4dor&3'],
  ['passcodes: Hunter2!x and Tr0ub4dor&3', 'Hunter2!x', 'Tr0ub4dor&3'],
  ['passcodes: 471100, 471200', '471100', '471200'],
  ['passwords: 471100, 471200', '471100', '471200'],
  ['pwds: Hunter2!x, Tr0ub4dor&3', 'Hunter2!x', 'Tr0ub4dor&3'],
];

describe.each([
  ['standard', (text: string) => redact(text).value],
  ['strict', (text: string) => strict.redactText(text).value],
])('%s', (_level, without) => {
  test.each(LISTS)('all of them go: %s', (text, ...secrets) => {
    const left = without(`Customer 7 not found; ${text}.`);
    expect(secrets.filter((secret) => left.includes(secret))).toEqual([]);
    expect(left).toContain('Customer 7 not found');
  });
});

test.each([
  'tokens: 512, 1024',
  'used tokens: 512, 1024',
  'max tokens: 4096, 8192',
  'prompt tokens 512, completion tokens 1024',
  'tokens: claude-3-opus-20240229, gpt-4-turbo-2024-04-09',
  'tokens are required',
  'order codes: A1, B2',
  'order codes: A1B2C3D4, E5F6G7H8',
  'error codes 404, 500',
  'error codes: 12345678, 87654321',
  'ZIP codes: 90210, 10001',
  'status codes: 200, 201 and 404',
  'country codes 1234, 5678',
  'pins: 17, 27',
  'GPIO pins 17 and 27',
  'pins: 1024 in all',
  'passwords are required, optional or missing',
  'passphrases: required',
  'private keys: 3, public keys: 4',
  'secrets: not found',
  'session ids: 12, 13',
])('stays: %s', (text) => {
  expect(redact(text).value).toBe(text);
});

test.each([
  ['OTP: 993817, order 223344', 'OTP: [otp:1], order 223344'],
  ['PIN: 4711, 3 attempts left', 'PIN: [otp:1], 3 attempts left'],
  ['verification code 993817 expired, order 223344', 'verification code [otp:1] expired, order 223344'],
  ['recovery code 8f3k-22la, long-time user', 'recovery code [otp:1], long-time user'],
])('what is no more of the list stays: %s', (text, left) => {
  expect(redact(text).value).toBe(left);
});

test.each(['password', 'passphrase', 'passcode'])('words that are joined: %s', (name) => {
  for (const text of [`the ${name} is`, `the ${name} was`, `The ${name} for svc is`]) {
    expect(strict.redactText(`Customer 7 not found; ${text} correct-horse-battery`).value).toMatch(
      /; .+ \[(?:secret|password):1\]$/,
    );
    expect(strict.redactText(`${text} "correct-horse-battery-staple".`).value).not.toContain('horse');
  }
});

test.each([
  'required',
  'too-short',
  'case-sensitive',
  'not set',
  'out-of-date',
  'well-formed',
  'up-to-date',
  'one-time-use',
  'not-yet-valid',
  'too-easy-to-guess',
  'read-only',
  'machine-generated',
])('what is said of a password stays: %s', (said) => {
  const text = `the password is ${said}`;
  expect(strict.redactText(text).value).toBe(text);
});
