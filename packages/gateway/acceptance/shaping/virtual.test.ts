/** Virtual servers, from docs/shaping.md: a selection of tools and nothing else, for whoever has a key for it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, initialize, modern } from '../support/messages.ts';
import { fate } from '../support/policy.ts';
import { definitions, names, PATIENT, told, tool } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const DESK = 'desk-key-0123456789';
const ALL = 'all-key-0123456789';
const OPERATOR = 'operator-key-0123456789';
const FILES = ['read_text_file', 'read_multiple_files', 'move_file'].map((name) =>
  tool(name, { description: `Old words of ${name}.` }),
);
const GITHUB = ['get_issue', 'search_code', 'search_users', 'delete_repo'].map((name) => tool(name));

let github: HttpPuppet;
beforeAll(async () => {
  github = await startHttpPuppet({
    tools: GITHUB,
    capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
  });
});
afterAll(() => github.close());
const gateway = keepGateway(() =>
  startGateway({
    keys: [
      { name: 'desk', key: DESK, upstreams: ['desk'] },
      { name: 'all', key: ALL },
      { name: 'op', key: OPERATOR, role: 'operator' },
    ],
    access: { rules: [{ deny: ['github/search_code'], callers: ['desk'] }] },
    joined: PATIENT,
    upstreams: {
      files: stdio(
        { tools: FILES },
        {
          tools: {
            deny: ['move_file'],
            rename: { read_text_file: 'read', read_multiple_files: 'read_many' },
            descriptions: { read_text_file: 'Words of the upstream.' },
          },
        },
      ),
      github: { url: github.url },
    },
    virtual: {
      desk: {
        tools: ['files/read_*', 'github/get_issue', 'github/search_*', 'files/move_file'],
        deny: ['*/search_users'],
        rename: { 'github/get_issue': 'issue' },
        descriptions: { 'github/get_issue': 'Gets an issue of our repository.' },
        instructions: 'Read files and issues of the project here.',
      },
      other: {
        tools: ['files/*'],
        rename: { 'files/read_text_file': 'open' },
        descriptions: { 'files/read_text_file': 'Words of the server.' },
        separator: '.',
      },
    },
  }),
);

it('lists what it selects, by the server’s names, under its own', async () => {
  expect(await names(gateway(), 'desk', { key: ALL })).toEqual([
    'files_read',
    'files_read_many',
    'issue',
    'github_search_code',
  ]);
  expect(await names(gateway(), 'other', { key: ALL })).toEqual(['open', 'files.read_many']);
});

it('describes in its own words, else in the upstream’s, else in the server’s', async () => {
  const [desk, other] = await Promise.all(
    ['desk', 'other'].map((name) => definitions(gateway(), name, { key: ALL })),
  );
  expect(desk?.map((each) => each['description'])).toEqual([
    'Words of the upstream.',
    'Old words of read_multiple_files.',
    'Gets an issue of our repository.',
    undefined,
  ]);
  expect(other?.map((each) => each['description'])).toEqual([
    'Words of the server.',
    'Old words of read_multiple_files.',
  ]);
});

it.each([
  ['desk', 'files_read', 'read_text_file: hi'],
  ['desk', 'files_read_many', 'read_multiple_files: hi'],
  ['desk', 'issue', 'get_issue: hi'],
  ['desk', 'github_search_code', 'search_code: hi'],
  ['other', 'open', 'read_text_file: hi'],
  ['other', 'files.read_many', 'read_multiple_files: hi'],
  ['desk', 'github_get_issue', 'not_found/no'],
  ['desk', 'github_issue', 'not_found/no'],
  ['desk', 'github_search_users', 'not_found/no'],
  ['desk', 'github_delete_repo', 'not_found/no'],
  ['desk', 'files_move_file', 'not_found/no'],
  ['desk', 'files_read_text_file', 'not_found/no'],
  ['desk', 'read', 'not_found/no'],
  ['desk', 'open', 'not_found/no'],
  ['other', 'files.read', 'not_found/no'],
  ['other', 'files_read_many', 'not_found/no'],
])('at /%s a call of %s is %s', async (endpoint, name, expected) => {
  expect(await told(gateway(), endpoint, name, { text: 'hi' }, { key: ALL })).toBe(expected);
});

