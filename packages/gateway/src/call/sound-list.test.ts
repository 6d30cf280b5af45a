import { expect, it } from 'vitest';
import { failingInstead, isSound, withoutList } from './sound-list.ts';

it.each([
  ['{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}', true],
  ['{"jsonrpc":"2.0","id":1,"result":{}}', true],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', true],
  ['{"jsonrpc":"2.0","method":"notifications/message","params":{"tools":1}}', true],
  ['', true],
  ['{"jsonrpc":"2.0","id":1,"result":null}', false],
  ['{"jsonrpc":"2.0","id":1,"result":"x"}', false],
  ['{"jsonrpc":"2.0","id":1,"result":[{"tools":[]}]}', false],
  ['[{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}]', false],
  ['{"jsonrpc":"2.0","id":1,"result":{"tools":{}}}', false],
  ['{"jsonrpc":"2.0","id":1,"result":{"tools":null}}', false],
  ['{"jsonrpc":"2.0","id":1,"result":{"tools":[],"t\\u006fols":[]}}', false],
  ['{"jsonrpc":"2.0","id":1,"result":{},"res\\u0075lt":{}}', false],
])('%s: read alike by everybody? %s', (message, sound) => {
  expect(isSound(Buffer.from(message), ['tools'])).toBe(sound);
});

it('says under the same id that an answer cannot be read', () => {
  const failing = failingInstead(Buffer.from('{"jsonrpc":"2.0","id":"mine","result":{"tools":{"0":1}}}'));
  expect(JSON.parse(String(failing))).toEqual({
    jsonrpc: '2.0',
    id: 'mine',
    error: {
      code: -32603,
      message: 'The server answered with a list in a form that MCP does not have',
    },
  });
});

const FAILED = { ok: false, fault: { kind: 'internal', message: 'm' } } as never;

it.each([
  ['{"result":{"tools":[1]},"error":{"code":1}}', undefined],
  ['[{"result":{"tools":[1]}}]', undefined],
  [' {"result":{"tools":[1', undefined],
  ['{"error":{"code":1,"message":"busy"}}', '{"error":{"code":1,"message":"busy"}}'],
  ['out of order', 'out of order'],
])('keeps what failed in place of a list, unless it may hold one: %s', (said, kept) => {
  const body = Buffer.from(said);
  const head = { status: 500, statusText: '', headers: {} };
  const value = { type: 'http', status: 500, head, headers: {}, body };
  const { value: left } = withoutList({ ...(FAILED as object), value } as never);
  expect(left?.type === 'http' ? String(left.body) : undefined).toBe(kept);
  const { value: told } = withoutList({
    ...(FAILED as object),
    value: { type: 'nothing', original: body },
  } as never);
  expect(told).toEqual(kept === undefined ? { type: 'nothing' } : { type: 'nothing', original: body });
});
