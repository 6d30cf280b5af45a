import { expect, it } from 'vitest';
import { hasFailed, mayHaveFailed } from './may-have-failed.ts';
import { encode } from './message.ts';

const FAILURES = [
  { id: 1, error: { code: -32603, message: 'x' } },
  { id: 1, result: { content: [], isError: true } },
  {
    id: 1,
    result: { content: [], _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'reliability' } } },
  },
  { id: 1, result: { error: { code: 4001, message: 'x' } } },
];

it.each(FAILURES)('opens %j', (message) => {
  expect(mayHaveFailed(encode(message))).toBe(true);
  expect(hasFailed(message)).toBe(true);
});

it.each([
  { id: 1, result: { content: [{ type: 'text', text: 'fine' }] } },
  { id: 1, result: { content: [], isError: false } },
  { id: 1, result: { content: [{ type: 'text', text: '{"error": "quoted inside text"}' }] } },
])('passes %j without opening it', (message) => {
  expect(mayHaveFailed(encode(message))).toBe(false);
});

it.each([
  { id: 1, result: { structuredContent: { error: null } } },
  { id: 1, result: { resultType: 'input_required', inputRequests: { a: { error: {} } } } },
  { id: 1, result: { content: [], structuredContent: { isError: true } } },
])('opens %j and finds a success', (message) => {
  expect(mayHaveFailed(encode(message))).toBe(true);
  expect(hasFailed(message)).toBe(false);
});

it('sees isError behind an earlier false one', () => {
  expect(mayHaveFailed(Buffer.from('{"a":{"isError":false},"isError" : true}'))).toBe(true);
});
