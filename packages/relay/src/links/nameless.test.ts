import { expect, it } from 'vitest';
import { isNamed, NamelessErrors, wordsOfError } from './nameless.ts';

it('expects one error of each notification, for ten seconds', () => {
  const errors = new NamelessErrors();
  expect(errors.mayBeAboutOne(0)).toBe(false);
  errors.notified('notifications/initialized', 1000);
  errors.notified('notifications/foo', 5000);
  expect([10_999, 10_999, 10_999].map((at) => errors.mayBeAboutOne(at))).toEqual([true, true, false]);
  errors.notified('notifications/foo', 20_000);
  expect(errors.mayBeAboutOne(30_000)).toBe(false);
});

it('knows a notification by its name, whenever and however often it is named', () => {
  const errors = new NamelessErrors();
  errors.notified('notifications/initialized', 0);
  const words = 'Method not found: notifications/initialized';
  expect([errors.namedIn(words), errors.namedIn(words)]).toEqual([
    'notifications/initialized',
    'notifications/initialized',
  ]);
  expect(errors.namedIn('Method not found: notifications/initialized/not')).toBeUndefined();
  expect(errors.mayBeAboutOne(1)).toBe(false); // that one has been answered
});

it('expects nothing of what is only named, nor of another process', () => {
  const errors = new NamelessErrors();
  errors.named('notifications/cancelled');
  expect([errors.namedIn('no notifications/cancelled here'), errors.mayBeAboutOne(0)]).toEqual([
    'notifications/cancelled',
    false,
  ]);
  errors.notified('notifications/foo', 0);
  errors.forget();
  expect([errors.namedIn('notifications/foo'), errors.mayBeAboutOne(0)]).toEqual([undefined, false]);
});

it('keeps a bounded number of names and times', () => {
  const errors = new NamelessErrors();
  for (let i = 0; i < 10_000; i++) errors.notified(`n/${i}`, 0);
  expect([errors.namedIn('n/9899'), errors.namedIn('n/9900')]).toEqual([undefined, 'n/9900']);
  let expected = 0;
  while (errors.mayBeAboutOne(1)) expected += 1;
  expect(expected).toBe(99);
});

it.each([
  ['Unknown tool: pay', 'pay', true],
  ['"pay" failed.', 'pay', true],
  ['repay', 'pay', false],
  ['pay-out and pay', 'pay', true],
  ['', 'pay', false],
  ['lost', '', false],
  ['', '', false],
])('%j names %j: %j', (text, name, named) => {
  expect(isNamed(text, name)).toBe(named);
});

it.each([
  ['{"error":{"code":1,"message":"a","data":{"tool":"b"}}}', 'a {"tool":"b"}'],
  ['{"error":{"code":1}}', ''],
  ['{"error":"just words"}', 'just words'],
  ['[]', ''],
])('reads the words of %s', (line, words) => {
  expect(wordsOfError(Buffer.from(line))).toBe(words);
});
