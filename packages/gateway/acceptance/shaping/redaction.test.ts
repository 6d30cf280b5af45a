/** What failing answers keep, from docs/shaping.md: `upstreams.*.redaction`, at every endpoint and in every dialect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { call } from '../support/messages.ts';
import '../support/policy.ts';
import { PATIENT } from '../support/shaping.ts';
import { failing, stdio } from '../support/world.ts';

const SECRET = 'postgres://app:hunter2-swordfish@db.internal.example:5432/shop';
const PERSON = 'jane.doe@customer.example';
const STACK = 'at handler (/srv/app/src/orders.ts:10:5)';
const TEXT = `Could not read ${SECRET} for ${PERSON}\n    ${STACK}`;
const MORE = { structuredContent: { owner: PERSON } };

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(() => http.close());
const gateway = keepGateway(() =>
  startGateway({
    limits: { text_bytes: 20_000 },
    joined: PATIENT,
    upstreams: {
      standard: { url: http.url },
      said: { url: http.url, redaction: 'standard' },
      secrets: { url: http.url, redaction: 'secrets' },
      off: { url: http.url, redaction: 'off' },
      process: stdio({}, { redaction: 'off' }),
    },
    virtual: { v: { tools: ['*'], discovery: 'lazy' } },
  }),
);

/** A failing answer of an upstream, as each endpoint gives it, in both dialects, and of an error. */
async function bodies(upstream: string): Promise<string[]> {
  const args = { script: [failing(TEXT, MORE)] };
  const error = { script: [{ answer: { error: { code: -32000, message: TEXT, data: MORE } } }] };
  const answers = await Promise.all([
    post(at(gateway(), upstream), call('echo', args)),
    post(at(gateway(), upstream), call('echo', error)),
    post(at(gateway(), ''), call(`${upstream}_echo`, args)),
    post(at(gateway(), 'v'), call(`${upstream}_echo`, args)),
    post(at(gateway(), 'v'), call('call_tool', { name: `${upstream}_echo`, arguments: args })),
    post(at(gateway(), upstream), call('echo', args), { dialect: 'onx' }),
  ]);
  return answers.map(({ body }) => body);
}

describe.each([
  ['standard', [false, false, false]],
  ['said', [false, false, false]],
  ['secrets', [false, true, true]],
  ['off', [true, true, true]],
  ['process', [true, true, true]],
])('of the upstream %s', (upstream, seen) => {
  it('callers see a secret, a person, a stack: or not', async () => {
    const all = await bodies(upstream);
    expect(all.map((body) => body.includes('hunter2-swordfish'))).toEqual(all.map(() => seen[0]));
    expect(all.map((body) => body.includes(PERSON))).toEqual(all.map(() => seen[1]));
    const native = all.filter((_body, index) => index !== 5);
    expect(native.map((body) => body.includes('/srv/app/src/orders.ts'))).toEqual(native.map(() => seen[2]));
  });
});

it('what the operator keeps is redacted, whatever the setting', async () => {
  await bodies('off');
  const kept = await Promise.all([
    send(`${gateway().url}/-/faults?limit=1000`, undefined),
    send(`${gateway().url}/-/status`, undefined),
  ]);
  const texts = [...kept.map(({ body }) => body), gateway().log()];
  expect(texts[0]).toContain('"upstream":"off"');
  expect(texts.map((text) => text.includes('hunter2-swordfish'))).toEqual([false, false, false]);
  expect(texts.map((text) => text.includes(PERSON))).toEqual([false, false, false]);
  expect(texts.map((text) => text.includes('/srv/app/src/orders.ts'))).toEqual([false, false, false]);
});

it('a success is not redacted', async () => {
  const { body } = await post(at(gateway(), 'standard'), call('echo', { text: SECRET }));
  expect(body).toContain(SECRET);
});

describe('a long text', () => {
  it('is cut at `limits.text_bytes`, and said to be', async () => {
    const text = `Nothing found. ${'word '.repeat(20_000)}`;
    const { message } = await post(at(gateway(), 'off'), call('echo', { script: [failing(text)] }));
    const longest = Math.max(
      ...message['result'].content.map((block: { text: string }) => block.text.length),
    );
    expect(longest).toBeGreaterThan(10_000);
    expect(longest).toBeLessThan(21_000);
    expect(JSON.stringify(message['result'].content)).toMatch(/80015 more characters/);
  });

  it('is whole below it, beside a message of 4000 characters at most', async () => {
    const text = `Nothing found. ${'word '.repeat(2000)}end`;
    const { message, body } = await post(at(gateway(), 'off'), call('echo', { script: [failing(text)] }));
    expect(body).toContain(text);
    expect(faultOf(message)['message'].length).toBeLessThanOrEqual(4000);
  });
});
