import { expect, it } from 'vitest';
import { error, INTERNAL, said } from './thrown.ts';

it.each<readonly [Error, string, string]>([
  [
    new Error('Failed to load order', { cause: new Error('Order 7 not found') }),
    'not_found',
    'Failed to load order: Order 7 not found',
  ],
  [
    new Error('Could not save', { cause: new Error('x', { cause: new Error('Name must be unique') }) }),
    'conflict',
    'Could not save: x: Name must be unique',
  ],
  [
    new AggregateError([new Error('Order 7 not found'), new Error('Order 8 not found')], '2 of 2 failed'),
    'not_found',
    '2 of 2 failed: Order 7 not found; Order 8 not found',
  ],
])('the words of plain causes are kept: %s', async (reason, kind, text) => {
  const [told, words] = await said(reason);
  expect([told, words.startsWith(text)]).toEqual([kind, true]);
});

it.each([
  new Error('Failed to load order', { cause: new TypeError('x is not a function') }),
  new Error('Failed to load order', { cause: error('relation "orders" does not exist', { code: '42P01' }) }),
  new Error('Failed to load order', { cause: new Error('heap limit reached') }),
])('those of a program are not: %s', async (reason) => {
  expect(await said(reason)).toEqual(['internal', INTERNAL]);
});

const ELSEWHERE = {
  kind: 'rate_limited',
  reaction: 'retryable',
  retryable: true,
  retry: { when: 'after_wait', after_ms: 500 },
  executed: 'no',
  origin: 'server',
  message: 'Too many mails',
};

it.each<readonly [Error, string, string]>([
  [new Error('Mail failed', { cause: ELSEWHERE }), 'internal', INTERNAL],
  [new Error('Mail failed', { cause: new Error('x', { cause: ELSEWHERE }) }), 'internal', INTERNAL],
  // Its own words decide, as they do without a cause.
  [new Error('Mail is busy', { cause: ELSEWHERE }), 'unprocessable', 'Mail is busy'],
  [new Error('Mail is busy'), 'unprocessable', 'Mail is busy'],
])('what was said of another call is no word about this one: %s', async (reason, kind, text) => {
  const [told, words] = await said(reason);
  expect([told, words.startsWith(text), words.includes('Too many')]).toEqual([kind, true, false]);
});
