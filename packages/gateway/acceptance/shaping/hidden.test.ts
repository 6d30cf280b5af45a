/** What an upstream or a virtual server does not show, from docs/shaping.md: absent and refused at every door there is. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize, modern } from '../support/messages.ts';
import { fate } from '../support/policy.ts';
import { executions } from '../support/puppet.ts';
import { found, names, PATIENT, told, tool } from '../support/shaping.ts';
import { API_PATHS, openapiFile, stdio } from '../support/world.ts';

const TOOLS = [tool('echo'), tool('pay', { description: 'Moves money.' }), tool('lookup'), tool('late_pay')];
const SHAPE = { deny: ['pay'], rename: { late_pay: 'later' } };
const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger, tools: TOOLS });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});
const gateway = keepGateway(
  () =>
    startGateway({
      joined: PATIENT,
      upstreams: {
        u: { url: http.url, tools: { ...SHAPE, discovery: 'lazy' } },
        s: stdio({ ledger, tools: TOOLS }, { tools: SHAPE }),
        o: {
          openapi: openapiFile(folder, API_PATHS),
          base_url: http.origin,
          tools: { deny: ['pay'] },
        },
      },
      virtual: {
        full: { tools: ['*'], deny: ['*/lookup'] },
        lazy: { tools: ['*'], deny: ['*/lookup'], discovery: 'lazy' },
        given: { tools: ['s/*'], rename: { 's/pay': 'wages' }, descriptions: { 's/pay': 'Pays.' } },
      },
    }),
  [ledger],
);

describe('no list has it', () => {
  it.each([
    ['s', ['echo', 'lookup', 'later']],
    ['o', ['echo']],
    ['', ['u_echo', 'u_lookup', 'u_later', 's_echo', 's_lookup', 's_later', 'o_echo']],
    ['full', ['u_echo', 'u_later', 's_echo', 's_later', 'o_echo']],
    ['given', ['s_echo', 's_lookup', 's_later']],
    ['u', ['search_tools', 'describe_tools', 'call_tool']],
    ['lazy', ['search_tools', 'describe_tools', 'call_tool']],
  ])('at /%s', async (endpoint, expected) => {
    expect(await names(gateway(), endpoint)).toEqual(expected);
  });

  it('in the revision of 2026 either', async () => {
    const lists = await Promise.all(
      ['s', 'o', '', 'full'].map((name) =>
        post(at(gateway(), name), modern(ask('tools/list')), { era: '2026' }),
      ),
    );
    expect(lists.map(({ message }) => message['result']?.tools.length)).toEqual([3, 1, 7, 5]);
    expect(lists.map(({ body }) => body).join()).not.toContain('Moves money');
  });

  it('in a session either', async () => {
    const url = at(gateway(), 's');
    const { headers } = await post(url, initialize());
    const { body } = await post(url, ask('tools/list'), { session: String(headers['mcp-session-id']) });
    expect(body).toContain('"echo"');
    expect(body).not.toContain('Moves money');
  });

  it.each(['u', 'lazy'])('nor a search or a description at /%s', async (endpoint) => {
    const prefix = endpoint === 'u' ? '' : 'u_';
    const searches = await Promise.all(
      [{}, { query: 'pay' }, { query: 'money' }, { query: 'moves money', limit: 50 }].map((args) =>
        found(gateway(), endpoint, 'search_tools', args),
      ),
    );
    const described = await found(gateway(), endpoint, 'describe_tools', {
      names: [`${prefix}pay`, 'o_pay', `${prefix}late_pay`, `${prefix}echo`],
    });
    expect(described['tools'].map(({ name }: Message) => name)).toEqual([`${prefix}echo`]);
    expect(described['unknown'].map(({ name }: Message) => name)).toEqual([
      `${prefix}pay`,
      'o_pay',
      `${prefix}late_pay`,
    ]);
    const all = searches.flatMap(({ tools }) => tools.map(({ name }: Message) => name));
    expect(all).toContain(`${prefix}echo`);
    expect(all.filter((name: string) => /(^|_)pay$|late_pay/.test(name))).toEqual([]);
  });
});

it('prompts and resources are not shaped', async () => {
  const [prompts, read, prompt] = await Promise.all([
    post(at(gateway(), 's'), ask('prompts/list')),
    post(at(gateway(), 's'), ask('resources/read', { uri: 'test://pay' })),
    post(at(gateway(), ''), ask('prompts/get', { name: 's_pay' })),
  ]);
  expect(prompts.message['result']?.prompts).toEqual([{ name: 'hello' }]);
  expect(read.message['result']?.contents).toEqual([{ uri: 'test://pay', text: 'one' }]);
  expect(prompt.message['result']?.messages).toEqual([]);
});

