import { expect, it } from 'vitest';
import { searchTools } from './search-tools.ts';

const TOOLS = Array.from({ length: 20_000 }, (_, index) => ({
  name: `update_thing_${index}`,
  description: `Updates the thing of number ${index}`,
}));

it.each([
  ['one word of a megabyte', 'a'.repeat(1_000_000), 0],
  ['very many words', 'ab '.repeat(300_000), 0],
  ['few words', 'thing 77', 20_000],
])('never keeps others waiting, however many tools there are: %s', async (_what, query, found) => {
  let longest = 0;
  let last = performance.now();
  const ticking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 0);
  const tools = await searchTools(TOOLS, query);
  clearInterval(ticking);
  expect(tools.length).toBe(found);
  // Without turns it would be the whole of it: hundreds of milliseconds, or many seconds for long queries.
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThan(400);
});
