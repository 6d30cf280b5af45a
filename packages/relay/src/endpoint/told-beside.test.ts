import { expect, it } from 'vitest';
import { isToldBeside } from './told-beside.ts';

it.each([
  ['a log message', '{"jsonrpc":"2.0","method":"notifications/message","params":{}}', undefined, true],
  ['progress', '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}', undefined, true],
  ['a comment', '', undefined, true],
  ['a place in a stream', '', '7', false],
  ['a log message with a place', '{"jsonrpc":"2.0","method":"notifications/message"}', '7', false],
  ['a question', '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}', undefined, false],
  [
    'a question named like a log message',
    '{"jsonrpc":"2.0","id":1,"method":"notifications/message"}',
    undefined,
    false,
  ],
  [
    'an acknowledged subscription',
    '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}',
    undefined,
    false,
  ],
])('%s', (_name, data, id, told) => {
  expect(isToldBeside({ data: Buffer.from(data), id })).toBe(told);
});