describe('no door opens it', () => {
  const DOORS: [endpoint: string, name: string][] = [
    ['u', 'pay'],
    ['u', 'late_pay'],
    ['s', 'pay'],
    ['s', 'late_pay'],
    ['o', 'pay'],
    ['', 'u_pay'],
    ['', 's_pay'],
    ['', 'o_pay'],
    ['', 's/pay'],
    ['', 's.pay'],
    ['', 'pay'],
    ['full', 'u_pay'],
    ['full', 's_pay'],
    ['full', 's_lookup'],
    ['full', 'u_lookup'],
    ['full', 'pay'],
    ['full', 's/lookup'],
    ['lazy', 'u_pay'],
    ['lazy', 's_lookup'],
    ['given', 's_pay'],
    ['given', 'wages'],
    ['given', 'u_echo'],
    ['given', 'echo'],
  ];
  it.each(DOORS)('a call at /%s of %s', async (endpoint, name) => {
    const key = `door:${endpoint}:${name}`;
    const [old, young] = await Promise.all([
      post(at(gateway(), endpoint), call(name, { key }), { within: 15_000 }),
      post(at(gateway(), endpoint), modern(call(name, { key })), { era: '2026', within: 15_000 }),
    ]);
    expect([fate(old.message), fate(young.message)]).toEqual(['not_found/no', 'not_found/no']);
    expect(executions(ledger, key)).toBe(0);
  });

  it.each([
    ['u', 'pay'],
    ['u', 'late_pay'],
    ['lazy', 'u_pay'],
    ['lazy', 's_pay'],
    ['lazy', 's_lookup'],
    ['lazy', 'u_late_pay'],
    ['lazy', 'pay'],
  ])('call_tool at /%s of %s', async (endpoint, name) => {
    const key = `call_tool:${endpoint}:${name}`;
    const result = await told(gateway(), endpoint, 'call_tool', { name, arguments: { key } });
    expect(result).toBe('invalid_arguments/no');
    expect(executions(ledger, key)).toBe(0);
  });

  it('what is shown is called, so the ledger counts', async () => {
    const texts = await Promise.all([
      told(gateway(), 'u', 'later', { key: 'shown' }),
      told(gateway(), 'u', 'call_tool', { name: 'later', arguments: { key: 'shown' } }),
      told(gateway(), 'lazy', 'call_tool', { name: 's_later', arguments: { key: 'shown' } }),
      told(gateway(), 'full', 's_later', { key: 'shown' }),
    ]);
    expect(texts).toEqual(['late_pay: fine', 'late_pay: fine', 'late_pay: fine', 'late_pay: fine']);
    expect(executions(ledger, 'shown')).toBe(4);
  });

  it.each([
    ['the name twice', '{"name":"FINE","name":"HIDDEN","arguments":{"key":"KEY"}}'],
    ['the name twice, the other way', '{"name":"HIDDEN","name":"FINE","arguments":{"key":"KEY"}}'],
    ['escapes', '{"name":"H\\u0049DDEN","arguments":{"key":"KEY"}}'],
    ['an escaped member', '{"name":"FINE","n\\u0061me":"HIDDEN","arguments":{"key":"KEY"}}'],
    ['the name last', `{"arguments":{"key":"KEY","pad":"${'x'.repeat(100_000)}"},"name":"HIDDEN"}`],
    ['spaces around it', '{"name":" HIDDEN","arguments":{"key":"KEY"}}'],
    ['a list', '{"name":["HIDDEN"],"arguments":{"key":"KEY"}}'],
    ['a task', '{"name":"HIDDEN","arguments":{"key":"KEY"},"task":{"ttl":1000}}'],
  ])('disguised with %s', async (what, params) => {
    const worn = (prefix: string, key: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
        .replaceAll('HIDDEN', `${prefix}pay`)
        .replaceAll('H\\u0049DDEN', `${prefix}p\\u0061y`)
        .replaceAll('FINE', `${prefix}echo`)
        .replaceAll('KEY', key);
    const doors: [string, string][] = [
      ['u', ''],
      ['s', ''],
      ['', 'u_'],
      ['', 's_'],
      ['full', 's_'],
    ];
    await Promise.all(
      doors.map(([endpoint, prefix]) => post(at(gateway(), endpoint), worn(prefix, `worn:${what}`))),
    );
    const paid = http.arrivals.filter(
      ({ body }) => body.includes(`worn:${what}`) && /"p(a|\\u0061)y"/.test(body),
    );
    expect(paid.map(({ body }) => body.slice(0, 200))).toEqual([]);
  });
});
