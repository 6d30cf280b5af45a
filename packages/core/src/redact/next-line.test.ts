/** A secret in the line, or in the block, after its name. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

const P = 'hunter2S3cr3tPassw0rd';

describe('in the next line', () => {
  it.each([
    `password:\n${P}`,
    `password: \n${P}`,
    `password:\n\n${P}`,
    `password:\r\n${P}`,
    `password:\r\n\r\n${P}\r\n`,
    `Password is:\n${P}`,
    `API key\n${P}`,
    `The password:\n\n    ${P}\n`,
    `No order. password:\n${P}\nTry again.`,
    `Authorization: Bearer\n${P}`,
    `token =\n  ${P}`,
    `"password":\n"${P}"`,
  ])('%j', (text) => {
    const { value } = redact(text);
    expect(value).not.toContain(P);
    expect(redact(value).value).toBe(value);
  });

  it.each([
    'Unexpected token:\nidentifier',
    'Missing keys:\ncustomer\nvendor',
    'Reset your password\n\nChoose a new one and confirm it.',
    'password:\nusername: ada',
    'API keys\nCreate one in the settings.',
    'token\nid\nname',
  ])('leaves alone what is none: %j', (text) => {
    expect(redact(text).value).toBe(text);
  });
});

describe('in the next block', () => {
  const blocks = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));

  it.each([
    ['password:', P],
    ['Login not found. Password is:', P],
    ['api_key =', P],
    ['first', 'password:', P, 'last'],
  ])('%s %s', (...texts) => {
    const { value } = redact({ isError: true, content: blocks(...texts) });
    expect(JSON.stringify(value)).not.toContain(P);
    expect(redact(value).value).toEqual(value);
    expect(JSON.stringify(redact(texts).value)).not.toContain(P);
  });

  it.each([
    ['Allowed values:', 'customer_id'],
    ['Unexpected token:', 'identifier'],
    ['password:', 'is required'],
  ])('leaves alone what is none: %s %s', (...texts) => {
    const value = { content: blocks(...texts) };
    expect(redact(value).value).toEqual(value);
  });
});
