/** Lists and `default: deny`, from docs/policy.md: whoever may not use something does not find it, at every endpoint. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, initialize, modern } from '../support/messages.ts';
import { fate, listed, mayday, tried, verdict } from '../support/policy.ts';
import { API_PATHS, openapiFile, stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const BOB = 'bob-key-0123456789';
const CAROL = 'carol-key-0123456789';
const KEYS = [
  { name: 'ann', key: ANN, tenant: 'acme', scopes: ['look'] },
  { name: 'bob', key: BOB },
  { name: 'carol', key: CAROL },
];
const RULES = [
  { deny: ['*/pay'], callers: ['bob'] },
  { allow: ['*/echo'] },
  { allow: ['*/lookup'], scopes: ['look'] },
  { approve: ['*/pay'] },
  { allow: ['u/hello', 'u/test://one'], tenants: ['acme'] },
  { allow: ['s/*'], callers: ['nobody'] },
];

const folder = scratch();
let http: HttpPuppet;
let paged: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
  paged = await startHttpPuppet({ paged: true });
});
afterAll(async () => {
  await Promise.all([http.close(), paged.close()]);
  rmSync(folder, { recursive: true });
});

function settings(access: object = { default: 'deny', rules: RULES }): object {
  return {
    store: `file:${join(folder, 'mayday.db')}`,
    keys: KEYS,
    access,
    upstreams: {
      u: { url: http.url },
      s: stdio(),
      o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
      p: { url: paged.url },
    },
  };
}
const gateway = keepGateway(() => startGateway(settings()), [join(folder, 'mayday.db')]);

/** All pages of a list. */
async function all(
  endpoint: string,
  key: string,
  method = 'tools/list',
  member = 'tools',
): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 20; page += 1) {
    const request = ask(method, cursor === undefined ? {} : { cursor });
    const { message } = await post(at(gateway(), endpoint), request, { key });
    found.push(...listed(message, member, member === 'resources' ? 'uri' : 'name'));
    cursor = message['result']?.nextCursor;
    if (cursor === undefined) return found.sort();
  }
  return found;
}

describe('lists have what the caller may use', () => {
  it.each([
    ['u', ['echo', 'lookup', 'pay'], ['echo'], ['echo', 'pay']],
    ['s', ['echo', 'lookup', 'pay'], ['echo'], ['echo', 'pay']],
    ['p', ['echo', 'lookup', 'pay'], ['echo'], ['echo', 'pay']],
    ['o', ['echo', 'pay'], ['echo'], ['echo', 'pay']],
    [
      '',
      [
        'o_echo',
        'o_pay',
        'p_echo',
        'p_lookup',
        'p_pay',
        's_echo',
        's_lookup',
        's_pay',
        'u_echo',
        'u_lookup',
        'u_pay',
      ],
      ['o_echo', 'p_echo', 's_echo', 'u_echo'],
      ['o_echo', 'o_pay', 'p_echo', 'p_pay', 's_echo', 's_pay', 'u_echo', 'u_pay'],
    ],
  ])('tools at /%s', async (endpoint, ann, bob, carol) => {
    const lists = await Promise.all([all(endpoint, ANN), all(endpoint, BOB), all(endpoint, CAROL)]);
    expect(lists).toEqual([ann, bob, carol]);
  });

  it.each([
    ['prompts/list', 'prompts', 'u', ['hello']],
    ['prompts/list', 'prompts', 's', []],
    ['prompts/list', 'prompts', '', ['u_hello']],
    ['resources/list', 'resources', 'u', ['test://one']],
    ['resources/list', 'resources', 's', []],
    ['resources/list', 'resources', '', ['test://one']],
  ])('%s of %s at /%s', async (method, member, endpoint, ann) => {
    const lists = await Promise.all([all(endpoint, ANN, method, member), all(endpoint, BOB, method, member)]);
    expect(lists).toEqual([ann, []]);
  });

  it.each([['u'], ['s'], ['']])('in 2026-07-28 at /%s', async (endpoint) => {
    const options = { key: BOB, era: '2026' } as const;
    const { message } = await post(at(gateway(), endpoint), modern(ask('tools/list')), options);
    const names = listed(message, 'tools').map((name) => name.replace(/^[a-z]_/, ''));
    expect([...new Set(names)]).toEqual(['echo']);
  });

  it.each([['s'], ['']])('in a session at /%s', async (endpoint) => {
    const url = at(gateway(), endpoint);
    const opened = await post(url, initialize(), { key: BOB });
    const session = String(opened.headers['mcp-session-id']);
    const { message } = await post(url, ask('tools/list'), { key: BOB, session });
    const names = listed(message, 'tools').map((name) => name.replace(/^[a-z]_/, ''));
    expect([...new Set(names)]).toEqual(['echo']);
  });

  it('nothing of what is hidden is anywhere in the answer', async () => {
    const answers = await Promise.all(
      ['u', 's', 'o', ''].map((name) => post(at(gateway(), name), ask('tools/list'), { key: BOB })),
    );
    for (const { body } of answers) expect(body).not.toMatch(/pay|lookup/);
  });

  it('for a client of the SDK', async () => {
    const client = new Client({ name: 'acceptance', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${BOB}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(at(gateway(), 's')), { requestInit }));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toEqual(['echo']);
  });
});

