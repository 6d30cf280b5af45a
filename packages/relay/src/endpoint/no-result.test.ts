import { expect, it } from 'vitest';
import { noResult } from './no-result.ts';

const kindOf = (text: string, method = 'tools/call') => noResult(method, Buffer.from(text))?.kind;

it.each([
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  ' { "result" : { "a": [1] } , "id": 1 }',
  '{"id":"result","result":{"result":5}}',
  '{"x":{"result":5},"result":{}}',
  '{"id":1}',
])('is a result, or none at all: %s', (text) => {
  expect(kindOf(text)).toBeUndefined();
});

it.each(['5', '"x"', '[]', 'null', ' true'])('is none: %s', (value) => {
  expect(kindOf(`{"jsonrpc":"2.0","id":1,"result":${value}}`)).toBe('invalid_output');
  expect(kindOf(`{"id":"result","result":${value}}`, 'resources/read')).toBe('invalid_output');
  expect(kindOf(`{"jsonrpc":"2.0","id":1,"result":${value}}`, 'ping')).toBeUndefined();
});
