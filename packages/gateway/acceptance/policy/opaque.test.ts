/** `refusals: opaque`, from docs/policy.md: denied, without the scopes, and not there are told alike, word for word. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Answer, faultOf, type Message, post, words } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize, modern } from '../support/messages.ts';
import { fate, use } from '../support/policy.ts';
import { API_PATHS, openapiFile, stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const SENTENCE = 'This tool is not available for your key.';

const folder = scratch();
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

function settings(more: object): object {
  return {
    keys: [{ name: 'ann', key: ANN }],
    access: {
      refusals: 'opaque',
      rules: [
        { deny: ['*/pay', '*/hello', '*/test://one'] },
        { allow: ['*/lookup', 'o/echo'], scopes: ['look:deeply'] },
      ],
      ...more,
    },
    upstreams: {
      u: { url: http.url },
      s: stdio(),
      o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
    },
  };
}

/** All that a caller can see, without what is told of one call alone. */
function seen({ status, message, headers }: Answer): object {
  const correlation = faultOf(message)['correlation_id'];
  const told = JSON.stringify(message).replaceAll(String(correlation ?? '\n'), 'ID');
  const { date: _date, 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, told };
}

describe.each([['allow'], ['deny']])('with default: %s', (fallback) => {
  const gateway = keepGateway(() => startGateway(settings({ default: fallback })));

  const PLACES: [string, string[]][] = [
    ['u', ['pay', 'lookup', 'nonesuch', 'Echo', 'u_echo', 'x'.repeat(10)]],
    ['s', ['pay', 'lookup', 'nonesuch', 'Echo', 'u_echo', 'x'.repeat(10)]],
    ['o', ['pay', 'echo', 'nonesuch', 'Echo', 'u_echo', 'x'.repeat(10)]],
    ['', ['u_pay', 's_lookup', 'u_nonesuch', 'nonesuch', 'q_pay', 'o_nonesuch']],
  ];

  it.each(PLACES)('at /%s', async (endpoint, tools) => {
    const answers: Answer[] = [];
    for (const tool of tools) answers.push(await use(gateway(), endpoint, tool, {}, { key: ANN }));
    const all = answers.map(seen);
    expect(all).toEqual(tools.map(() => all[0]));
    expect(answers.map(({ message }) => fate(message))).toEqual(tools.map(() => 'forbidden/no'));
    expect(answers.map(({ message }) => faultOf(message)['message'])).toEqual(tools.map(() => SENTENCE));
    expect(words(answers[0]?.message ?? {})).toContain(SENTENCE);
  });

  it.each(PLACES)('in 2026-07-28 at /%s', async (endpoint, tools) => {
    const answers: Answer[] = [];
    for (const tool of tools) {
      answers.push(await post(at(gateway(), endpoint), modern(call(tool)), { key: ANN, era: '2026' }));
    }
    const all = answers.map(seen);
    expect(all).toEqual(tools.map(() => all[0]));
    expect(answers.map(({ message }) => fate(message))).toEqual(tools.map(() => 'forbidden/no'));
  });

  it.each([
    ['s', ['pay', 'lookup', 'nonesuch']],
    ['', ['u_pay', 's_lookup', 'nonesuch']],
  ])('in a session at /%s', async (endpoint, tools) => {
    const opened = await post(at(gateway(), endpoint), initialize(), { key: ANN });
    const session = String(opened.headers['mcp-session-id']);
    const told: Message[] = [];
    for (const tool of tools) {
      const { message } = await use(gateway(), endpoint, tool, {}, { key: ANN, session });
      told.push(faultOf(message));
    }
    const wanted = { kind: 'forbidden', executed: 'no', message: SENTENCE };
    expect(told).toMatchObject([wanted, wanted, wanted]);
  });

  it.each(['onx', 'closient', 'erlmcp', 'platica', 'qaqnuz', 'mcp'])('in the dialect %s', async (dialect) => {
    const answers: Answer[] = [];
    for (const tool of ['pay', 'lookup', 'nonesuch']) {
      answers.push(await use(gateway(), 'u', tool, {}, { key: ANN, dialect }));
    }
    const told = answers.map(({ message }) => withoutIds(message));
    expect(told).toEqual([told[0], told[0], told[0]]);
    expect(JSON.stringify(told[0])).not.toMatch(/nonesuch|pay|lookup|look:deeply/);
  });

  it('prompts and resources in their own words', async () => {
    const requests: [string, Message][] = [
      ['u', ask('prompts/get', { name: 'hello' })],
      ['', ask('prompts/get', { name: 's_hello' })],
      ['u', ask('resources/read', { uri: 'test://one' })],
      ['s', ask('resources/read', { uri: 'test://one' })],
    ];
    const answers = await Promise.all(
      requests.map(([name, body]) => post(at(gateway(), name), body, { key: ANN })),
    );
    const told = answers.map(({ message }) => [fate(message), faultOf(message)['message']]);
    const prompt = ['forbidden/no', 'This prompt is not available for your key.'];
    const resource = ['forbidden/no', 'This resource is not available for your key.'];
    expect(told).toEqual([prompt, prompt, resource, resource]);
  });

  it('no scope is named, and no name that there is', async () => {
    const { body } = await use(gateway(), '', 's_lookup', {}, { key: ANN });
    const near = await use(gateway(), 'u', 'lookupp', {}, { key: ANN });
    expect(body + near.body).not.toMatch(/look:deeply|did you mean|lookup/i);
  });
});

/** Ids and times differ from call to call in every dialect; erlmcp repeats the name that the caller asked for. */
function withoutIds(message: Message): Message {
  const text = JSON.stringify(message)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+]00:00)/g, 'TIME')
    .replaceAll(/tools\/call:\w+/g, 'tools/call:NAME')
    .replaceAll(/\b1[78]\d{8,11}\b/g, 'TIME');
  return JSON.parse(text);
}
