/** Lists in pages, and operations of an API, in the shape that docs/shaping.md describes. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask } from '../support/messages.ts';
import { listed } from '../support/policy.ts';
import { definitions, PATIENT, told, tool } from '../support/shaping.ts';
import { API_PATHS, openapiFile, stdio } from '../support/world.ts';

const TOOLS = ['echo', 'pay', 'lookup', 'late'].map((name) => tool(name));
const SHAPE = { deny: ['pay'], rename: { late: 'later' } };
const folder = scratch();
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ tools: TOOLS, paged: true });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});
const gateway = keepGateway(() =>
  startGateway({
    joined: PATIENT,
    upstreams: {
      u: { url: http.url, tools: SHAPE },
      s: stdio({ tools: TOOLS, paged: true }, { tools: SHAPE }),
      api: {
        openapi: openapiFile(folder, API_PATHS),
        base_url: http.origin,
        tools: { rename: { echo: 'say' }, descriptions: { echo: 'Says it.', pay: 'Pays it.' } },
      },
    },
    virtual: { v: { tools: ['u/*', 's/*'] } },
  }),
);

async function pages(endpoint: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const request = ask('tools/list', cursor === undefined ? {} : { cursor });
    const { message } = await post(at(gateway(), endpoint), request);
    found.push(...listed(message, 'tools'));
    cursor = message['result']?.nextCursor;
  } while (cursor !== undefined && found.length < 50);
  return found;
}

it.each([
  ['u', ['echo', 'lookup', 'later']],
  ['s', ['echo', 'lookup', 'later']],
  ['v', ['s_echo', 's_later', 's_lookup', 'u_echo', 'u_later', 'u_lookup']],
])('every page at /%s', async (endpoint, expected) => {
  expect((await pages(endpoint)).sort()).toEqual([...expected].sort());
});

it.each([
  ['u', 'later', 'late: hi'],
  ['', 's_later', 'late: hi'],
  ['v', 'u_later', 'late: hi'],
  ['u', 'late', 'not_found/no'],
  ['', 's_pay', 'not_found/no'],
])('a tool of a later page, called at /%s as %s, is %s', async (endpoint, name, expected) => {
  expect(await told(gateway(), endpoint, name, { text: 'hi' })).toBe(expected);
});

it('operations of an API are renamed and described', async () => {
  const found = await definitions(gateway(), 'api');
  expect(found.map(({ name, description }) => ({ name, description }))).toEqual([
    { name: 'say', description: 'Says it.' },
    { name: 'pay', description: 'Pays it.' },
  ]);
  expect(await told(gateway(), 'api', 'say', {})).toContain('ok');
  expect(await told(gateway(), 'api', 'echo', {})).toBe('not_found/no');
});
