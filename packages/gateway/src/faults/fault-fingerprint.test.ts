import { makeFault, read } from '@mayday/core';
import { redactFault } from '@mayday/core/redact';
import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { faultFingerprint, messageTemplate } from './fault-fingerprint.ts';

it.each([
  ['Order 1234 was not found', 'Order 5 was not found'],
  ['No file "a.txt" here', 'No file "b c.txt" here'],
  ['Task 6f1c2a34-0000-4000-8000-1234567890ab is gone', 'Task 6f1c2a35-0000-4000-8000-1234567890ab is gone'],
  ['GET https://a.example/x?y=1 failed', 'GET https://b.example/z failed'],
  ['Timed out after 3000 ms', 'Timed out after 250 ms'],
  ['Customer cus_9a8b7c is blocked', 'Customer cus_1234 is blocked'],
  ['connect ECONNREFUSED 127.0.0.1:443', 'connect ECONNREFUSED [ip:2]:5432'],
  ['GET http://[ip:1]:8080/?key=[token:2] failed', 'GET https://b.example/ failed'],
  ['No resource bogus://a/b here', 'No resource file:///c here'],
  ['ENOENT: no such file, open /home/[user:1]/a.txt', 'ENOENT: no such file, open /srv/app/b/c.json'],
  ['Resets at: 2026-11-16T11:27:56.812Z', 'Resets at: 2026-01-31T12:00:00Z'],
  ['Timed out after 500 ms', 'Timed out after 12.5 ms'],
  ['The order 404 of Ann is gone', 'The order 17 of Ann is gone'],
  [`Bad input: "${'a'.repeat(150)}" is too long`, 'Bad input: "b" is too long'],
])('%j and %j are the same words', (one, other) => {
  expect(messageTemplate(one)).toBe(messageTemplate(other));
});

it.each([
  ['Order 1234 was not found', 'Order 1234 was not paid'],
  ["It can't be read", "It can't be written; that's all"],
  ['The disk is full', 'The disk is slow'],
  ['The API answered 500 for https://a.example/', 'The API answered 404 for https://a.example/'],
  ['MCP error -32602: No', 'MCP error -32603: No'],
  ['401 Unauthorized', '403 Forbidden'],
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
  expect(faultFingerprint(fault, { upstream: 'shop' })).toMatch(/^3\.[0-9a-f]{16}$/);
  expect(faultFingerprint(again, { upstream: 'shop' })).toBe(faultFingerprint(fault, { upstream: 'shop' }));
});

it('differs by upstream, kind and what it is about', () => {
  const others = [
    faultFingerprint(fault, { upstream: 'till' }),
    faultFingerprint(makeFault({ ...fault, kind: 'forbidden' }), { upstream: 'shop' }),
    faultFingerprint(makeFault({ ...fault, subject: { type: 'product' } }), { upstream: 'shop' }),
  ];
  expect(new Set([...others, faultFingerprint(fault, { upstream: 'shop' })]).size).toBe(4);
});

it('leaves out what was asked for, where it is a word of its own', () => {
  const unknown = (id: string) =>
    faultFingerprint(makeFault({ kind: 'not_found', message: `Unknown tool: ${id}` }), {
      upstream: 'shop',
      target: id,
    });
  expect(unknown('export')).toBe(unknown('list-orders'));
  expect(messageTemplate('Unknown tool: export (see exports)', ['export'])).toBe(
    'Unknown tool: <id> (see exports)',
  );
});

it.each([
  ['Project not found: apollo', 'Project not found: gemini'],
  ['No such container: web', 'No such container: db'],
  ['Recipe 8812 does not exist', 'Recipe 17 does not exist'],
  ['User anna@example.org not found', 'User ben@example.net not found'],
])('is the same for %j and %j, as they are read', (...texts) => {
  const prints = texts.map((text) => {
    const reading = read({ isError: true, content: [{ type: 'text', text }] });
    const said = reading.failure ? reading.fault : fault;
    return [said.subject?.type, faultFingerprint(redactFault(said), { upstream: 'shop' })];
  });
  expect(prints[0]).toEqual(prints[1]);
  expect(prints[0]?.[0]).toMatch(/^(?:project|container|recipe|user)$/);
});

it('costs no more than its length', () => {
  const since = threadClock();
  for (const part of ['"', "'", 'a-', '1_', 'http://', '`x', 'a1', '/', '~/a', '1.', '[ip:1]', '2026-01-01 '])
    messageTemplate(part.repeat(200_000));
  expect(threadClock() - since).toBeLessThan(1000);
});
