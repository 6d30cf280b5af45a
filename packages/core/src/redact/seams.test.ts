/** A secret that is cut over blocks of content goes from all of them. */
import { describe, expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { redact } from './index.ts';

const content = (...texts: readonly string[]) => texts.map((text) => ({ type: 'text', text }));
const textsOf = (...texts: readonly string[]): string[] =>
  redact({ isError: true, content: content(...texts) }).value.content.map(({ text }) => text);

const isTelling = (part: string): boolean => part.length > 3;

const SECRETS: readonly (readonly [name: string, before: string, secret: string])[] = [
  ['a token', 'push failed: ', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
  ['a key', 'charge failed with ', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'],
  ['a password', 'login failed, password=', 'x7Qp29LmZ4tR8w'],
  ['a header', 'sent Authorization: Bearer ', 'k8Jq2Lw9Xz4Vb7Nm3Rt6'],
];

describe.each(SECRETS)('%s', (_, before, secret) => {
  const cuts = Array.from({ length: secret.length - 1 }, (_unused, at) => at + 1);

  it.each(cuts)('cut after %i characters', (at) => {
    const told = textsOf(`${before}${secret.slice(0, at)}`, `${secret.slice(at)} was not taken`);
    // A letter or two tell nothing, and may be a word of their own.
    for (const part of [secret.slice(0, at).slice(-6), secret.slice(at).slice(0, 6)].filter(isTelling))
      expect(told.join('')).not.toContain(part);
    expect(told[1]).toMatch(/ was not taken$/);
    expect(textsOf(...told)).toEqual(told);
  });

  it('cut in pieces of five characters', () => {
    const pieces = secret.match(/.{1,5}/g) ?? [];
    const [first = '', ...others] = pieces;
    const told = textsOf(`${before}${first}`, ...others, ' was not taken').join('');
    for (const piece of pieces.filter(isTelling)) expect(told).not.toContain(piece);
  });
});

it.each([
  [
    ['password=x7Qp29LmZ4tR8w', 'Please try again'],
    ['password=[password:1]', 'Please try again'],
  ],
  [
    ['password=x7Qp29LmZ4tR8w.', 'Retry later.'],
    ['password=[password:1].', 'Retry later.'],
  ],
  [
    ['Card 4111 1111 1111 1111', '3 attempts are left'],
    ['Card [card:1]', '3 attempts are left'],
  ],
  [
    ['Order 4111', '1111 parcels'],
    ['Order 4111', '1111 parcels'],
  ],
  [
    ['Tool failed', 'See the log'],
    ['Tool failed', 'See the log'],
  ],
  [
    ['commit 16c7e42f292c', '6912e7710c838347ae178b4a0000'],
    ['commit 16c7e42f292c', '6912e7710c838347ae178b4a0000'],
  ],
  [
    ['ghp_16C7e42F292c6912', ' E7710c838347Ae178B4a'],
    ['ghp_16C7e42F292c6912', ' E7710c838347Ae178B4a'],
  ],
])('leaves alone what begins anew: %j', (texts, told) => {
  expect(textsOf(...texts)).toEqual(told);
});

it('of which only the name stands in the first block', () => {
  expect(textsOf('login failed, password=', 'x7Qp2', '9LmZ4', 'tR8w was not taken').join('')).toBe(
    'login failed, password=[password:1][password:2][password:3] was not taken',
  );
});

it('with a picture between', () => {
  const picture = { type: 'image', data: 'iVBORw0KGgoAAAANSUhEUg==', mimeType: 'image/png' };
  const [one, other] = content('push failed: ghp_16C7e42F292c', '6912E7710c838347Ae178B4a');
  const told = JSON.stringify(redact([one, picture, other]).value);
  expect(told).not.toMatch(/16C7e42F|6912E7710/);
});

it('reads many short blocks in little time', () => {
  const many = content(...Array.from({ length: 50_000 }, () => 'a'));
  const since = threadClock();
  expect(redact(many).value).toEqual(many);
  expect(threadClock() - since).toBeLessThan(5000);
});

it('reads no other lists and members as one text', () => {
  const value = { a: 'ghp_16C7e42F292c', b: '6912E7710c838347Ae178B4a' };
  expect(redact(value).value).toEqual(value);
});

describe('what is told by the block before', () => {
  const PASSWORD = 'Tr0ub4dor&3xyz';
  const TOKEN = 'abcDEF123456ghiJKL7890mnop';

  it.each([
    [['password', `=${PASSWORD}`], PASSWORD],
    [['passw', `ord=${PASSWORD}`], PASSWORD],
    [['passw', 'ord=correcthorsebattery'], 'correcthorse'],
    [['DB_PASS', `WORD=${PASSWORD} DB_HOST=x`], PASSWORD],
    [['{"pass', `word":"${PASSWORD}"}`], PASSWORD],
    [['Authorization: Bearer ', TOKEN], TOKEN],
    [['Authoriz', `ation: Bearer ${TOKEN}`], TOKEN],
    [['card 4111 1111', ' 1111 1111 declined'], '1111'],
    [['card 4111 1111 ', '1111 1111 declined'], '1111'],
    [['mysql -u root -p', 'Hunter2Zebra shop'], 'Hunter2Zebra'],
    [['push failed: ghp_16C7e42F292c', '', '6912E7710c838347Ae178B4a'], '6912E7710c'],
  ])('%j', (texts, secret) => {
    const told = textsOf(...texts);
    expect(told.join('')).not.toContain(secret);
    expect(textsOf(...told)).toEqual(told);
  });

  it('a character at a time', () => {
    const told = textsOf(...[...`sent Authorization: Bearer ${TOKEN} and failed`]);
    expect(told.join('')).not.toMatch(/abcDEF|7890mnop/);
    expect(told.join('')).toMatch(/^sent Authorization: .* and failed$/);
  });

  it('over resources', () => {
    const resource = (text: string) => ({ type: 'resource', resource: { uri: 'file:///a', text } });
    const [one, other] = ['push failed: ghp_16C7e42F292c', '6912E7710c838347Ae178B4a'] as const;
    for (const blocks of [
      [resource(one), resource(other)],
      [{ type: 'text', text: one }, resource(other)],
    ])
      expect(JSON.stringify(redact({ isError: true, content: blocks }).value)).not.toMatch(
        /16C7e42F|6912E7710/,
      );
  });

  it.each([
    [['Enter your password', 'is the first field']],
    [['Wrong password:', 'Please try again']],
    [['Wrong password: ', 'Please try again']],
    [['The token', '= sign is missing']],
    [['No order 7 for this card ', '4 attempts are left']],
  ])('and nothing else: %j', (texts) => {
    expect(textsOf(...texts)).toEqual(texts);
  });
});
