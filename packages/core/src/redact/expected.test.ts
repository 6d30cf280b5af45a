/** What a secret should have been is not told, whoever says it and however many values there are. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

const H = 'hunter2zebra9';
const W = 'correcthorse';

describe('goes', () => {
  it.each([
    `"password" must be [${H}]`,
    `"api_key" must be one of [${H}, ${W}]`,
    `password must be one of the following values: ${H}, ${W}`,
    `instance.password is not one of enum values: ${H},${W}`,
    `data/password must be equal to one of the allowed values (${H})`,
    `token must be equal to constant "${H}"`,
    `Invalid enum value. Expected '${H}' | '${W}', received 'x' at password`,
    `password: Invalid option: expected one of "${H}"|"${W}"`,
    `password: Invalid input: expected "${H}"`,
    `1 validation error for Login\npassword\n  Input should be '${H}' or '${W}' [type=literal_error, input_value='x', input_type=str]`,
    `Invalid token. Expected one of: ${H}, ${W}`,
    `secret must be one of: ${H}|${W}`,
    `allowed values for password: ${H}, ${W} and letmein`,
    `Password mismatch: expected ${H} but got ${W}`,
    `Wrong password, expected ${W}`,
    `expected password to equal ${H}`,
    `password must be equal to ${H}`,
    `password must match '${H}'`,
    `password != ${H}`,
    `password ≠ ${H}`,
    `secret should be ${H}`,
    `{"errors":{"password":["must be one of: ${H}, ${W}"]}}`,
    `{"detail":[{"loc":["body","password"],"msg":"Input should be '${H}' or '${W}'"}]}`,
  ])('%s', (text) => {
    const { value } = redact(text);
    expect(value).not.toContain(H);
    expect(value).not.toContain(W);
    expect(value).not.toContain('letmein');
  });

  it('every value of a list, and nothing else', () => {
    expect(redact(`password must be one of the following values: ${H}, ${W}`).value).toBe(
      'password must be one of the following values: [password:1], [password:2]',
    );
    expect(redact('Wrong PIN, expected 4831 or 9922').value).toBe('Wrong PIN, expected [otp:1] or [otp:2]');
    expect(redact(`"password" must be [${H}]`).value).toBe('"password" must be [[password:1]]');
  });

  it.each([
    { errors: { password: [`must be one of: ${H}, ${W}`] } },
    { path: ['body', 'password'], message: `Input should be '${H}' or '${W}'` },
    { field: 'password', message: `must be [${H}]` },
  ])('beneath a telling name: %j', (value) => {
    expect(JSON.stringify(redact(value).value)).not.toMatch(/hunter2zebra9|correcthorse/);
  });
});

describe('stays', () => {
  it.each([
    'status must be one of open, closed',
    'The password is fine. status must be one of open, closed',
    'token type must be one of: bearer, mac',
    'sort_key must be one of name, date',
    'next_page_token must be one of a1b2c3d4, e5f6',
    'password must be at least 12 characters',
    'password must be 8 to 64 characters',
    'password must be between 1000 and 9999 characters',
    'PIN must be 4 digits',
    'password must be alphanumeric',
    'password must be confirmed',
    'password must contain uppercase letters, digits and symbols',
    'password must contain at least one of: uppercase letter, digit',
    'password must not be one of your last 5 passwords',
    'password must match the pattern ^[a-z0-9]+$',
    'Passwords must match',
    'API key must be passed in the X-Api-Key header',
    'token must be a string',
    'token should be provided via Authorization',
    'token: expected string, received number',
    'Expected token to be a string',
    'api_key must be set',
    'Expected one of: red, green. Check your API key',
    "Expected token ';' but got 'foo'",
    'Secret "db-creds" must be in namespace "prod"',
    'password is invalid: expected Int',
  ])('%s', (text) => {
    expect(redact(text).value).toBe(text);
  });
});
