import { expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { listPart } from './lists.ts';
import type { Part } from './part.ts';

/** A part whose server answers every list with these items. */
function listing(key: string, items: readonly unknown[]): Part {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { [key]: items } }));
  const ask = async (): Promise<unknown> => ({
    ok: true,
    value: { type: 'answer', body, status: 200, headers: {}, isStream: false },
  });
  return { name: 'odd', ask, begin: ask } as unknown as Part;
}

const SCHEMA = { type: 'object' };

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
  const { items } = await listPart(listing(key, odd), wireCall({}), key, 1000);
  expect(items).toEqual([odd.at(-1)]);
});
