import { expect, it } from 'vitest';
import * as z from 'zod';
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

const complaintOver = (args: object): Error =>
  z.object({ qty: z.number().min(1), unit: z.enum(['kg', 'lb']) }).safeParse(args).error as Error;
const ARGS = { qty: 0, unit: 'st' };
const POSITIVE = new Error('amount must be positive');
const CURRENCY = new Error('currency is required');

it.each<readonly [Error, readonly string[]]>([
  [
    new AggregateError([POSITIVE, CURRENCY], 'Validation failed'),
    ['Validation failed: ', 'amount must be positive', 'currency is required'],
  ],
  [new AggregateError([POSITIVE, CURRENCY]), ['amount must be positive; currency is required']],
  [new AggregateError([complaintOver(ARGS)], 'Validation failed'), ['Validation failed: ', 'qty', 'unit']],
  [new AggregateError([complaintOver(ARGS)]), ['qty', 'unit']],
  [new Error('Invalid order', { cause: complaintOver(ARGS) }), ['Invalid order: ', 'qty', 'unit']],
  [new Error('Failed to place it', { cause: complaintOver(ARGS) }), ['qty', 'unit']],
  [new Error('Invalid order', { cause: POSITIVE }), ['Invalid order: amount must be positive']],
])('what has to be corrected is told, whatever it is wrapped in: %s', async (reason, parts) => {
  const [kind, words] = await said(reason, ARGS);
  expect([kind, parts.filter((part) => !words.includes(part))]).toEqual(['invalid_arguments', []]);
});

it('what the words say already is not said again', async () => {
  const reason = new Error('Invalid order: amount must be positive', { cause: POSITIVE });
  expect((await said(reason))[1].split('amount must be positive')).toHaveLength(2);
});

it.each([
  new AggregateError([POSITIVE, new TypeError('x is not a function')]),
  new AggregateError([POSITIVE, new Error('heap limit reached')], 'Two of two'),
  new AggregateError([complaintOver({ qty: 'of a backend' })]),
  new AggregateError([]),
])('what may be the operator’s is not told as the caller’s: %s', async (reason) => {
  expect(await said(reason, ARGS)).toEqual(['internal', INTERNAL]);
});

it('parts that are the operator’s are left out beside words for the caller', async () => {
  const [, words] = await said(
    new AggregateError([POSITIVE, new TypeError('x is not a function')], 'Validation failed'),
  );
  expect([words.includes('amount must be positive'), words.includes('function')]).toEqual([true, false]);
});

it('one that is a part of itself is told as any other', async () => {
  const round = new AggregateError([POSITIVE], 'Two of two');
  round.errors.push(round);
  expect((await said(round))[0]).toBe('invalid_arguments');
});
