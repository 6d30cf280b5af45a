/** Rules, from docs/policy.md: the first that fits decides, what is refused reaches no server, and a refusal says what it is. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, type Message, post, words } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize, modern } from '../support/messages.ts';
import { fate, named, tried, use, verdict } from '../support/policy.ts';
import { executions } from '../support/puppet.ts';
import { API_PATHS, openapiFile, stdio } from '../support/world.ts';

const WHO = {
  ann: 'ann-key-0123456789',
  bob: 'bob-key-0123456789',
  'guest-web': 'guest-web-key-0123456789',
  'guest-app': 'guest-app-key-0123456789',
  root: 'root-key-0123456789',
  half: 'half-key-0123456789',
  qaq: 'qaq-key-0123456789',
} as const;
type Who = keyof typeof WHO;

const KEYS = [
  { name: 'ann', key: WHO.ann, tenant: 'acme', scopes: ['bank:pay'] },
  { name: 'bob', key: WHO.bob, tenant: 'acme' },
  { name: 'guest-web', key: WHO['guest-web'] },
  { name: 'guest-app', key: WHO['guest-app'], tenant: 'acme-labs' },
  { name: 'root', key: WHO.root, scopes: ['vault:see', 'other', 'vault:open'] },
  { name: 'half', key: WHO.half, scopes: ['vault:see'] },
  { name: 'qaq', key: WHO.qaq, dialect: 'qaqnuz' },
];

const RULES = [
  { allow: ['u/lookup'], callers: ['bob'] },
  { deny: ['u/lookup'], tenants: ['acme'] },
  { deny: ['s/*', 'u/pay'], callers: ['guest-*'] },
  { deny: ['*/delete_*'], tenants: ['acme*'] },
  { deny: ['*/Shout', 'u/a.b'] },
  { allow: ['*/open'], scopes: ['vault:open', 'vault:see'] },
  { deny: ['u/hello', 'u/test://sec*'] },
  { deny: ['u/*x*y*z'] },
  // Nothing that there is: parts, prefixes of /mcp, other capitals, and what other languages of patterns would say.
  {
    deny: ['echo', 'u/ech', '/echo', 'u_echo', 'u/u_echo', 'U/echo', 'u/ech?', 'u/[e]cho', 'u/.*', 'u/e.ho'],
  },
  // Nobody that there is.
  { deny: ['*'], callers: ['an', 'nn', 'ANN', '?nn', 'a.n', '^ann$'] },
  { deny: ['*'], tenants: ['acm', 'Acme', 'acme-lab', ''] },
  { deny: ['o/pay'], callers: ['ann'], tenants: ['acme'] },
  { deny: ['o/echo'], callers: ['ann'], tenants: ['other'] },
  { deny: ['u/hidden'], callers: ['qaq'] },
];

const TOOLS = named(
  'echo',
  'pay',
  'lookup',
  'delete_all',
  'Shout',
  'shout',
  'a.b',
  'axb',
  'open',
  'xxyyz',
  'hidden',
);
const RESOURCES = [
  { uri: 'test://one', name: 'one' },
  { uri: 'test://secret/a/b', name: 'secret' },
];
const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
beforeAll(async () => {
  const on = { 'resources/list': [{ answer: { result: { resources: RESOURCES } } }] };
  http = await startHttpPuppet({ ledger, tools: TOOLS, on });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});
const gateway = keepGateway(
  () =>
    startGateway({
      keys: KEYS,
      access: { rules: RULES },
      upstreams: {
        u: { url: http.url },
        // It has no resource but the one that it lists.
        s: stdio({
          ledger,
          tools: TOOLS,
          on: { 'resources/read': [{ answer: { error: { code: -32002, message: 'Resource not found' } } }] },
        }),
        o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
      },
    }),
  [ledger],
);

