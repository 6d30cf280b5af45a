/** A body that nests too deeply arrives as text alone: serializers and schemas of clients give up beyond 1000. */
import { expect, it } from 'vitest';
import { saidBy } from '../../../test/helpers.ts';
import type { JsonRpcWire } from '../dialect.ts';

const objects = (depth: number): string => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth);
const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

it.each([
  ['1000 objects', objects(1000), true],
  ['1001 objects', objects(1001), false],
  ['999 lists in an object', `{"a":${lists(999)}}`, true],
  ['1000 lists in an object', `{"a":${lists(1000)}}`, false],
  ['many objects side by side', `{"a":[${Array(2000).fill('{}')}]}`, true],
  ['many lists side by side', `{"a":[${Array(2000).fill('[]')}]}`, true],
  ['brackets in a text', `{"a":"${'{['.repeat(2000)}"}`, true],
  ['closing brackets in a text', `{"a":"${'}]'.repeat(2000)}","b":${lists(1000)}}`, false],
  ['a quote in a text, and brackets', `{"a":"\\"${'{['.repeat(2000)}"}`, true],
  ['a text that ends with a backslash', `{"a":"\\\\","b":${lists(1000)}}`, false],
])('%s', (_, raw, isParsed) => {
  const wire = saidBy('platica', { kind: 'internal', native: { dialect: 'platica', raw } });
  const result = (wire as JsonRpcWire).result ?? {};
  expect(result['content']).toEqual([{ type: 'text', text: raw }]);
  expect('structuredContent' in result).toBe(isParsed);
});
