/** The headers `RateLimit` and `RateLimit-Policy`, from docs/policy.md. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Answer, post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, modern } from '../support/messages.ts';
import { fate, named, use } from '../support/policy.ts';
import { API_PATHS, failing, openapiFile, stdio } from '../support/world.ts';

const WHO = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal', 'ida'];
const keyOf = (name: string): string => `${name}-key-0123456789`;
const TOOLS = named('echo', 'pay', 'few', 'free', 'twin');

const folder = scratch();
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ tools: TOOLS });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});
const gateway = keepGateway(() =>
  startGateway({
    keys: WHO.map((name) => ({ name, key: keyOf(name) })),
    limits: {
      rates: [
        { calls: 60, per_ms: 60_000, by: ['caller'], tools: ['*/echo', '*/few', '*/hello', '*/test://one'] },
        { calls: 5, per_ms: 60_000, by: ['caller', 'tool'], tools: ['*/few'] },
        { calls: 7, per_ms: 60_000, by: ['caller'], tools: ['*/twin'] },
        { calls: 7, per_ms: 60_000, by: ['tool'], tools: ['*/twin'] },
      ],
    },
    upstreams: {
      u: { url: http.url },
      s: stdio({ tools: TOOLS }),
      o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
    },
  }),
);

function told({ headers }: Answer): unknown[] {
  return [headers['ratelimit-policy'], headers['ratelimit']];
}

const POLICY = '"60-per-minute";q=60;w=60';

it.each([
  ['u', 'echo', 'ann'],
  ['s', 'echo', 'bob'],
  ['o', 'echo', 'cat'],
  ['', 's_echo', 'dan'],
])('at /%s, as the page shows them', async (endpoint, tool, who) => {
  const options = { key: keyOf(who) };
  const first = await use(gateway(), endpoint, tool, {}, options);
  expect(fate(first.message)).toBe('fine');
  expect(told(first)).toEqual([POLICY, '"60-per-minute";r=59;t=60']);
  const second = await use(gateway(), endpoint, tool, {}, options);
  expect(told(second)).toEqual([POLICY, expect.stringMatching(/^"60-per-minute";r=58;t=(60|5\d)$/)]);
});

it('in 2026-07-28, on prompts, resources, streams and failures', async () => {
  const key = keyOf('eve');
  const note = { method: 'notifications/message', params: { level: 'info', data: 'x' } };
  const events = [{ events: [note, { result: { content: [] } }] }];
  const url = at(gateway(), 'u');
  const answers = [
    await post(url, modern(call('echo')), { key, era: '2026' }),
    await post(url, ask('prompts/get', { name: 'hello' }), { key }),
    await post(at(gateway(), ''), ask('resources/read', { uri: 'test://one' }), { key }),
    await post(url, call('echo', { script: events }), { key }),
    await post(url, call('echo', { script: [failing('Order 17 was not found')] }), { key }),
    await post(at(gateway(), 's'), call('echo', { script: [failing('Order 17 was not found')] }), { key }),
  ];
  expect(answers.map(({ headers }) => headers['ratelimit-policy'])).toEqual(answers.map(() => POLICY));
  const rest = answers.map(({ headers }) =>
    /^"60-per-minute";r=(\d+);t=\d+$/.exec(String(headers['ratelimit'])),
  );
  expect(rest.map((match) => match?.[1])).toEqual(['59', '58', '57', '56', '55', '54']);
});

it('of the limit that is nearest to its end', async () => {
  const key = keyOf('fay');
  const few = await use(gateway(), 'u', 'few', {}, { key });
  expect(told(few)).toEqual(['"5-per-minute";q=5;w=60', '"5-per-minute";r=4;t=60']);
  const echo = await use(gateway(), 'u', 'echo', {}, { key });
  expect(told(echo)).toEqual([POLICY, expect.stringMatching(/^"60-per-minute";r=58;t=(60|5\d)$/)]);
});

it('of several of the same size the later ones have a number', async () => {
  await use(gateway(), 'u', 'twin', {}, { key: keyOf('ann') });
  await use(gateway(), 'u', 'twin', {}, { key: keyOf('ann') });
  const answer = await use(gateway(), 'u', 'twin', {}, { key: keyOf('bob') });
  expect(told(answer)).toEqual([
    '"7-per-minute-2";q=7;w=60',
    expect.stringMatching(/^"7-per-minute-2";r=4;t=(60|5\d)$/),
  ]);
});

it('on a call too many: nothing left, and the same seconds as Retry-After', async () => {
  const key = keyOf('ida');
  for (let index = 0; index < 5; index += 1) await use(gateway(), 'u', 'few', {}, { key });
  const answer = await use(gateway(), 'u', 'few', {}, { key });
  expect(fate(answer.message)).toBe('rate_limited/no');
  const seconds = answer.headers['retry-after'];
  expect(seconds).toMatch(/^(60|[1-5]\d)$/);
  expect(told(answer)).toEqual(['"5-per-minute";q=5;w=60', `"5-per-minute";r=0;t=${seconds}`]);
});

it('not where nothing was counted', async () => {
  const key = keyOf('gus');
  const answers = await Promise.all([
    use(gateway(), 'u', 'free', {}, { key }),
    use(gateway(), 's', 'free', {}, { key }),
    post(at(gateway(), 'u'), ask('tools/list'), { key }),
    post(at(gateway(), ''), ask('tools/list'), { key }),
  ]);
  expect(answers.map(told)).toEqual(answers.map(() => [undefined, undefined]));
});

it('before what a server says of its own limits', async () => {
  const key = keyOf('hal');
  const script = [
    {
      head: 200,
      headers: {
        'content-type': 'application/json',
        ratelimit: '"server";r=1;t=1',
        'ratelimit-policy': '"server";q=1',
      },
    },
    { answer: { result: { content: [] } } },
  ];
  const answer = await use(gateway(), 'u', 'echo', { script }, { key });
  const [policy, rest] = told(answer);
  expect(String(policy).split(', ')[0]).toBe(POLICY);
  expect(String(rest).split(', ')[0]).toBe('"60-per-minute";r=59;t=60');
});