const OK = 'fine';
const NO = 'forbidden/no';
const CASES: readonly (readonly [why: string, who: Who, upstream: string, tool: string, expected: string])[] =
  [
    ['no rule fits', 'ann', 'u', 'echo', OK],
    ['no rule fits', 'ann', 's', 'echo', OK],
    ['no rule fits; one names another tenant', 'ann', 'o', 'echo', OK],
    ['the first that fits allows', 'bob', 'u', 'lookup', OK],
    ['the second fits', 'ann', 'u', 'lookup', NO],
    ['a tenant is wanted and the caller has none', 'guest-web', 'u', 'lookup', OK],
    ['a tenant is wanted and the caller has a longer one', 'guest-app', 'u', 'lookup', OK],
    ['another upstream', 'ann', 's', 'lookup', OK],
    ['a pattern of callers', 'guest-web', 's', 'echo', NO],
    ['a pattern of callers', 'guest-app', 's', 'shout', NO],
    ['the second pattern of a rule', 'guest-web', 'u', 'pay', NO],
    ['a caller that the pattern does not fit', 'root', 'u', 'pay', OK],
    ['a star before and after', 'bob', 's', 'delete_all', NO],
    ['a star before and after', 'ann', 'u', 'delete_all', NO],
    ['a pattern of tenants', 'guest-app', 'u', 'delete_all', NO],
    ['a tenant is wanted and the caller has none', 'guest-web', 'u', 'delete_all', OK],
    ['capitals count', 'ann', 's', 'Shout', NO],
    ['capitals count', 'ann', 's', 'shout', OK],
    ['a dot is a dot', 'ann', 'u', 'a.b', NO],
    ['a dot is a dot', 'ann', 'u', 'axb', OK],
    ['all scopes', 'root', 's', 'open', OK],
    ['all scopes', 'root', 'u', 'open', OK],
    ['one of two scopes', 'half', 's', 'open', NO],
    ['no scopes', 'bob', 'u', 'open', NO],
    ['other scopes', 'ann', 'u', 'open', NO],
    ['many stars', 'root', 'u', 'xxyyz', NO],
    ['caller and tenant both fit', 'ann', 'o', 'pay', NO],
    ['the tenant fits, the caller does not', 'bob', 'o', 'pay', OK],
  ];

/** An API takes what its document names. */
function argumentsOf(upstream: string, key: string): object {
  return upstream === 'o' ? {} : { key };
}

describe('who may use what', () => {
  it.each(CASES)('%s: %s, %s/%s is %s', async (_why, who, upstream, tool, expected) => {
    const key = WHO[who];
    const own = `${who}:${upstream}:${tool}:own`;
    const joined = `${who}:${upstream}:${tool}:joined`;
    const fates = await Promise.all([
      tried(gateway(), upstream, tool, argumentsOf(upstream, own), { key }),
      tried(gateway(), '', `${upstream}_${tool}`, argumentsOf(upstream, joined), { key }),
    ]);
    expect(fates).toEqual([expected, expected]);
  });

  it('what is refused reaches no server', async () => {
    const refused = CASES.filter(([, , , , expected]) => expected === NO);
    const paid = http.arrivals.filter(({ path }) => path.startsWith('/pay')).length;
    await Promise.all(
      refused.flatMap(([, who, upstream, tool]) => {
        const args = argumentsOf(upstream, `again:${upstream}:${tool}`);
        return [
          use(gateway(), upstream, tool, args, { key: WHO[who] }),
          use(gateway(), '', `${upstream}_${tool}`, args, { key: WHO[who] }),
        ];
      }),
    );
    expect(refused).toHaveLength(14);
    const reached = refused.flatMap(([, who, upstream, tool]) => [
      executions(ledger, `again:${upstream}:${tool}`),
      executions(ledger, `${who}:${upstream}:${tool}:own`),
      executions(ledger, `${who}:${upstream}:${tool}:joined`),
    ]);
    expect(reached).toEqual(Array.from({ length: 42 }, () => 0));
    expect(http.arrivals.filter(({ path }) => path.startsWith('/pay'))).toHaveLength(paid);
    await use(gateway(), 's', 'echo', { key: 'passes' }, { key: WHO.ann });
    expect(executions(ledger, 'passes')).toBe(1);
  });

  it.each([['s'], ['u'], ['o']])('in 2026-07-28 too, at /%s/mcp', async (upstream) => {
    const tool = upstream === 'o' ? 'pay' : 'delete_all';
    const denied = modern(call(tool));
    const options = { key: WHO.ann, era: '2026' } as const;
    const answer = await post(at(gateway(), upstream), denied, options);
    const passed = await post(at(gateway(), upstream), modern(call('echo')), options);
    expect([fate(answer.message), fate(passed.message)]).toEqual([NO, OK]);
  });

  it.each([
    ['s', 'echo', 'delete_all'],
    ['o', 'echo', 'pay'],
    ['', 's_echo', 's_delete_all'],
  ])('inside a session at /%s', async (endpoint, good, bad) => {
    const url = at(gateway(), endpoint);
    const opened = await post(url, initialize(), { key: WHO.ann });
    const session = String(opened.headers['mcp-session-id']);
    const options = { key: WHO.ann, session };
    const fates = [
      fate((await post(url, call(bad), options)).message),
      fate((await post(url, call(good), options)).message),
    ];
    expect(fates).toEqual([NO, OK]);
  });

  it('prompts', async () => {
    const get = (name: string): Message => ask('prompts/get', { name });
    const answers = await Promise.all([
      post(at(gateway(), 'u'), get('hello'), { key: WHO.ann }),
      post(at(gateway(), ''), get('u_hello'), { key: WHO.ann }),
      post(at(gateway(), 's'), get('hello'), { key: WHO.ann }),
      post(at(gateway(), 's'), get('hello'), { key: WHO['guest-web'] }),
    ]);
    expect(answers.map(({ message }) => fate(message))).toEqual([NO, NO, OK, NO]);
    expect(http.arrivals.filter(({ body }) => body.includes('prompts/get'))).toEqual([]);
  });

  it('resources, by their URI', async () => {
    const read = (uri: string): Message => ask('resources/read', { uri });
    const answers = await Promise.all([
      post(at(gateway(), 'u'), read('test://secret/a/b'), { key: WHO.ann }),
      post(at(gateway(), ''), read('test://secret/a/b'), { key: WHO.ann }),
      post(at(gateway(), 'u'), read('test://one'), { key: WHO.ann }),
      post(at(gateway(), 's'), read('test://one'), { key: WHO['guest-web'] }),
    ]);
    expect(answers.map(({ message }) => fate(message))).toEqual([NO, NO, OK, NO]);
    expect(http.arrivals.filter(({ body }) => body.includes('test://secret'))).toEqual([]);
  });
});

