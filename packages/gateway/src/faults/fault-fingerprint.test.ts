import { makeFault } from '@mayday/core';
import { expect, it } from 'vitest';
import { faultFingerprint, messageTemplate } from './fault-fingerprint.ts';

it.each([
  ['Order 1234 was not found', 'Order 5 was not found'],
  ['No file "a.txt" here', 'No file "b c.txt" here'],
  ['Task 6f1c2a34-0000-4000-8000-1234567890ab is gone', 'Task 6f1c2a35-0000-4000-8000-1234567890ab is gone'],
  ['GET https://a.example/x?y=1 failed', 'GET https://b.example/z failed'],
  ['Timed out after 3000 ms', 'Timed out after 250 ms'],
  ['Customer cus_9a8b7c is blocked', 'Customer cus_1234 is blocked'],
])('%j and %j are the same words', (one, other) => {
  expect(messageTemplate(one)).toBe(messageTemplate(other));
});

it.each([
  ['Order 1234 was not found', 'Order 1234 was not paid'],
  ["It can't be read", "It can't be written; that's all"],
  ['The disk is full', 'The disk is slow'],
])('%j and %j are not', (one, other) => {
  expect(messageTemplate(one)).not.toBe(messageTemplate(other));
});

const fault = makeFault({
  kind: 'not_found',
  message: 'Order 1 was not found',
  subject: { type: 'order', id: '1' },
});

it('is the same for the same failure, and says its version', () => {
  const again = makeFault({
    kind: 'not_found',
    message: 'Order 22 was not found',
    subject: { type: 'order', id: '22' },
  });
  expect(faultFingerprint(fault, 'shop')).toMatch(/^1\.[0-9a-f]{16}$/);
  expect(faultFingerprint(again, 'shop')).toBe(faultFingerprint(fault, 'shop'));
});

it('differs by upstream, kind and what it is about', () => {
  const others = [
    faultFingerprint(fault, 'till'),
    faultFingerprint(makeFault({ ...fault, kind: 'forbidden' }), 'shop'),
    faultFingerprint(makeFault({ ...fault, subject: { type: 'product' } }), 'shop'),
  ];
  expect(new Set([...others, faultFingerprint(fault, 'shop')]).size).toBe(4);
});

it('costs no more than its length', () => {
  const since = performance.now();
  for (const part of ['"', "'", 'a-', '1_', 'http://', '`x', 'a1']) messageTemplate(part.repeat(200_000));
  expect(performance.now() - since).toBeLessThan(1000);
});
