import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decode, encode, isMembers, parse } from './json.ts';

const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));

it('parses what it wrote', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(decode(encode(value)))).toBe(JSON.stringify(value));
    }),
  );
});

it.each(['{bad}', '{"a":NaN}', '', '\ufeff{}'])('says that %j is no JSON', (text) => {
  expect(parse(Buffer.from(text))).toEqual({ ok: false, why: 'not_json' });
  expect(decode(Buffer.from(text))).toBeUndefined();
});

it('says that nesting is too deep', () => {
  expect(parse(nested(1000)).ok).toBe(true);
  expect(parse(nested(1001))).toEqual({ ok: false, why: 'too_deep' });
  expect(parse(nested(200_000))).toEqual({ ok: false, why: 'too_deep' });
  expect(parse(Buffer.from('[[[1]]]'), 2)).toEqual({ ok: false, why: 'too_deep' });
});

it('reads bytes that are no UTF-8 as replaced', () => {
  expect(decode(Buffer.from([0x22, 0xff, 0x22]))).toBe('\ufffd');
});

it('never throws, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(typeof parse(Buffer.from(bytes)).ok).toBe('boolean');
    }),
  );
});

it('writes whatever it is given', () => {
  const cycle: { [key: string]: unknown } = { a: 1 };
  cycle['self'] = cycle;
  const throwing = {
    get bad() {
      throw new Error('no');
    },
    good: 1,
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const said = [undefined, () => 1, 1n, { n: 1n, m: [2] }, cycle, throwing, proxy, { toJSON: () => 5n }].map(
    (value) => encode(value).toString(),
  );
  expect(said).toEqual([
    'null',
    'null',
    'null',
    '{"n":null,"m":[2]}',
    '{"a":1,"self":null}',
    '{"bad":null,"good":1}',
    'null',
    '{"toJSON":null}',
  ]);
  expect(parse(encode(deep)).ok).toBe(true);
  expect(encode('\ud800').toString()).toBe('"\\ud800"');
});

it.each([
  [{}, true],
  [[], false],
  [null, false],
  ['x', false],
])('says whether %j has members', (value, has) => {
  expect(isMembers(value)).toBe(has);
});
