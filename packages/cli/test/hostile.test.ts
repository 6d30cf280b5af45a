import { expect, test } from 'vitest';
import { mayday } from './mayday.ts';

const DEPTH = 100_000;
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

test.each([
  [
    'a message of 10 MB',
    `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"${'x'.repeat(10_000_000)}"}}`,
  ],
  ['arrays nested 100,000 deep', DEEP],
  ['a result nested 100,000 deep', `{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":${DEEP}}}`],
  ['prototype names as keys', '{"__proto__":{"isError":true},"constructor":1,"error":{"code":"__proto__"}}'],
  ['a code that is no integer', '{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"no"}}'],
  ['a lone surrogate', '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"\\ud800"}}'],
  ['bytes that are no text', Buffer.from([0xff, 0x00, 0xfe, 0x80, 0x0a, 0xc3])],
  ['an unfinished message', '{"jsonrpc":'],
])('reads and translates %s', async (_what, input) => {
  for (const args of [['read'], ['translate', '--to', 'mayday'], ['redact']]) {
    const { code, out, err } = await mayday(args, input);
    expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
    expect(() => JSON.parse(out)).not.toThrow();
  }
});

test('gives every line its answer although one of them is huge and one is deep', async () => {
  const input = [JSON.stringify('x'.repeat(10_000_000)), DEEP, '{"result":{}}'].join('\n');
  const { code, out } = await mayday(['read', '--jsonl'], input);
  expect(code).toBe(0);
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line) as object)[0]),
  ).toEqual(['failure', 'failure', 'failure']);
});

test('passes a deep success through, member by member', async () => {
  const success = `{"jsonrpc":"2.0","id":1,"result":{"deep":${DEEP}}}`;
  const { code, out } = await mayday(['translate', '--to', 'mcp'], success);
  expect(code).toBe(0);
  expect(out).toBe(`{"wire":${success},"losses":[]}\n`);
});
