import { expect, it } from 'vitest';
import { decodeInTurns } from './in-turns.ts';
import { decodeExact, encodeExact, withNumbersOf } from './numbers.ts';

const exact = (json: string): string => String(encodeExact(decodeExact(Buffer.from(json))));

it.each([
  '{"id":12345678901234567890}',
  '{"a":[-9007199254740993,{"b":0.12345678901234567890}],"c":1e400}',
  '[1e-400,123456789012345678]',
  '{"text":"12345678901234567890 \\" 1e400","n":5}',
  '{"__proto__":{"n":12345678901234567890}}',
])('keeps %s as it is', (json) => {
  expect(exact(json)).toBe(json);
});

it('has the nearest doubles for whoever counts', () => {
  expect(decodeExact(Buffer.from('{"n":9007199254740993}'))).toEqual({ n: 9007199254740992 });
});

it('says what a value is by now, and not what it was', () => {
  const value = decodeExact(Buffer.from('{"n":9007199254740993,"m":9007199254740993}')) as { n: number };
  value.n = 7;
  expect(String(encodeExact(value))).toBe('{"n":7,"m":9007199254740993}');
});

it('knows the numbers of parts that stand elsewhere by now, and of copies', () => {
  const item = decodeExact(Buffer.from('{"size":9007199254740993,"in":{"n":9007199254740993}}')) as {
    in: object;
  };
  expect(String(encodeExact([{ ...item, name: 'x' }, item.in]))).toBe(
    '[{"size":9007199254740992,"in":{"n":9007199254740993},"name":"x"},{"n":9007199254740993}]',
  );
  expect(String(encodeExact(withNumbersOf({ ...item, name: 'x' }, item)))).toBe(
    '{"size":9007199254740993,"in":{"n":9007199254740993},"name":"x"}',
  );
});

it('says what JSON cannot say as `encode` does', () => {
  const ring: { n?: unknown; self?: unknown } = decodeExact(Buffer.from('{"n":9007199254740993}')) as object;
  ring.self = ring;
  expect(String(encodeExact(ring))).toBe('{"n":9007199254740992,"self":null}');
});

it('keeps those of a long list, which is opened in parts', async () => {
  const item = `{"name":"${'x'.repeat(1000)}","n":12345678901234567890}`;
  const json = `{"result":{"tools":[${Array(500).fill(item).join(',')}]}}`;
  expect(String(encodeExact(await decodeInTurns(Buffer.from(json), 'tools')))).toBe(json);
});

it('takes time that is in proportion', () => {
  const time = (count: number): number => {
    const bytes = Buffer.from(`[${Array(count).fill('12345678901234567890,"\\\\\\"1e4"').join(',')}]`);
    const since = performance.now();
    encodeExact(decodeExact(bytes));
    return performance.now() - since;
  };
  time(2000);
  expect(time(40_000)).toBeLessThan(60 * Math.max(time(4000), 2));
});
