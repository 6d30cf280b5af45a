/** Pages, spreadsheets and keyboards of other countries write spaces, dashes and digits in other characters. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

const BETWEEN: readonly (readonly [name: string, between: string])[] = [
  ['a no-break space', '\u00a0'],
  ['a narrow no-break space', '\u202f'],
  ['a thin space', '\u2009'],
  ['a figure space', '\u2007'],
  ['an ideographic space', '\u3000'],
  ['a no-break hyphen', '\u2011'],
  ['an en dash', '\u2013'],
  ['a minus', '\u2212'],
  ['two spaces', '  '],
  ['a tab', '\t'],
];

it.each(BETWEEN)('with %s between its parts, a number is the same number', (_, between) => {
  const parts = (...all: string[]): string => all.join(between);
  expect(redact(`Card ${parts('4111', '1111', '1111', '1111')} was declined`).value).toBe(
    'Card [card:1] was declined',
  );
  expect(redact(`Account ${parts('DE89', '3704', '0044', '0532', '0130', '00')} is closed`).value).toBe(
    'Account [iban:1] is closed',
  );
  expect(redact(`SMS to ${parts('+49', '170', '1234567')} failed`).value).toBe('SMS to [phone:1] failed');
  expect(redact(`SSN ${parts('078', '05', '1120')} not found`).value).toBe('SSN [id-number:1] not found');
});

it.each(['\u00a0', '\u202f', '\u3000'])('a name and its secret are apart by %j', (space) => {
  expect(redact(`password:${space}hunter2x9Q`).value).toBe(`password:${space}[password:1]`);
  expect(redact(`password${space}=${space}hunter2x9Q`).value).toBe(`password${space}=${space}[password:1]`);
  expect(redact(`curl${space}-u${space}svc:hunter2x9Q https://a.example`).value).toBe(
    `curl${space}-u${space}[credentials:1] https://a.example`,
  );
});

it('digits and signs of double width', () => {
  expect(redact('カード番号 ４１１１−１１１１−１１１１−１１１１').value).toBe('カード番号 [card:1]');
  expect(redact('mail ada＠example.com failed').value).toBe('mail [email:1] failed');
});

it.each([
  '\u180e',
  '\u034f',
  '\u2063',
  '\ufe0f',
  '\u061c',
  '\u202e',
  '\u115f',
  '\u3164',
  '\u{e0001}',
  '\u{e0020}',
  '\0',
  '\b',
])('%j is not seen, and parts no secret', (unseen) => {
  expect(redact(`token ghp_aB3dE5gH7${unseen}jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7 bad`).value).toBe(
    'token [token:1] bad',
  );
});

it.each([
  'Range 10 – 20 items — see below',
  'From 2026–2027, 12\u00a0000 items',
  'Price 1\u202f234\u202f567 EUR',
  'order 1234  5678  9012',
  '12\t13\t14',
])('%j stays', (text) => {
  expect(redact(text).value).toBe(text);
});