describe('what no rule fits is refused', () => {
  it.each([
    ['ann', ANN, ['fine', 'fine', 'approval_required/no', 'fine']],
    ['bob', BOB, ['fine', 'forbidden/no', 'forbidden/no', 'fine']],
    ['carol', CAROL, ['fine', 'forbidden/no', 'approval_required/no', 'fine']],
  ])('tools, for %s', async (_name, key, expected) => {
    const of = (name: string): string[] => [name, `${name}_`];
    for (const [endpoint, prefix] of [of('u'), of('s')] as [string, string][]) {
      const own = await Promise.all(
        ['echo', 'lookup', 'pay'].map((tool) => tried(gateway(), endpoint, tool, {}, { key })),
      );
      const joined = await Promise.all(
        ['echo', 'lookup', 'pay'].map((tool) => tried(gateway(), '', prefix + tool, {}, { key })),
      );
      expect([own, joined]).toEqual([expected.slice(0, 3), expected.slice(0, 3)]);
    }
    expect(await tried(gateway(), 'o', 'echo', {}, { key })).toBe(expected[3]);
  });

  it('prompts and resources', async () => {
    const requests: [string, string, Message][] = [
      ['u', ANN, ask('prompts/get', { name: 'hello' })],
      ['u', BOB, ask('prompts/get', { name: 'hello' })],
      ['s', ANN, ask('prompts/get', { name: 'hello' })],
      ['u', ANN, ask('resources/read', { uri: 'test://one' })],
      ['u', BOB, ask('resources/read', { uri: 'test://one' })],
      ['s', ANN, ask('resources/read', { uri: 'test://one' })],
    ];
    const fates = await Promise.all(
      requests.map(async ([name, key, body]) =>
        fate((await post(at(gateway(), name), body, { key })).message),
      ),
    );
    expect(fates).toEqual(['fine', 'forbidden/no', 'forbidden/no', 'fine', 'forbidden/no', 'forbidden/no']);
  });

  it('what is neither tool nor prompt nor resource goes on', async () => {
    const answers = await Promise.all([
      post(at(gateway(), 'u'), ask('ping'), { key: BOB }),
      post(at(gateway(), 's'), initialize(), { key: BOB }),
      post(at(gateway(), ''), initialize(), { key: BOB }),
    ]);
    expect(answers.map(({ message }) => verdict(message))).toEqual(['fine', 'fine', 'fine']);
  });
});

describe('keys of the store have a tenant and scopes', () => {
  it('as those of the file', async () => {
    const made = await Promise.all([
      mayday(gateway().folder, 'keys', 'create', 'dora', '--tenant', 'acme', '--scopes', 'look'),
      mayday(gateway().folder, 'keys', 'create', 'emil', '--scopes', 'other'),
      mayday(gateway().folder, 'keys', 'create', 'fred', '--tenant', 'acmes'),
    ]);
    expect(made.map(({ code, all: said }) => `${code} ${code === 0 ? '' : said}`)).toEqual([
      '0 ',
      '0 ',
      '0 ',
    ]);
    const [dora = '', emil = '', fred = ''] = made.map(({ out }) => out.trim());
    const tools = await Promise.all([all('u', dora), all('u', emil), all('s', fred)]);
    expect(tools).toEqual([
      ['echo', 'lookup', 'pay'],
      ['echo', 'pay'],
      ['echo', 'pay'],
    ]);
    const prompts = await Promise.all(
      [dora, emil, fred].map((key) => all('u', key, 'prompts/list', 'prompts')),
    );
    expect(prompts).toEqual([['hello'], [], []]);
    const fates = await Promise.all(
      [dora, emil, fred].map((key) => tried(gateway(), 'u', 'lookup', {}, { key })),
    );
    expect(fates).toEqual(['fine', 'forbidden/no', 'forbidden/no']);
  });

  it('and are listed with them', async () => {
    await mayday(
      gateway().folder,
      'keys',
      'create',
      'gina',
      '--tenant',
      'gina-corp',
      '--scopes',
      'gina:look',
    );
    const { out, all: said } = await mayday(gateway().folder, 'keys', 'list');
    expect(said).toContain('gina');
    expect(out).toContain('gina-corp');
    expect(out).toContain('gina:look');
  });
});

describe('a reload', () => {
  it('takes changed rules at once, also for sessions that are open; a mistake changes nothing', async () => {
    const url = at(gateway(), 's');
    const opened = await post(url, initialize(), { key: BOB });
    const options = { key: BOB, session: String(opened.headers['mcp-session-id']) };
    const names = async (): Promise<string[]> =>
      listed((await post(url, ask('tools/list'), options)).message, 'tools');
    expect(await names()).toEqual(['echo']);

    gateway().rewrite(settings({ default: 'deny', rules: [{ allow: ['s/pay'] }] }));
    await expect.poll(names, { timeout: 8000 }).toEqual(['pay']);
    expect(await tried(gateway(), 's', 'pay', {}, options)).toBe('fine');
    expect(await tried(gateway(), 's', 'echo', {}, options)).toBe('forbidden/no');
    expect(await tried(gateway(), '', 'u_echo', {}, { key: ANN })).toBe('forbidden/no');

    const before = gateway().log().length;
    gateway().rewrite(settings({ default: 'allow', rules: [{ deny: ['s/pay'], allow: ['s/echo'] }] }));
    await expect.poll(() => gateway().log().slice(before), { timeout: 8000 }).toMatch(/access\.rules/);
    expect(await names()).toEqual(['pay']);

    gateway().rewrite(settings({ default: 'allow' }));
    await expect.poll(names, { timeout: 8000 }).toEqual(['echo', 'lookup', 'pay']);
  });
});
