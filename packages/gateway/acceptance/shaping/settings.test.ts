/** Mistakes in what docs/shaping.md describes are told with their line, before anything is served. */
import { expect, it } from 'vitest';
import { refusedGateway, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post } from '../support/http.ts';
import { ask } from '../support/messages.ts';
import { stdio } from '../support/world.ts';

/** A line of the file each, and what has to be told with its number. */
const MISTAKES: [line: string, told?: RegExp][] = [
  ['upstreams:'],
  ['  files: { url: http://127.0.0.1:1/mcp }'],
  ['  one:'],
  ['    url: http://127.0.0.1:1/mcp'],
  ['    tools:'],
  ['      allow: []', /upstreams\.one\.tools\.allow/],
  ['      renames: { a: b }', /upstreams\.one\.tools\.renames.*did you mean rename\?/],
  ['      discovery: eager', /upstreams\.one\.tools\.discovery/],
  ['  two:'],
  ['    url: http://127.0.0.1:1/mcp'],
  ['    tools:'],
  ['      rename:'],
  [`        a: ${'x'.repeat(65)}`, /upstreams\.two\.tools\.rename\.a/],
  ["        b: ''", /upstreams\.two\.tools\.rename\.b/],
  ['        c: d.e', /upstreams\.two\.tools\.rename\.c/],
  ['        f: "g h"', /upstreams\.two\.tools\.rename\.f/],
  ['        fine: same'],
  ['        second: same', /upstreams\.two\.tools\.rename\.second/],
  ['virtual:'],
  ['  nothing: { deny: [files/a] }', /virtual\.nothing/],
  ['  none: { tools: [] }', /virtual\.none\.tools/],
  ['  desk:'],
  ["    tools: ['*']"],
  ['    rename:'],
  ['      flies/a: b', /virtual\.desk\.rename\.flies.*files/],
  ['      bare: c', /virtual\.desk\.rename\.bare/],
  ['      files/d: e/f', /virtual\.desk\.rename\.files/],
  ['      files/g: same'],
  ['      files/h: same', /virtual\.desk\.rename\.files/],
  ['    descriptions:'],
  ['      flies/i: b', /virtual\.desk\.descriptions\.flies.*files/],
  ["  files: { tools: ['*'] }", /virtual\.files/],
  ["  Desk: { tools: ['*'] }", /virtual\.Desk/],
  [`  ${'d'.repeat(33)}: { tools: ['*'] }`, /virtual\.d{33}/],
  ["  odd: { tools: ['*'], separator: '|' }", /virtual\.odd\.separator/],
];

it('each mistake is told with its line', async () => {
  const { code, log } = await refusedGateway(MISTAKES.map(([line]) => line).join('\n'), 50_000);
  const untold = MISTAKES.map(([line, told], index) => ({ line, told, number: index + 1 }))
    .filter(({ told }) => told !== undefined)
    .filter(
      ({ told, number }) =>
        !log.split('\n').some((row) => row.includes(`yaml:${number}:`) && told?.test(row)),
    );
  expect(untold.map(({ line }) => line)).toEqual([]);
  expect(code).not.toBe('started');
  expect(code).not.toBe(0);
});

it('what fits nothing is a warning: an upstream at the start, a tool at the first list, once', async () => {
  const gateway = await startGateway({
    upstreams: {
      s: stdio(
        {},
        {
          tools: {
            deny: ['no_such_pattern*'],
            rename: { no_such_tool: 'x' },
            descriptions: { no_such_described: 'x' },
          },
        },
      ),
    },
    virtual: { desk: { tools: ['s/*', 'nowhere/*'] } },
  });
  await expect.poll(() => gateway.log()).toMatch(/warning: .*virtual\.desk\.tools\.1/);
  expect(gateway.log()).not.toMatch(/no_such/);
  await post(at(gateway, 's'), ask('tools/list'));
  await expect.poll(() => gateway.log()).toMatch(/no_such_pattern\*/);
  await expect.poll(() => gateway.log()).toMatch(/no_such_tool/);
  await expect.poll(() => gateway.log()).toMatch(/no_such_described/);
  await post(at(gateway, 's'), ask('tools/list'));
  await post(at(gateway, 's'), ask('tools/list'));
  const log = gateway.log();
  await gateway.stop('SIGKILL');
  expect(log.match(/no_such_pattern\*/g)).toHaveLength(1);
  expect(log.match(/no_such_tool/g)).toHaveLength(1);
});
