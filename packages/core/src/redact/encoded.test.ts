import { describe, expect, test } from 'vitest';
import { createRedactor } from './index.ts';

const { redactText } = createRedactor();
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');

describe('what is encoded goes where it would go in plain', () => {
  test.each([
    ['a mailbox', 'user=jane.doe@example.org', '[email:1]'],
    ['a phone', 'phone: +49 170 1234567', '[phone:1]'],
    ['a number that means somebody', 'ssn: 078-05-1120', '[id-number:1]'],
    ['a date of birth', 'date of birth: 1984-03-12', '[birth-date:1]'],
    ['a card', 'card 4111 1111 1111 1111', '[card:1]'],
    ['a password', 'password=hunter2zz9', '[password:1]'],
  ])('%s', (_, plain, surrogate) => {
    expect(redactText(`rejected ${base64(plain)} by the gate`).value).toBe(
      `rejected ${surrogate} by the gate`,
    );
    expect(redactText(`rejected ${hex(plain)} by the gate`).value).toBe(`rejected ${surrogate} by the gate`);
  });

  test.each([
    ['a place in a list', '{"id":42,"next":43,"created":1700000000000}'],
    ['a place in time', '{"after":"2026-11-15T02:10:30.123Z","id":"7f3c2a10-55aa-4c0e-9d1e-0f2b6a7c8d9e"}'],
    ['the number of an order', 'order number 4005519283746 of 2026'],
    ['the mailbox of a role', 'contact support@example.org today'],
    ['a host inside', 'moved to shard-7.db.internal today'],
  ])('%s stays', (_, plain) => {
    const text = `stale ${base64(plain)} was sent`;
    expect(redactText(text).value).toBe(text);
  });
});
