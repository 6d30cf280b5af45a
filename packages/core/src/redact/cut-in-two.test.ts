/** A secret that a line break cuts, and a number whose groups are parted by dots. */
import { describe, expect, it } from 'vitest';
import { redact } from './index.ts';

const TOKENS: readonly (readonly [name: string, token: string])[] = [
  ['GitHub', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
  ['Stripe', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'],
  ['Slack', 'xoxb-263594206564-2343594206564-FGqddMF8t08v8N7Oq4i57vs1'],
];

describe.each(TOKENS)('a token of %s', (_, token) => {
  it.each([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15])('cut after %i characters goes', (at) => {
    for (const gap of ['\n', '\r\n', '\n    ', '\\n']) {
      const { value } = redact(`push failed: ${token.slice(0, at)}${gap}${token.slice(at)} is not valid`);
      expect(value).not.toContain(token.slice(at + 2));
      expect(redact(value).value).toBe(value);
    }
  });
});

it.each([
  'commit\n16c7e42f292c6912e7710c838347ae178b4a0000',
  'Files:\nmain-4eC39HqLyjWDarjtT1zd.js',
  'see\nreq_4eC39HqLyjWDarjtT1zdp7dc',
])('a line that only stands before an identifier leaves it alone: %j', (text) => {
  expect(redact(text).value).toBe(text);
});

it.each([
  ['Card 4111.1111.1111.1111 was declined', 'Card [card:1] was declined'],
  ['paid with 5500.0000.0000.0004.', 'paid with [card:1].'],
  ['3782.822463.10005', '[card:1]'],
  ['4111 1111 1111 1111.50', '[card:1].50'],
])('a card in groups goes: %s', (text, expected) => {
  expect(redact(text).value).toBe(expected);
});

it.each([
  'build 4111.1111.1111.1112',
  '1.4111.1111.1111.1111',
  '4111.1111.1111.1111.7',
  'v4111.1111.1111.1111',
])('a number that is none stays: %s', (text) => {
  expect(redact(text).value).toBe(text);
});
