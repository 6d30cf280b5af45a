import { expect, it } from 'vitest';
import { noResult } from './no-result.ts';

const kindOf = (text: string, method = 'tools/call') => noResult(method, Buffer.from(text))?.kind;

it.each([
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  ' { "result" : { "a": [1] } , "id": 1, "jsonrpc" : "2.0" }',
  '{"jsonrpc":"2.0","id":"result","result":{"result":5}}',
  '{"x":{"result":5},"jsonrpc":"2.0","result":{}}',
  '{"jsonrpc":"2.0","id":1}',
])('is a result, or none at all: %s', (text) => {
  expect(kindOf(text)).toBeUndefined();
});

it.each(['5', '"x"', '[]', 'null', ' true'])('is none: %s', (value) => {
  expect(kindOf(`{"jsonrpc":"2.0","id":1,"result":${value}}`)).toBe('invalid_output');
  expect(kindOf(`{"jsonrpc":"2.0","id":"result","result":${value}}`, 'resources/read')).toBe(
    'invalid_output',
  );
  expect(kindOf(`{"jsonrpc":"2.0","id":1,"result":${value}}`, 'ping')).toBeUndefined();
});

it.each([
  ['tools/call', '{"content":[]}'],
  ['tools/call', ' { "content" : [ {"type":"text","text":"{\\"content\\":5}"} ] }'],
  ['tools/call', '{"structuredContent":{"content":"x"},"content":[]}'],
  ['tools/call', '{"_meta":{"content":5}}'],
  ['tools/call', '{"task":{"taskId":"t"}}'],
  ['tools/call', '{"messages":5,"content":[]}'],
  ['prompts/get', '{"messages":[],"content":"x"}'],
  ['resources/read', '{"contents":[]}'],
  ['completion/complete', '{"completion":{"values":[]}}'],
  ['tasks/result', '{"contents":5}'],
])('%s: has what its method promises, or nothing of that name: %s', (method, result) => {
  expect(kindOf(`{"jsonrpc":"2.0","id":1,"result":${result}}`, method)).toBeUndefined();
});

it.each([
  ['tools/call', 'content', '"x"', 'list'],
  ['tools/call', 'content', '{"type":"text"}', 'list'],
  ['tools/call', 'content', 'null', 'list'],
  ['tasks/result', 'content', '"x"', 'list'],
  ['prompts/get', 'messages', '"x"', 'list'],
  ['resources/read', 'contents', '5', 'list'],
  ['completion/complete', 'completion', '["a"]', 'object'],
])('%s: a result whose %s is %s is none', (method, name, value, form) => {
  const message = `The server answered with a result whose \`${name}\` is no ${form}`;
  const fault = { kind: 'invalid_output', origin: 'upstream', executed: 'maybe', message };
  const asFirst = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"${name}":${value}}}`);
  expect(noResult(method, asFirst)).toEqual(fault);
  const asLast = Buffer.from(
    `{"result" : {"structuredContent":{"${name}":[]}, "${name}" : ${value} }, "id":1, "jsonrpc":"2.0"}`,
  );
  expect(noResult(method, asLast)).toEqual(fault);
});

it('of several members of one name all have to have the form: parsers differ in which they take', () => {
  expect(kindOf('{"jsonrpc":"2.0","result":{"content":"x","content":[]}}')).toBe('invalid_output');
});

const NO_VERSION_2 = 'The server answered with a message that is no JSON-RPC 2.0';

it.each([
  '{"id":1,"result":{"content":[]}}',
  '{"jsonrpc":"1.0","id":1,"result":{"content":[]}}',
  '{"jsonrpc":2.0,"id":1,"result":{"content":[]}}',
  '{"id":1,"result":{"content":[],"jsonrpc":"2.0"}}',
])('is no JSON-RPC 2.0, whatever was asked: %s', (text) => {
  const fault = {
    kind: 'invalid_output',
    origin: 'upstream',
    executed: 'maybe',
    message: `${NO_VERSION_2}: its \`jsonrpc\` is not "2.0"`,
  };
  for (const method of ['tools/call', 'tools/list', 'ping', 'server/discover'])
    expect(noResult(method, Buffer.from(text))).toEqual(fault);
});

it('is no JSON-RPC 2.0 with an error beside the result, be it nothing', () => {
  const text = '{"jsonrpc":"2.0","id":1,"result":{"content":[]},"error":null}';
  expect(noResult('tools/call', Buffer.from(text))?.message).toBe(
    `${NO_VERSION_2}: it has an \`error\` beside its result`,
  );
  expect(kindOf('{"jsonrpc":"2.0","id":1,"result":{"content":[],"error":null}}')).toBeUndefined();
});
