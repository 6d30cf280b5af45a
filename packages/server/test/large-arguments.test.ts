/** A text full of values against an argument full of others: nobody else waits for that. */
import { language } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { threadClock } from '../../../bench/measure.ts';
import { faultFromException } from '../src/words/exception.ts';
import { said } from './thrown.ts';

/** Far beyond what it takes, far below what it took: seconds to minutes. */
const SOON_MS = 400;

const many = (count: number, one: (n: number) => string, by = ' '): string =>
  Array.from({ length: count }, (_, n) => one(n)).join(by);

const VALUES: readonly (readonly [string, (n: number) => string])[] = [
  ['mail addresses', (n) => `u${n}@example.com`],
  ['paths', (n) => `/srv/data/t${n}/f${n}.txt`],
  ['home paths', (n) => `/home/u${n}/f${n}.txt`],
  ['short paths', (n) => `/app/${n}`],
  ['IP addresses', (n) => `10.${n % 250}.${(n >> 8) % 250}.${n % 249}`],
  ['phones', (n) => `+49 30 ${1000000 + n}`],
  ['hex', (n) => (n * 2654435761).toString(16).padStart(40, 'a')],
  ['hosts', (n) => `db${n}.internal.example.com`],
];

function msFor(message: string, args: object): number {
  const context = { messages: 'all', maxTextLength: 100_000, arguments: args, language } as const;
  const start = threadClock();
  faultFromException(new Error(message), context);
  return threadClock() - start;
}

describe.each(VALUES)('5000 %s in an exception', (_what, one) => {
  const text = `File not found: ${many(5000, one)}`;

  it.each([
    ['2 MB of others in one argument', { body: many(100_000, (n) => one(n + 500_000)) }],
    ['many arguments of others', { body: Array.from({ length: 20_000 }, (_, n) => one(n + 500_000)) }],
    ['60 kB of others', { body: many(60_000, (n) => one(n + 500_000)).slice(0, 60_000) }],
    ['the same, glued together', { body: many(60_000, (n) => `${one(n)}x`, '').slice(0, 60_000) }],
  ])('against %s', (_how, args) => {
    msFor('warm', {});
    expect(msFor(text, { ...args, to: 'ada@example.com' })).toBeLessThan(SOON_MS + msFor(text, {}) * 2);
  });
});

describe('a small argument beside a large one', () => {
  const document = many(100_000, (n) => `import /srv/x/t${n}/f${n}.ts u${n}@example.com`, '\n');

  it.each<readonly [string, object, string]>([
    [
      'Customer ada@example.org not found',
      { email: 'ada@example.org' },
      'Customer ada@example.org not found',
    ],
    ['File not found: /srv/data/a7/notes.txt', { path: 'notes.txt' }, 'File not found: notes.txt'],
  ])('is still the caller’s own: %s', async (text, own, told) => {
    const [kind, words] = await said(new Error(text), { document, ...own });
    expect(kind).toBe('not_found');
    expect(words).toContain(told);
  });

  it('is too long for its column, however long it is', async () => {
    const reason = Object.assign(new Error('value too long for type character varying(255)'), {
      code: '22001',
    });
    expect((await said(reason, { document }))[0]).toBe('invalid_arguments');
  });
});
