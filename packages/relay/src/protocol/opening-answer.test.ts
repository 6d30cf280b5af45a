import { expect, it } from 'vitest';
import { wrongProtocol } from './opening-answer.ts';

it.each(['{"jsonrpc":"2.0","id":1,"result":{}}', ' { "id":1, "result" : {"a":1} , "jsonrpc": "2.0" } '])(
  'opens a conversation: %s',
  (answer) => {
    expect(wrongProtocol(Buffer.from(answer))).toBeUndefined();
  },
);

it.each([
  ['{"id":1,"result":{}}', 'what is no JSON-RPC 2.0'],
  ['{"jsonrpc":"1.0","id":1,"result":{}}', 'what is no JSON-RPC 2.0'],
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":null}', 'what is no JSON-RPC 2.0'],
  ['{"jsonrpc":"2.0","id":1,"result":null}', 'a result that is no object'],
  ['{"jsonrpc":"2.0","id":1,"result":"ok"}', 'a result that is no object'],
  ['{"jsonrpc":"2.0","id":1,"result":[]}', 'a result that is no object'],
  ['{"jsonrpc":"2.0","id":1,"result":true}', 'a result that is no object'],
])('opens nothing: %s', (answer, what) => {
  expect(wrongProtocol(Buffer.from(answer))).toEqual({
    kind: 'misconfigured',
    origin: 'upstream',
    executed: 'no',
    message: `The server answered \`initialize\` with ${what}: ${answer}`,
    advice: 'It does not speak MCP as it is addressed: correct its `url`, or update it.',
  });
});

it('shows no id of the relay itself', () => {
  expect(wrongProtocol(Buffer.from('{"jsonrpc":"2.0","id":"mayday-replay","result":null}'))?.message).toBe(
    'The server answered `initialize` with a result that is no object: {"jsonrpc":"2.0","id":1,"result":null}',
  );
});
