import { expect, it } from 'vitest';
import { redact } from './index.ts';

/** Spaces and dashes that people, pages and formatters write in place of those of ASCII. */
const SIGNS: readonly (readonly [string, string])[] = [
  ['no-break space', '\u00a0'],
  ['narrow no-break space', '\u202f'],
  ['thin space', '\u2009'],
  ['figure space', '\u2007'],
  ['ideographic space', '\u3000'],
  ['no-break hyphen', '\u2011'],
  ['en dash', '\u2013'],
  ['minus', '\u2212'],
];

it.each(SIGNS)('reads groups of digits with a %s between them', (_, sign) => {
  const grouped = (...groups: string[]) => groups.join(sign);
  expect(redact(`Card ${grouped('4111', '1111', '1111', '1111')} was declined`).value).toBe(
    'Card [card:1] was declined',
  );
  expect(redact(`Account ${grouped('DE89', '3704', '0044', '0532', '0130', '00')} is closed`).value).toBe(
    'Account [iban:1] is closed',
  );
  expect(redact(`SMS to ${grouped('+49', '170', '1234567')} failed`).value).toBe('SMS to [phone:1] failed');
});

it.each(['\u00a0', '\u202f', '\u3000'])('reads a name and its value with %j between them', (space) => {
  expect(redact(`password:${space}hunter2x9`).value).toBe(`password:${space}[password:1]`);
});

it('reads numbers and addresses of double width, as forms in Japan have them', () => {
  expect(redact('カード番号 ４１１１−１１１１−１１１１−１１１１').value).toBe('カード番号 [card:1]');
  expect(redact('電話 ０９０−１２３４−５６７８').value).toBe('電話 [phone:1]');
  expect(redact('電話 090-1234-5678').value).toBe('電話 [phone:1]');
  expect(redact('To ada＠example.com').value).toBe('To [email:1]');
});

it.each(['\u034f', '\u061c', '\u180e', '\u2063', '\u3164', '\ufe0f'])(
  'reads through %j, which has no width',
  (mark) => {
    const token = ['ghp', `aB3dE5gH7jK9mN${mark}1pQ3sT5vW7yZ9bC1dE3fG5`].join('_');
    expect(redact(`token ${token} expired`).value).not.toContain('aB3dE5gH');
  },
);

it('leaves prose with such signs as it is', () => {
  const text = 'Pages 10–20 – see “Terms” — cost 1\u202f000\u00a0€ in 2019–2020, room 3‑12';
  expect(redact(text).value).toBe(text);
});
