/** What an answer says already. */
import { expect, it } from 'vitest';
import { Told } from './told.ts';

const SENTENCE = 'Row 17 of "users" is locked';
const told = new Told(
  {
    jsonrpc: '2.0',
    id: 42,
    error: {
      code: -32000,
      message: `${SENTENCE}. Do not retry, tell the user.`,
      data: {
        executed: 'maybe',
        correlation_id: 'a-7-b',
        details: { attempts: 1, path: 'a\\b', locked: true, by: { id: 5 } },
        text: '{"kind":"pods","free":["Friday"]}',
      },
    },
  },
  [SENTENCE, 'not a sentence of this answer'],
);

it.each<[string, Parameters<Told['has']>[1]]>([
  ['path', 'a\\b'],
  ['locked', true],
  ['code', -32000],
  ['by', { id: 5 }],
  ['free', ['Friday']],
  ['kind', 'pods'],
  ['message', 'Row 17'],
  ['message', `MCP error -32000: ${SENTENCE}`],
  ['errors', ['"users" is locked', { message: 'Row 17' }]],
  ['note', '"users" is locked'],
  ['success', false],
])('tells %s %j', (name, value) => {
  expect(told.has(name, value)).toBe(true);
});

it.each<[string, Parameters<Told['has']>[1]]>([
  ['id', 42],
  ['row', 17],
  ['attempts', 1],
  ['executed', 'maybe'],
  ['locked', false],
  ['open', true],
  ['at', null],
  ['table', 'users'],
  ['advice', 'tell the user'],
  ['note', 'Do not retry'],
  ['message', 'not a sentence of this answer'],
  ['path', ''],
  ['none', []],
  ['none', {}],
  ['errors', ['"users" is locked', 17]],
])('does not tell %s %j', (name, value) => {
  expect(told.has(name, value)).toBe(false);
});

it('has an end, however much is asked', () => {
  const sentence = `${'x'.repeat(2 ** 20)} this is the end`;
  const large = new Told({ text: sentence }, [sentence]);
  for (let i = 0; i < 31; i++) expect(large.has('message', `none ${i}`)).toBe(false);
  expect(large.has('message', 'this is the end')).toBe(true);
  expect(large.has('message', 'this is the end')).toBe(false);
});
