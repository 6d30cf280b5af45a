/** What is left of a failure that came in place of a list, for whoever may not use `pay`. */
import { makeFault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { deniedWords } from './denied-words.ts';
import { withoutItems } from './failing-lists.ts';
import type { Rules } from './rules.ts';

const rulesOf = (isAllowed: (name: string) => boolean) =>
  ({
    verdict: (_by, _upstream, { name }) => ({ isAllowed: isAllowed(name), missing: [], needed: [] }),
  }) as Pick<Rules, 'verdict'> as Rules;
const finder = (isAllowed: (name: string) => boolean) =>
  deniedWords({ rules: rulesOf(isAllowed), by: { isKnown: true } as never, upstream: 'my-shop' });
const DENIES_PAY = finder((name) => name !== 'pay');
const ALLOWS_LOOK = finder((name) => name === 'look_up');

const HEAD = { status: 500, statusText: '', headers: {} };
const asHttp = (said: string) => ({
  ok: false,
  fault: makeFault({ kind: 'internal', message: 'busy', details: { attempts: 1, seen: 7 } }),
  value: { type: 'http', status: 500, head: HEAD, headers: { 'retry-after': '7' }, body: Buffer.from(said) },
});

const ERROR = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"busy"}}';
const errorWith = (data: string, code = -32000) =>
  `{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"busy","data":${data}}}`;

it.each([
  [errorWith('{"known":["look"]}'), ERROR],
  [errorWith('{"a":{"tools":{"pay":{}}}}'), ERROR],
  [errorWith('[{"name":"look"}]'), ERROR],
  [errorWith('{"note":"anything"}'), ERROR],
  [errorWith('{"pay":1}'), ERROR],
  ['{"error":"busy","resources":{"a":1}}', ''],
  ['{"error":"there is pay"}', ''],
  [errorWith('{"seconds":7,"none":[]}'), errorWith('{"seconds":7,"none":[]}')],
  [errorWith('{"supported":["2025-11-25"]}', -32022), errorWith('{"supported":["2025-11-25"]}', -32022)],
  ['{"error":"invalid_token"}', '{"error":"invalid_token"}'],
  ['out of order', 'out of order'],
  ['out of order: pay', ''],
  [errorWith(`${'['.repeat(50_000)}${']'.repeat(50_000)}`), ''],
])('leaves nothing of an error that may tell of it: %.80s', (said, left) => {
  const failed = withoutItems(asHttp(said) as never, DENIES_PAY);
  expect(failed.value).toEqual(asHttp(left).value);
  expect(failed.fault.details).toEqual(said === left ? { attempts: 1, seen: 7 } : { attempts: 1 });
});

describe('words', () => {
  it.each([
    ['The list cannot be read', false],
    ['Pay later', false],
    ['cannot read pay', true],
    ['cannot read "pay".', true],
    ['pay: no such file', true],
    ['all of [{"name":"look"}]', true],
    ['all of {\\"name\\":\\"look\\"}', true],
    ['x'.repeat(5000), true],
  ])('where some names are denied: %.40s names one? %s', (words, is) => {
    expect(DENIES_PAY(words)).toBe(is);
  });

  it.each([
    ['The list cannot be read', false],
    ['HTTP 503 after 20 s: my-shop is down', false],
    ['cannot read look_up', false],
    ['cannot read send_money', true],
    ['cannot read sendMoney.', true],
    ['cannot read "money"', true],
    ['cannot read bank://a', true],
  ])('where all are that are not allowed: %s names one? %s', (words, is) => {
    expect(ALLOWS_LOOK(words)).toBe(is);
  });
});
