import { expect, test } from 'vitest';
import { mergeUpstreams } from './merge.ts';

const files = { name: 'files', entry: { command: 'npx', args: ['files'] } };

test('what is there stays as it was written', () => {
  const before = '# mine\ndialect: onx # ours\nupstreams:\n  shop: { openapi: ./shop.yaml } # API\n';
  const { text, placed } = mergeUpstreams(before, [files]);
  expect(text).toBe(`${before}  files:\n    command: npx\n    args:\n      - files\n`);
  expect(placed).toEqual([{ ...files, here: 'files', isOld: false }]);
});

test('the same is not added twice, and another one gets a name of its own', () => {
  const { text } = mergeUpstreams(undefined, [files]);
  expect(mergeUpstreams(text, [files])).toEqual({
    text,
    placed: [{ ...files, here: 'files', isOld: true }],
    problems: [],
  });
  const other = { name: 'Files', entry: { command: 'uvx' } };
  const merged = mergeUpstreams(text, [other]);
  expect(merged.text).toBe(`${text}  files-2:\n    command: uvx\n`);
  expect(mergeUpstreams(merged.text, [other]).text).toBe(merged.text);
});

test('two servers that are the same but for their names stay two', () => {
  const { placed, text } = mergeUpstreams(undefined, [files, { ...files, name: 'FILES' }]);
  expect(placed.map(({ here }) => here)).toEqual(['files', 'files-2']);
  const again = mergeUpstreams(text, [files, { ...files, name: 'FILES' }]);
  expect(again.placed.map(({ here, isOld }) => [here, isOld])).toEqual([
    ['files', true],
    ['files-2', true],
  ]);
});

test('lines end as they did', () => {
  expect(mergeUpstreams('upstreams: {}\r\n', [files]).text).toBe(
    'upstreams:\r\n  files:\r\n    command: npx\r\n    args:\r\n      - files\r\n',
  );
});

test.each([
  ['upstreams:\n  a: [', 2],
  ['- a\n', 1],
  ['upstreams: 5\n', 1],
  ['a: 1\na: 2\n', 2],
])('%j is left alone', (text, line) => {
  const merged = mergeUpstreams(text, [files]);
  expect([merged.text, merged.placed, merged.problems[0]?.line]).toEqual([text, [], line]);
});
