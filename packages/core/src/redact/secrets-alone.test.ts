import { expect, it } from 'vitest';
import { createRedactor, redact } from './index.ts';

const { redact: secretsAlone } = createRedactor({ level: 'secrets' });

it.each([
  { iban: 'DE89370400440532013000', account_number: '12345678' },
  { note: 'to DE89370400440532013000 of ann@acme.example, +49 170 1234567, born 1990-01-01' },
  { phone: '+49 170 1234567', dob: '1990-01-01', ssn: '078-05-1120' },
  { text: 'https://db-prod.internal/drop at 10.0.0.5, /home/ann/x' },
  { sql: "UPDATE people SET name = 'Ann' WHERE id = 7" },
  { stack: 'Error: x\n    at run (/srv/app/index.js:1:2)\n    at main (/srv/app/main.js:3:4)' },
])('takes no personal data and no internals out where secrets alone go: %j', (value) => {
  expect(secretsAlone(value)).toEqual({ value, findings: [] });
});

it.each([
  [{ password: 'hunter2hunter2' }, { password: '[password:1]' }],
  [{ url: 'postgres://app:hunter2@db.internal/x' }, { url: 'postgres://[credentials:1]@db.internal/x' }],
  [{ card_number: '4111111111111111' }, { card_number: '[card:1]' }],
])('takes secrets out of %j all the same', (value, expected) => {
  expect(secretsAlone(value).value).toEqual(expected);
});

it('puts a digest into each surrogate, and leaves those that have one', () => {
  const digest = (secret: string): string => (secret.startsWith('hunter2') ? '4f2a91c0' : 'beef0000');
  const value = {
    password: 'hunter2hunter2',
    token: 'hunter3hunter3',
    text: 'run --password=hunter2hunter2 on postgres://app:x9y8z7w6@db.example/x',
  };
  const once = redact(value, { digest });
  expect(once.value).toEqual({
    password: '[password:1#4f2a91c0]',
    token: '[token:1#beef0000]',
    text: 'run --password=[password:1#4f2a91c0] on postgres://[credentials:1#beef0000]@db.example/x',
  });
  expect(redact(once.value, { digest }).findings).toEqual([]);
  expect(redact(once.value)).toEqual({ value: once.value, findings: [] });
  expect(redact({ ...once.value, pin: 'hunter4hunter4' }).value).toMatchObject({ pin: '[otp:1]' });
});

it('numbers on from surrogates with a digest', () => {
  expect(redact('[password:1#4f2a91c0] and password=hunter2hunter2').value).toBe(
    '[password:1#4f2a91c0] and password=[password:2]',
  );
});
