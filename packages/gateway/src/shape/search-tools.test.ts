import type { Members } from '@mayday/relay';
import { expect, it } from 'vitest';
import { createSearch } from './search-tools.ts';

const MANY = (): readonly Members[] =>
  Array.from({ length: 20_000 }, (_, index) => ({
    name: `update_thing_${index}`,
    description: `Updates the thing of number ${index} in the project, with its labels and comments, and says what has become of it`,
  }));

it.each([
  ['one word of a megabyte', 'a'.repeat(1_000_000), 0],
  ['very many words', 'ab '.repeat(300_000), 0],
  ['few words', 'thing 77', 20_000],
])('never keeps others waiting, however many tools there are: %s', async (_what, query, found) => {
  let longest = 0;
  let last = process.cpuUsage();
  const ticking = setInterval(() => {
    longest = Math.max(longest, msSince(last));
    last = process.cpuUsage();
  }, 0);
  const search = await createSearch()(MANY(), query, 10);
  clearInterval(ticking);
  expect(search.found).toBe(found);
  // Without turns it would be the whole of it: hundreds of milliseconds, or many seconds for long queries.
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThan(400);
});

/** Processor time, not that of the clock: others may load the machine. */
function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several attempts. */
async function leastMs(run: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < 10; time++) {
    const before = process.cpuUsage();
    await run();
    least = Math.min(least, msSince(before));
  }
  return least;
}

it.each([
  'thing 77',
  'labels',
  'update the thing and its comments',
  'u',
  'nothing-like-it',
  'update_thing_19999',
])('searches a list that it has read before in 20 ms: %s', async (query) => {
  const search = createSearch();
  await search(MANY(), query, 10);
  const text = JSON.stringify(MANY());
  const lists = Array.from({ length: 10 }, () => JSON.parse(text) as readonly Members[]);
  expect(await leastMs(() => search(lists.pop() ?? [], query, 10))).toBeLessThan(20);
});

it('reads a list anew that has changed, and knows those of several callers', async () => {
  const search = createSearch();
  const named = (...names: readonly string[]) => names.map((name) => ({ name, description: 'does it' }));
  const lists = [named('open', 'shut'), named('open', 'ajar'), named('open'), named('shut', 'open'), []];
  for (let time = 0; time < 3; time++)
    for (const list of lists) {
      const shut = list.filter(({ name }) => name === 'shut');
      expect(await search(structuredClone(list), 'shut', 10)).toEqual({ tools: shut, found: shut.length });
    }
  const told = [{ name: 'open', description: 'what is shut' }];
  expect(await search(told, 'shut', 10)).toEqual({ tools: told, found: 1 });
});

it('gives the best first, as many as were asked for, and says how many there are', async () => {
  const tools = [
    { name: 'list_files', description: 'Lists' },
    { name: 'reads', description: 'A file' },
    { name: 'readFile', title: 'Reading' },
    { name: 'read', description: 'anything' },
    { name: 'other' },
  ];
  const names = async (query: string, limit: number) => {
    const search = await createSearch()(tools, query, limit);
    return [search.found, ...search.tools.map(({ name }) => name)];
  };
  expect(await names('read file', 10)).toEqual([4, 'readFile', 'read', 'reads', 'list_files']);
  expect(await names('read file', 2)).toEqual([4, 'readFile', 'read']);
  expect(await names('READ', 1)).toEqual([3, 'read']);
  expect(await names('', 2)).toEqual([5, 'list_files', 'reads']);
  expect(await names('reading', 10)).toEqual([2, 'readFile', 'read']);
});

it.each([
  ['STRASSE', 'straße_suchen'],
  ['Straße', 'find_strasse'],
  ['cafe', 'find_café'],
  ['CAFÉ', 'find_cafe'],
  ['cafe\u0301', 'find_caf\u00e9'],
  ['uber', 'Über uns'],
  ['lodz', 'plan_Łódź'],
  ['œuvre', 'list_oeuvres'],
  ['ΟΔΟΣ', 'find_οδός'],
  ['ﬁle', 'open_file'],
  ['ＦＵＬＬ', 'is_full'],
  ['élan', 'showElan'],
  ['ガラス', 'ガラス を 探す'],
  ['हिन्दी', 'हिन्दी में'],
])('finds with %s the tool %s', async (query, name) => {
  const tools = [{ name: 'another' }, { name }];
  expect(await createSearch()(tools, query, 10)).toEqual({ tools: [{ name }], found: 1 });
});

it('does not take one letter of another script for another', async () => {
  const tools = [{ name: 'カラス' }, { name: 'हन्द' }];
  for (const query of ['ガラス', 'हिन्दी'])
    expect(await createSearch()(tools, query, 10)).toEqual({ tools: [], found: 0 });
});
