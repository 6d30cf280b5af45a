import { expect, it } from 'vitest';
import { hidingSent } from './sparing.ts';

const RANDOM = 'k9FzQ2mX7vB4tR8wL1pN6sD3';

it.each([
  'app_key',
  'APP_KEY',
  'application_key',
  'hmac_key',
  'license_key',
  'functionKey',
  'sdk_key',
  'integration_key',
  'wifi_key',
])('a random value that was sent as %s is a credential of its sender', (name) => {
  expect(hidingSent({ [name]: RANDOM }, undefined)?.hide).toEqual([RANDOM]);
});

it.each([
  [{ key: 'user:1001:profile' }],
  [{ file_key: 'AbC123dEf456GhI789jKl0' }],
  [{ account_key: 'ACC-17' }],
  [{ app_key: 'calendar' }],
])('%j names a thing', (sent) => {
  expect(hidingSent(sent, undefined)).toBeUndefined();
});
