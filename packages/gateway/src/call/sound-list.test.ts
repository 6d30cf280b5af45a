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

const HEAD = { status: 500, statusText: '', headers: {} };
/** Failures by HTTP, with a message, and without one. */
const asHttp = (said: string) => ({
  ...(FAILED as object),
  value: { type: 'http', status: 500, head: HEAD, headers: { 'retry-after': '7' }, body: Buffer.from(said) },
});
const asMessage = (said: string) => ({
  ...(FAILED as object),
  value: { type: 'message', status: 200, message: JSON.parse(said), bytes: Buffer.from(said) },
});
const asNothing = (said: string) => ({
  ...(FAILED as object),
  value: { type: 'nothing', status: 502, original: Buffer.from(said) },
});

const PLAIN: readonly (readonly [said: string, left: string])[] = [
  [
    '{"result":{"tools":[1]},"error":{"code":1,"message":"busy","data":7}}',
    '{"error":{"code":1,"message":"busy"}}',
  ],
  ['{"result":{"tools":[1]}}', ''],
  ['[{"result":{"tools":[1]}}]', ''],
  [' {"result":{"tools":[1', ''],
  [
    '{"error":{"code":1,"message":"busy","data":{"a":["b"]}}}',
    '{"error":{"code":1,"message":"busy","data":{"a":["b"]}}}',
  ],
  ['out of order', 'out of order'],
];

it.each(PLAIN)('keeps what failed in place of a list, unless it may hold one: %s', (said, left) => {
  const { value: http } = withoutList(asHttp(said) as never);
  expect(http).toEqual({ ...asHttp(left).value });
  const { value: nothing } = withoutList(asNothing(said) as never);
  expect(nothing).toEqual({
    ...asNothing(said).value,
    original: left === said ? Buffer.from(said) : undefined,
  });
});

it('keeps the error of a message that may hold one', () => {
  const { value } = withoutList(asMessage(PLAIN[0]?.[0] ?? '') as never);
  expect(value).toEqual(asMessage(PLAIN[0]?.[1] ?? '').value);
  expect(withoutList(asMessage(PLAIN[1]?.[0] ?? '') as never).value).toEqual({ type: 'nothing' });
});
