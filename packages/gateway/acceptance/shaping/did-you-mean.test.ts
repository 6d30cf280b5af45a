/** Did you mean, from docs/shaping.md: of the names that this caller sees here, and never of what is hidden from it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call } from '../support/messages.ts';
import '../support/policy.ts';
import { fault, PATIENT, tool } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const BOB = 'bob-key-0123456789';
const DESK = 'desk-key-0123456789';
const TOOLS = ['transfer', 'secret_report', 'guarded_thing', 'old_name', 'lookup'].map((name) => tool(name));

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ tools: TOOLS });
});
afterAll(() => http.close());
const gateway = keepGateway(() =>
  startGateway({
    keys: [
      { name: 'ann', key: ANN },
      { name: 'bob', key: BOB },
      { name: 'desk', key: DESK, upstreams: ['desk'] },
    ],
    access: { rules: [{ deny: ['*/guarded_thing'], callers: ['bob'] }] },
    joined: PATIENT,
    upstreams: {
      u: { url: http.url, tools: { deny: ['secret_report'], rename: { old_name: 'fresh_title' } } },
      s: stdio({ tools: TOOLS }, { tools: { deny: ['secret_report'], rename: { old_name: 'fresh_title' } } }),
    },
    virtual: { desk: { tools: ['u/*'], deny: ['u/lookup'], rename: { 'u/transfer': 'send_money' } } },
  }),
);
const advice = async (endpoint: string, name: string, key = ANN): Promise<string> =>
  String((await fault(gateway(), endpoint, name, {}, { key }))['advice']);

describe('a tool that nobody has', () => {
  it.each([
    ['u', 'transfre', 'Did you mean transfer? List the tools to see their names.'],
    ['s', 'transfre', 'Did you mean transfer? List the tools to see their names.'],
    ['', 'u_transfre', 'Did you mean u_transfer? List the tools to see their names.'],
    ['', 's_transfre', 'Did you mean s_transfer? List the tools to see their names.'],
    ['desk', 'send_mony', 'Did you mean send_money? List the tools to see their names.'],
    ['u', 'fresh_titel', 'Did you mean fresh_title? List the tools to see their names.'],
    ['s', 'guarded_thin', 'Did you mean guarded_thing? List the tools to see their names.'],
    ['desk', 'u_guarded_thng', 'Did you mean u_guarded_thing? List the tools to see their names.'],
  ])('at /%s: %s', async (endpoint, name, expected) => {
    expect(await advice(endpoint, name)).toContain(expected);
  });

  it.each([
    ['u', 'secret_report', /secret/],
    ['u', 'secret_reprot', /secret_report/],
    ['s', 'secret_reprot', /secret_report/],
    ['', 'u_secret_reprot', /secret_report/],
    ['', 's_secret_reprot', /secret_report/],
    ['desk', 'u_secret_reprot', /secret_report/],
    ['desk', 'u_lokup', /u_lookup/],
    ['u', 'old_nam', /old_name/],
    ['', 's_old_nam', /old_name/],
    ['desk', 'u_transfre', /u_transfer/],
  ])('at /%s, asked for %s, never names what is not there', async (endpoint, name, hidden) => {
    const { body } = await post(at(gateway(), endpoint), call(name), { key: ANN });
    expect(body).toContain('not_found');
    expect(body.replaceAll(name, '')).not.toMatch(hidden);
  });

  it.each([
    ['u', 'guarded_thin'],
    ['s', 'guarded_thin'],
    ['', 's_guarded_thin'],
    ['desk', 'u_guarded_thin'],
  ])('at /%s, asked for %s, names nothing that a rule keeps from this caller', async (endpoint, name) => {
    const { body } = await post(at(gateway(), endpoint), call(name), { key: BOB });
    expect(body).toContain('not_found');
    expect(body).not.toContain('guarded_thing');
  });
});

it.each([
  ['s', 'helo', 'Did you mean hello?'],
  ['u', 'helo', 'Did you mean hello?'],
  ['', 's_helo', 'Did you mean s_hello?'],
])('a prompt that nobody has, at /%s: %s', async (endpoint, name, expected) => {
  const on = { error: { code: -32602, message: 'Prompt helo not found' } };
  const request = ask('prompts/get', { name, _meta: { 'test/puppet': { script: [{ answer: on }] } } });
  const { message } = await post(at(gateway(), endpoint), request, { key: ANN });
  expect(String(faultOf(message)['advice'])).toContain(expected);
});

describe('an endpoint that there is none of', () => {
  it('is 404, with those that this key may use, and the one that was meant', async () => {
    const { status, body, messages } = await post(`${gateway().url}/dsek/mcp`, ask('ping'), { key: ANN });
    expect(status).toBe(404);
    expect(body).toContain('Did you mean /desk/mcp?');
    expect(body).toContain('/u/mcp');
    expect(body).toContain('/s/mcp');
    expect(String(faultOf(messages[0] ?? {})['advice'])).toContain('Did you mean /desk/mcp?');
  });

  it('names no endpoint that the key may not use', async () => {
    const { body } = await post(`${gateway().url}/uu/mcp`, ask('ping'), { key: DESK });
    expect(body).not.toMatch(/\/u\/mcp|\/s\/mcp/);
  });

  it('is like one that the key may not use: 403, with those that it may', async () => {
    const [none, others] = await Promise.all(
      ['uu', 'u'].map((name) => post(`${gateway().url}/${name}/mcp`, ask('ping'), { key: DESK })),
    );
    expect([none?.status, others?.status]).toEqual([403, 403]);
    const words = [none, others].map((answer) => String(faultOf(answer?.messages[0] ?? {})['message']));
    expect(words[0]).toContain('/desk/mcp');
    expect(words[0]).toBe(words[1]);
  });
});
