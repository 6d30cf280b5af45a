import { expect, it } from 'vitest';
import { language, read } from '../index.ts';
import { warned } from './done.ts';
import { forModel } from './for-model.ts';

it.each([
  'Payment booked, but the receipt address is invalid',
  'Payment made; receipt address invalid',
  'Charge went through with invalid memo',
  'Payment booked, but attachment too large',
  'Message sent, but the session has expired: sign in again',
  'Payment booked, but the mail service is not ready',
  'Order created; approval required for shipping',
  'Order created, but the coupon was not found',
])('invites nobody, whatever the rest reads as: %s', (text) => {
  const reading = read({ isError: true, content: [{ type: 'text', text }] }, { began: true });
  expect(reading.failure).toBe(true);
  const fault = warned((reading as Extract<typeof reading, { failure: true }>).fault, language);
  expect(fault).toMatchObject({ reaction: 'terminal', retryable: false, retry: { when: 'never' } });
  expect(forModel(fault)).toBe(`${text}. A part of it was done. Find out which; do not repeat the call.`);
});
