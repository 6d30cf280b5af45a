import { expect, it } from 'vitest';
import { redact } from './index.ts';

const RANDOM = 'kJ8sLq02mXz7Pw4RtY6ubN3v';
const HEX = '9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c';

it.each([
  'azure_key',
  'weather_key',
  'AZURE_OPENAI_KEY',
  'stripe_key',
  'speechKey',
  'secondary_key',
  'maps_key',
  'key',
])('a random value under %s goes from a value as it does from its text', (name) => {
  for (const value of [RANDOM, HEX]) {
    expect(JSON.stringify(redact({ error: 'refused', config: { [name]: value } }).value)).not.toContain(
      value,
    );
    expect(JSON.stringify(redact([{ [name]: value }]).value)).not.toContain(value);
    expect(redact(JSON.stringify({ [name]: value })).value).not.toContain(value);
  }
});

it.each([
  ['key', 'PROJ-123'],
  ['key', 'customer.name'],
  ['translation_key', 'errors.not_found'],
  ['sort_key', RANDOM],
  ['idempotency_key', HEX],
  ['object_key', 'uploads/2026/report.pdf'],
  ['public_key', HEX],
  ['keyboard', RANDOM],
  ['key', 'AbC123dEf456GhI789jKl0'],
  ['nonce', HEX],
  ['Key', 'invoices/2026/11/inv-991.pdf'],
  ['fileKey', 'AbC123dEf456GhI789jKl0'],
  ['component_key', 'AbC123dEf456GhI789jKl0'],
  ['weather_key', '9b1c7a4e-12ab-4c3d-9e8f-a1b2c3d4e5f6'],
  ['redis_key', 'user:1001:profile'],
  ['storage_key', 'backups/db-2026-11-18.sql.gz'],
  ['azure_key', 'missing'],
  ['weather_key', 'is not set'],
])('stays: %s: %s', (name, value) => {
  expect(redact({ [name]: value }).value).toEqual({ [name]: value });
});
