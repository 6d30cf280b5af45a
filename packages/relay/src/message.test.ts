import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encode, idOf, parse, peek, withId } from './message.ts';

const at = (text: string) => peek(Buffer.from(text));

it.each([
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request', 'ping'],
  ['{"method":"tools/call","params":{"id":"no","method":"no"},"id":"a"}', 'request', 'tools/call'],
  [
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}',
    'notification',
    'notifications/progress',
  ],
  ['{"result":{"id":2},"jsonrpc":"2.0","id":7}', 'response', ''],
  ['{"error":{"code":1,"message":"}"},"id":7}', 'response', ''],
  [' \n{ "id" : 1 , "method" : "a\\u0062" }\r\n', 'request', 'ab'],
  ['[{"id":1,"method":"ping"}]', 'batch', ''],
  ['{"id":null,"method":"ping"}', 'invalid', ''],
  ['{"id":1}', 'invalid', ''],
  ['{"id":1,"result":{"cut', 'invalid', ''],
  ['{"id":1,"result":{}} trailing', 'invalid', ''],
  ['{"id":1 "result":{}}', 'invalid', ''],
  ['', 'invalid', ''],
  ['Server is running', 'invalid', ''],
])('sees the outside of %s', (text, kind, method) => {
  const seen = at(text);
  expect([seen.kind, seen.method]).toEqual([kind, method]);
});

it('sees what JSON.parse sees, for any result', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.oneof(fc.integer(), fc.string()), (result, id) => {
      const bytes = encode({ jsonrpc: '2.0', result, id });
      const seen = peek(bytes);
      expect(seen.kind).toBe('response');
      expect(idOf(bytes, seen)).toBe(id);
    }),
  );
});

it('exchanges the id and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (params, id) => {
      const bytes = encode({ id, method: 'x', params });
      const other = withId(bytes, peek(bytes), Buffer.from('42'));
      expect(parse(other)).toEqual({ ...(parse(bytes) as object), id: 42 });
    }),
  );
});

it('never throws, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(peek(Buffer.from(bytes)).kind).toMatch(/^(invalid|batch|request|notification|response)$/);
    }),
  );
});

it('walks deep nesting without a stack', () => {
  const deep = `{"id":1,"result":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  expect(at(deep).kind).toBe('response');
});

it('finds the end of long strings with escapes', () => {
  const text = `${'x'.repeat(100)}\\\\"${'y'.repeat(100)}\\`;
  const bytes = encode({ id: 5, result: text, error: undefined });
  expect(idOf(bytes, peek(bytes))).toBe(5);
});