describe('a refusal says what it is', () => {
  it('the missing scopes are named, and only those', async () => {
    const [half, none] = await Promise.all([
      use(gateway(), 's', 'open', {}, { key: WHO.half }),
      use(gateway(), '', 'u_open', {}, { key: WHO.bob }),
    ]);
    expect(words(half.message)).toContain('vault:open');
    expect(words(half.message)).not.toContain('vault:see');
    expect(words(none.message)).toContain('vault:open');
    expect(words(none.message)).toContain('vault:see');
  });

  it('what is denied is forbidden, what there is none of is unknown', async () => {
    const [denied, unknown, joined] = await Promise.all([
      use(gateway(), 'u', 'delete_all', {}, { key: WHO.ann }),
      use(gateway(), 'u', 'nonesuch', {}, { key: WHO.ann }),
      use(gateway(), '', 'u_nonesuch', {}, { key: WHO.ann }),
    ]);
    expect(verdict(denied.message)).toBe('forbidden');
    expect([verdict(unknown.message), verdict(joined.message)]).toEqual(['not_found', 'not_found']);
  });

  it('it is the gateway that says it, and a repeat changes nothing', async () => {
    const fault = faultOf((await use(gateway(), 'u', 'delete_all', {}, { key: WHO.ann })).message);
    expect(fault).toMatchObject({ kind: 'forbidden', executed: 'no', origin: 'gateway', retryable: false });
  });

  it.each([['u'], ['s']])('in the qaqnuz dialect all three are told alike, at /%s/mcp', async (upstream) => {
    const tools = upstream === 'u' ? ['Shout', 'open', 'hidden', 'nonesuch'] : ['Shout', 'open', 'nonesuch'];
    const answers = await Promise.all(
      tools.map((tool) => use(gateway(), upstream, tool, {}, { key: WHO.qaq })),
    );
    const told = answers.map(({ message }) => message);
    expect(told).toEqual(tools.map(() => told[0]));
    expect(answers.map(({ status }) => status)).toEqual(tools.map(() => answers[0]?.status));
    expect(told[0]?.['result']?.isError).toBe(true);
    expect(words(told[0] ?? {})).toContain('This tool is not available for your key.');
  });

  it('in the qaqnuz dialect all three are told alike, at /mcp', async () => {
    const tools = ['u_Shout', 'u_open', 'u_hidden', 'u_nonesuch', 'nonesuch', 'x_y', 's_Shout'];
    const answers = await Promise.all(tools.map((tool) => use(gateway(), '', tool, {}, { key: WHO.qaq })));
    const told = answers.map(({ message }) => message);
    expect(told).toEqual(tools.map(() => told[0]));
    expect(words(told[0] ?? {})).toContain('This tool is not available for your key.');
  });

  it('the header asks for qaqnuz as the key does', async () => {
    const options = { key: WHO.ann, dialect: 'qaqnuz' };
    const answers = await Promise.all(
      ['Shout', 'open', 'nonesuch'].map((tool) => use(gateway(), 'u', tool, {}, options)),
    );
    const told = answers.map(({ message }) => message);
    expect(told).toEqual([told[0], told[0], told[0]]);
  });
});
