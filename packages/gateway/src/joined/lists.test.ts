import { expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { listPart, withoutTaken } from './lists.ts';
import type { Part } from './part.ts';

/** Nobody has waited for it in vain. */
const IN_TIME = { isSlowWith: () => false, noteLate: () => {} };

/** A part whose server answers every list with these items. */
function listing(key: string, items: readonly unknown[]): Part {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { [key]: items } }));
  const ask = async (): Promise<unknown> => ({
    ok: true,
    value: { type: 'answer', body, status: 200, headers: {}, isStream: false },
  });
  return { name: 'odd', ask, begin: ask, ...IN_TIME } as unknown as Part;
}

const SCHEMA = { type: 'object' };
const PATIENCE = {
  limit: { setting: 'joined.part_timeout_ms', ms: 10_000 },
  over: new AbortController().signal,
};

it.each([
  [
    'tools',
    [
      null,
      1,
      'x',
      [],
      {},
      { name: 5 },
      { name: 'no schema' },
      { name: 'no object', inputSchema: { type: 'array' } },
      { name: 'go', inputSchema: SCHEMA },
    ],
  ],
  ['resources', [null, { uri: 5 }, { uri: 'a://b' }, { uri: 'go', name: 'go' }]],
])('leaves %s out that would make the list unreadable', async (key, odd) => {
  const { items, unusable } = await listPart(listing(key, odd), wireCall({}), key, PATIENCE);
  expect([items, unusable]).toEqual([[odd.at(-1)], odd.length - 1]);
});

it.each([null, 'x', [[{ tools: [] }]], { tools: { 0: { name: 'go' } } }])(
  'takes %j for no list',
  async (result) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 'mayday-1', result }));
    const ask = async (): Promise<unknown> => ({
      ok: true,
      value: { type: 'answer', body, status: 200, headers: {}, isStream: false },
    });
    const part = { name: 'odd', ask, ...IN_TIME } as unknown as Part;
    const { items, failed } = await listPart(part, wireCall({}, { method: 'tools/list' }), 'tools', PATIENCE);
    expect(items).toEqual([]);
    expect(failed?.outcome).toMatchObject({
      ok: false,
      value: { type: 'nothing' },
      fault: {
        kind: 'invalid_output',
        message: 'odd answered tools/list in a form that MCP does not have',
      },
    });
  },
);

/** A part whose server has so many resources on a page, and answers with these cursors in turn. */
function paged(size: number, cursors: readonly (string | undefined)[]): Part {
  let page = 0;
  const resources = Array.from({ length: size }, (_, i) => ({ uri: `a://${i}`, name: 'r' }));
  const ask = async (): Promise<unknown> => {
    const result = { resources, nextCursor: cursors[page++ % cursors.length] };
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    return { ok: true, value: { type: 'answer', body, status: 200, headers: {}, isStream: false } };
  };
  return { name: 'long', ask, ...IN_TIME } as unknown as Part;
}

it.each([
  [10_000, ['1', undefined], 20_000, undefined],
  [10_000, ['1', '2', undefined], 20_000, 'after 20000 items'],
  [20_001, [undefined], 20_000, 'after 20000 items'],
  [3, ['1', '1'], 6, 'where a cursor came again'],
  [1, Array.from({ length: 1001 }, (_, i) => `${i}`), 1000, 'after 1000 pages'],
])('says where a list of pages of %i was cut', async (size, cursors, count, cut) => {
  const list = await listPart(paged(size, cursors), wireCall({}), 'resources', PATIENCE);
  expect([list.items.length, list.cut]).toEqual([count, cut]);
});

it('shows a resource of two servers once, as that of the first', () => {
  const rest = { cut: undefined, unusable: 0, isStream: false, failed: undefined };
  const list = (name: string, uris: readonly string[]) => ({
    part: { name } as Part,
    items: uris.map((uri) => ({ uri, name: uri })),
    ...rest,
  });
  const lists = withoutTaken([list('one', ['a://1', 'a://2']), list('two', ['a://2', 'a://3', 'a://1'])]);
  expect(lists.map(({ items, taken }) => [items.map((item) => item as object), taken])).toEqual([
    [
      [
        { uri: 'a://1', name: 'a://1' },
        { uri: 'a://2', name: 'a://2' },
      ],
      0,
    ],
    [[{ uri: 'a://3', name: 'a://3' }], 2],
  ]);
});
