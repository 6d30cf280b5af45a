// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references and passwords that look like them
/** What stands for a value is believed only where it is wholly that: passwords begin with the same signs. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

describe('a password that begins like a reference goes', () => {
  const PASSWORDS = [
    '$uperMan99',
    '@hunter2zebra9',
    ':hunter2zebra9',
    '%hunter2zebra9%',
    '[hunter2zebra9]',
    '{hunter2zebra9}',
    '<hunter2zebra9>',
    'pa${ss9word',
    '${DB_PASSWORD:-hunter2zebra9}',
    'vault:hunter2zebra9',
    'user.Correct!horse',
  ];

  it.each(PASSWORDS)('%s', (password) => {
    expect(redact({ password }).value).toEqual({ password: '[password:1]' });
    const text = redact(`Invalid settings: {"user":"bob","password":"${password}"}`).value;
    expect(text).toMatch(/^Invalid settings: \{"user":"bob","password":"\W?\[password:1\]\W?"\}$/);
    expect(redact(`password == "${password}"`).value).toMatch(/^password == "\W?\[password:1\]\W?"$/);
  });

  it.each([
    ['DB_PASSWORD=$uperMan99', 'DB_PASSWORD=[password:1]'],
    ['Unknown option password=@hunter2zebra9', 'Unknown option password=[password:1]'],
    ['password != $uperMan99', 'password != [password:1]'],
    ['password=(hunter2zebra9)', 'password=([password:1])'],
    ['password=[hunter2zebra9]', 'password=[[password:1]]'],
    ['password=%hunter2zebra9%', 'password=[password:1]'],
    ['password=hidden', 'password=[password:1]'],
    ['password=(hidden)', 'password=([password:1])'],
  ])('%s', (text, expected) => {
    expect(redact(text).value).toBe(expected);
  });
});

describe('a reference stays', () => {
  it.each([
    '${DB_PASSWORD}',
    '${env:DB_PASSWORD}',
    'Bearer ${TOKEN}',
    '$DB_PASSWORD',
    '$password',
    '$1',
    '@password',
    '@p0',
    ':password',
    '%DB_PASSWORD%',
    '%s',
    '{password}',
    '{{ secrets.db }}',
    '<your-password>',
    '<password>',
    '[REDACTED]',
    '[hidden]',
    '[email protected]',
    '****',
    'process.env.DB_PASSWORD',
    'vault:secret/data/db#password',
  ])('%s', (password) => {
    expect(redact({ password }).value).toEqual({ password });
  });
});

const TO_FILL_IN = [
  '<token>',
  '<your-token>',
  '<YOUR_API_KEY>',
  '<insert your key here>',
  '<key1>',
  '<API_KEY_2>',
  '{token}',
  'YOUR_API_KEY',
  'YOUR-API-KEY',
  'your-token-here',
  'your_secret_key',
  'my-api-key',
  'REPLACE_ME',
  'enter_your_token_here',
  'xxx',
  'xxxxxxxxxxxxxxxx',
  'XXXX-XXXX-XXXX',
  '****',
  '…',
];
const FILLED_IN = [
  '<abcdef9>',
  '<hunter2>',
  '{hunter2}',
  '<your-x7Kq9>',
  '<a1b2c3d4>',
  'your-8fk2x9',
  'your_9f8e7d6c5b4a',
  'YOUR-KQ7RZ-TOKEN-81',
  'my-9f8e7d6c5b4a',
  'xxx9f8e7d6c5b4a',
  'xoxb9f8e7d6c5b4a',
];

describe('what is to be filled in is words, and stays', () => {
  it.each(TO_FILL_IN)('%s', (value) => {
    for (const name of ['password', 'token', 'api_key'])
      expect(redact({ [name]: value }).value).toEqual({ [name]: value });
    expect(redact(`it said ${value}`, { hide: [value] }).value).toBe(`it said ${value}`);
  });
});

describe('what was filled in goes, whatever it begins with', () => {
  it.each(FILLED_IN)('%s', (value) => {
    for (const name of ['password', 'token', 'api_key'])
      expect(JSON.stringify(redact({ [name]: value }).value)).not.toContain(value);
    expect(redact(`it said ${value}`, { hide: [value] }).value).toBe('it said [secret:1]');
  });

  it.each(['<correct-horse>', '<qwertz>', '{abcdefgh}', 'your-qwertzuiop'])(
    'also where it is words, and known to be given: %s',
    (value) => {
      expect(redact(`it said ${value}`, { hide: [value] }).value).toBe('it said [secret:1]');
    },
  );
});

describe('a value is hidden whole', () => {
  it.each([
    ['password=Tr0ub4dor&3xQz', 'password=[password:1]'],
    ['password: Tr0ub4dor&3xQz', 'password: [password:1]'],
    ['password=abc;def123', 'password=[password:1]'],
    ['login failed (password=abc,def123)', 'login failed (password=[password:1])'],
    ["password='it''s me 9'", "password='[password:1]'"],
    ["CREATE USER bob PASSWORD 'hunter2''zebra9'", "CREATE USER bob PASSWORD '[password:1]'"],
    // What has a name of its own is another value.
    ['password=Tr0ub4dor9&user=bob', 'password=[password:1]&user=bob'],
    ['password=Tr0ub4dor9;user=bob', 'password=[password:1];user=bob'],
    ['GET /?token=aB3xQ9zK7w&verbose', 'GET /?token=[token:1]&verbose'],
  ])('%s', (text, expected) => {
    expect(redact(text).value).toBe(expected);
  });
});

describe('what is hidden already is not hidden again', () => {
  it.each([
    'password=[hidden]',
    'password=[hidden], try again.',
    'PGPASSWORD=[hidden] psql -h db',
    'token=[hidden]&page=2',
    'password=[password:1]',
    'password: [hidden].',
  ])('%s', (text) => {
    expect(redact(text).value).toBe(text);
  });
});
