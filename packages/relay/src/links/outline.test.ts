import fc from 'fast-check';
import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { outlineOf } from './outline.ts';

it.each([
  ['{"jsonrpc":"2.0","id":3,"result":{"cut', 3, true, false],
  ['{"result":{"id":9,"method":"x"},"id" : 3 }', 3, true, false],
  ['{"id":"12","error":NaN}', 12, true, false],
  ['{"method":"notifications/progress","params":{"id":3,"p":NaN}}', undefined, false, true],
  ['{"id":1.5,"result":1}', undefined, true, false],
  ['{"id":{"id":3},"result":1}', undefined, true, false],
  ['{"text":"\\"id\\":3","result":{', undefined, true, false],
  ['{"a":"unterminated \\', undefined, false, false],
  ['[{"id":3}]', undefined, false, false],
  ['Server is running, "id": 3', undefined, false, false],
])('makes out of %s what it can', (text, id, isAnswer, hasMethod) => {
  expect(outlineOf(Buffer.from(text))).toEqual({ id, isOwn: false, isAnswer, hasMethod });
});

it.each(['{"jsonrpc":"2.0","id" : "mayday-replay"}', '{"id":"mayday-replay","x'])(
  'knows the answer to what the relay itself asked: %s',
  (text) => {
    expect(outlineOf(Buffer.from(text))).toMatchObject({ id: undefined, isOwn: true, isAnswer: false });
  },
);

it('takes linear time for what is meant to take longer', () => {
  const start = threadClock();
  for (const text of ['{"\\"'.repeat(500_000), '{'.repeat(2_000_000), '{"id":'.repeat(300_000)])
    outlineOf(Buffer.from(text));
  expect(threadClock() - start).toBeLessThan(2000);
});

it('never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(outlineOf(Buffer.concat([Buffer.from('{"'), Buffer.from(bytes)]))).toBeDefined();
    }),
  );
});