describe('it has tools and nothing else', () => {
  it('clients are told so, and its instructions', async () => {
    const { message } = await post(at(gateway(), 'desk'), initialize(), { key: ALL });
    expect(message['result']?.instructions).toBe('Read files and issues of the project here.');
    const { tools, logging, ...rest } = message['result']?.capabilities ?? {};
    expect(tools).toBeTypeOf('object');
    expect(logging).toEqual({});
    expect(rest).toEqual({});
  });

  it('also in the revision of 2026', async () => {
    const request = modern(ask('server/discover'));
    const { message } = await post(at(gateway(), 'desk'), request, { key: ALL, era: '2026' });
    expect(message['result']?.instructions).toBe('Read files and issues of the project here.');
    expect(Object.keys(message['result']?.capabilities ?? {}).sort()).toEqual(['logging', 'tools']);
  });

  it.each([
    ['prompts/list', {}],
    ['prompts/get', { name: 'hello' }],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'test://one' }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'hello' }, argument: { name: 'a', value: '' } },
    ],
  ])('%s is unsupported', async (method, params) => {
    const before = github.arrivals.length;
    const { message } = await post(at(gateway(), 'desk'), ask(method, params), { key: ALL });
    expect(message['error']?.code).toBe(-32601);
    expect(faultOf(message)['kind']).toBe('unsupported');
    const reached = github.arrivals.slice(before).filter(({ body }) => body.includes(method));
    expect(reached).toEqual([]);
  });
});

describe('a key whose upstreams name it', () => {
  it('uses its tools, as far as rules let it', async () => {
    expect(await names(gateway(), 'desk', { key: DESK })).toEqual(['files_read', 'files_read_many', 'issue']);
    const fates = await Promise.all(
      ['files_read', 'issue', 'github_search_code'].map((name) =>
        told(gateway(), 'desk', name, { text: 'hi' }, { key: DESK }),
      ),
    );
    expect(fates).toEqual(['read_text_file: hi', 'get_issue: hi', 'forbidden/no']);
  });

  it.each(['files', 'github', 'other', ''])('and not /%s', async (endpoint) => {
    const { status, message } = await post(at(gateway(), endpoint), ask('tools/list'), { key: DESK });
    expect([401, 403, 404]).toContain(status);
    expect(fate(message)).toMatch(/^(forbidden|not_found)\/no$/);
  });

  it('and nobody without a key uses it', async () => {
    const { status } = await post(at(gateway(), 'desk'), ask('tools/list'));
    expect(status).toBe(401);
  });
});

it('/-/status lists it', async () => {
  const { messages } = await send(`${gateway().url}/-/status`, undefined, { key: OPERATOR });
  const rows: { name: string }[] = messages[0]?.['virtual'];
  expect(rows.find(({ name }) => name === 'other')).toEqual({
    name: 'other',
    endpoint: '/other/mcp',
    sessions: expect.any(Number),
    upstreams: ['files'],
  });
  expect(rows.find(({ name }) => name === 'desk')).toEqual({
    name: 'desk',
    endpoint: '/desk/mcp',
    sessions: expect.any(Number),
    upstreams: ['files', 'github'],
  });
});

it('sessions are counted there', async () => {
  const sessions = async (): Promise<number> => {
    const { messages } = await send(`${gateway().url}/-/status`, undefined, { key: OPERATOR });
    return messages[0]?.['virtual'].find((each: { name: string }) => each.name === 'other').sessions;
  };
  const before = await sessions();
  const { headers } = await post(at(gateway(), 'other'), initialize(), { key: ALL });
  expect(headers['mcp-session-id']).toBeTypeOf('string');
  expect(await sessions()).toBe(before + 1);
});
