/** A password is often bytes, and what prints it does not know that it is one. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

const SECRET = Buffer.from('Xk9_mQ2vTr81');
const ARRAY = new Uint8Array(SECRET);
/** Three bytes in a row, in hexadecimal or as numbers. */
const LEFT = /58 6b 39|88,\s*107,\s*57/;

describe('bytes beneath a telling name go', () => {
  test.each([
    ['as Node prints a buffer', inspect({ password: SECRET })],
    ['as Node prints an array', inspect({ password: ARRAY })],
    ['as Node prints a buffer of another kind', inspect({ password: ARRAY.buffer })],
    ['as JSON has a buffer', JSON.stringify({ password: SECRET })],
    ['in an assignment', `password=${inspect(SECRET)}`],
    ['as JSON in an assignment', `password=${JSON.stringify(SECRET)}`],
    ['as a list in an assignment', `password=${JSON.stringify([...SECRET])}`],
    ['as a list with blanks', `password: [${[...SECRET].join(', ')}]`],
    ['in a message of JSON', JSON.stringify({ message: `password=${JSON.stringify(SECRET)}` })],
    ['of a key', `private_key: ${inspect(SECRET)}`],
    ['of a token, as an array', `token=${inspect(ARRAY)}`],
    ['cut', 'secret: <Buffer 58 6b 39 5f 6d 51 ... 7 more bytes>'],
  ])('%s', (_what, shown) => {
    const { value } = redact(`Order 7 not found: ${shown} end`);
    expect(value).not.toMatch(LEFT);
    expect(value).toMatch(/^Order 7 not found: .*\[[a-z-]+:1\].* end$/s);
  });

  test('whatever they spell', () => {
    expect(redact('password=<Buffer 01 02 fa 03 4d 09 58 c8>').value).toBe('password=<Buffer [password:1]>');
  });
});

describe('numbers that are no bytes of a secret stay', () => {
  test.each([
    'password rules: [1, 2, 3]',
    'tokens: [12, 13, 250, 3]',
    'token ids [101, 2023, 102]',
    'input_tokens: [1,2,3,4,5,6,7,8]',
    'tokens=[101,200,30,41,55,61,70,82]',
    'body: <Buffer 58 6b 39 5f 6d 51>',
  ])('%s', (text) => {
    expect(redact(text).value).toBe(text);
  });
});
