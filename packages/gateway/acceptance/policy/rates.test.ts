/** Rates, from docs/policy.md: what is counted for whom, exactly, and what the caller is told. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Answer, faultOf, type Message, post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize, modern } from '../support/messages.ts';
import { fate, named, pause, times, together, tried, use, verdict } from '../support/policy.ts';
import { API_PATHS, failing, openapiFile, stdio } from '../support/world.ts';

const HOUR = 3_600_000;
const FULL = 'rate_limited/no';

/** Callers of two tenants, and as many more as tests want to themselves. */
const WHO = [
  'ann',
  'amy',
  'bob',
  'cat',
  'dan',
  'eve',
  'fay',
  'gus',
  'hal',
  'ida',
  'joe',
  'kim',
  'leo',
  'max',
];
const keyOf = (name: string): string => `${name}-key-0123456789`;
const TENANTS: Record<string, string> = { ann: 'acme', amy: 'acme', bob: 'bobs' };
const KEYS = WHO.map((name) => {
  const tenant = TENANTS[name];
  return tenant === undefined ? { name, key: keyOf(name) } : { name, key: keyOf(name), tenant };
});

const TOOLS = named(
  'by-caller',
  'by-tenant',
  'by-tool-1',
  'by-tool-2',
  'by-upstream',
  'by-both',
  'all',
  'race',
  'free',
  'cheap',
  'dear',
  'dearest',
  'narrow',
  'sliding',
  'bucket',
  'slow-bucket',
  'wide',
);

const RATES = [
  { calls: 3, per_ms: HOUR, by: ['caller'], tools: ['*/by-caller', '*/hello', '*/test://one', 'o/echo'] },
  { calls: 2, per_ms: HOUR, by: ['caller'], tools: ['*/test://lost'] },
  { calls: 3, per_ms: HOUR, by: ['tenant'], tools: ['*/by-tenant'] },
  { calls: 2, per_ms: HOUR, by: ['tool', 'caller'], tools: ['*/by-tool-*'] },
  { calls: 2, per_ms: HOUR, by: ['upstream'], tools: ['*/by-upstream'] },
  { calls: 2, per_ms: HOUR, by: ['caller', 'upstream'], tools: ['*/by-both'] },
  { calls: 3, per_ms: HOUR, tools: ['*/all'] },
  { calls: 10, per_ms: HOUR, by: [], tools: ['*/race'] },
  {
    calls: 10,
    per_ms: HOUR,
    by: ['caller'],
    tools: ['*/cheap', '*/dear*'],
    costs: { '*/dearest': 7, 's/dear': 2, '*/dear*': 4 },
  },
  { calls: 5, per_ms: HOUR, by: ['caller'], tools: ['*/narrow', '*/wide'] },
  { calls: 1, per_ms: HOUR, by: ['caller'], tools: ['*/narrow'] },
  { calls: 2, per_ms: 2500, by: ['caller'], tools: ['*/sliding'] },
  { calls: 2, per_ms: 4000, by: ['caller'], tools: ['*/bucket'], algorithm: 'bucket' },
  { calls: 4, per_ms: HOUR, by: ['caller'], tools: ['*/slow-bucket'], algorithm: 'bucket' },
];

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
    keys: KEYS,
    limits: { rates: RATES, body_bytes: 65_536 },
    upstreams: {
      u: { url: http.url, retry: { attempts: 1 }, breaker: false },
      s: stdio({ tools: TOOLS }),
      o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
    },
  }),
);

/** Calls one after the other: `who upstream tool`, at `/mcp` where the tool has a prefix. */
async function row(...calls: readonly string[]): Promise<string[]> {
  const fates: string[] = [];
  for (const each of calls) {
    const [who = '', endpoint = '', tool = ''] = each.split(' ');
    fates.push(await tried(gateway(), endpoint === '/' ? '' : endpoint, tool, {}, { key: keyOf(who) }));
  }
  return fates;
}

/** What a refusal says of the time to wait, with when it was asked and answered. */
interface Timed {
  readonly fate: string;
  readonly after: number;
  readonly sent: number;
  readonly told: number;
  readonly answer: Answer;
}

async function timed(who: string, tool: string): Promise<Timed> {
  const sent = Date.now();
  const answer = await use(gateway(), 'u', tool, {}, { key: keyOf(who) });
  const after = Number(faultOf(answer.message)['retry']?.after_ms);
  return { fate: fate(answer.message), after, sent, told: Date.now(), answer };
}

/** The wait that a refusal names is until `span` after the first call, as exactly as one can see from outside. */
function expectExact(refused: Timed, first: Timed, span: number): void {
  expect(refused.fate).toBe(FULL);
  expect(refused.after).toBeGreaterThanOrEqual(span - (refused.told - first.sent) - 2);
  expect(refused.after).toBeLessThanOrEqual(span - (refused.sent - first.told) + 2);
}

describe('calls are counted separately for', () => {
  it('each caller, at all endpoints together', async () => {
    const ann = await row('ann u by-caller', 'ann s by-caller', 'ann / u_by-caller', 'ann u by-caller');
    expect(ann).toEqual(['fine', 'fine', 'fine', FULL]);
    expect(await row('ann / s_by-caller', 'ann s by-caller', 'amy s by-caller')).toEqual([
      FULL,
      FULL,
      'fine',
    ]);
  });

  it('tools, prompts, resources and operations alike', async () => {
    const key = keyOf('cat');
    const requests: [string, Message][] = [
      ['u', ask('prompts/get', { name: 'hello' })],
      ['s', ask('resources/read', { uri: 'test://one' })],
      ['o', call('echo', {})],
      ['u', ask('prompts/get', { name: 'hello' })],
      ['', ask('prompts/get', { name: 's_hello' })],
      ['s', ask('resources/read', { uri: 'test://one' })],
      ['', ask('resources/read', { uri: 'test://one' })],
      ['o', call('echo', {})],
      ['', call('o_echo', {})],
      ['u', call('by-caller', {})],
    ];
    const fates: string[] = [];
    for (const [name, body] of requests) {
      fates.push(fate((await post(at(gateway(), name), body, { key })).message));
    }
    expect(fates).toEqual([...times(3, 'fine'), ...times(7, FULL)]);
  });

  it('each tenant', async () => {
    const calls = [
      'ann u by-tenant',
      'amy u by-tenant',
      'ann s by-tenant',
      'amy s by-tenant',
      'bob u by-tenant',
    ];
    expect(await row(...calls)).toEqual(['fine', 'fine', 'fine', FULL, 'fine']);
  });

  it('nobody’s tenant, together', async () => {
    const calls = ['cat u by-tenant', 'dan u by-tenant', 'eve s by-tenant', 'fay u by-tenant'];
    expect(await row(...calls)).toEqual(['fine', 'fine', 'fine', FULL]);
  });

  it('each tool and caller', async () => {
    const one = ['ann u by-tool-1', 'ann u by-tool-1', 'ann u by-tool-1'];
    const others = [
      'ann u by-tool-2',
      'bob u by-tool-1',
      'ann / u_by-tool-1',
      'ann / u_by-tool-2',
      'ann s by-tool-1',
    ];
    expect(await row(...one)).toEqual(['fine', 'fine', FULL]);
    expect(await row(...others)).toEqual(['fine', 'fine', FULL, 'fine', 'fine']);
  });

  it('each upstream, whoever calls', async () => {
    const calls = ['ann u by-upstream', 'bob u by-upstream', 'cat u by-upstream', 'cat s by-upstream'];
    expect(await row(...calls)).toEqual(['fine', 'fine', FULL, 'fine']);
  });

  it('each caller at each upstream', async () => {
    const calls = ['ann u by-both', 'ann / u_by-both', 'ann u by-both', 'ann s by-both', 'bob u by-both'];
    expect(await row(...calls)).toEqual(['fine', 'fine', FULL, 'fine', 'fine']);
  });

  it('nobody, if `by` is absent', async () => {
    expect(await row('ann u all', 'bob s all', 'cat / u_all', 'dan u all', 'ann s all')).toEqual([
      ...times(3, 'fine'),
      ...times(2, FULL),
    ]);
  });

  it('and what no limit names is not counted', async () => {
    expect(await together(30, () => tried(gateway(), 'u', 'free', {}, { key: keyOf('ann') }))).toEqual(
      times(30, 'fine'),
    );
    const lists = await together(20, async () =>
      fate((await post(at(gateway(), 's'), ask('tools/list'), { key: keyOf('ann') })).message),
    );
    expect(lists).toEqual(times(20, 'fine'));
  });
});

describe('exactly', () => {
  it('of many at the same time, as many as fit', async () => {
    const fates = await together(40, (index) =>
      tried(
        gateway(),
        index % 2 === 0 ? 'u' : '',
        index % 2 === 0 ? 'race' : 's_race',
        {},
        {
          key: keyOf(WHO[index % WHO.length] ?? ''),
        },
      ),
    );
    expect(fates).toEqual([...times(10, 'fine'), ...times(30, FULL)]);
  });

  it('what costs more counts for more; the first pattern that fits', async () => {
    expect(await row('dan u dearest', 'dan u cheap', 'dan s dear', 'dan u cheap')).toEqual([
      'fine',
      'fine',
      'fine',
      FULL,
    ]);
    expect(await row('eve u dear', 'eve s dear', 'eve u dear', 'eve u cheap', 'eve s dearest')).toEqual([
      'fine',
      'fine',
      'fine',
      FULL,
      FULL,
    ]);
    expect(await row('fay / s_dear', 'fay / s_dearest', 'fay s dear', 'fay u cheap', 'fay u cheap')).toEqual([
      'fine',
      'fine',
      FULL,
      'fine',
      FULL,
    ]);
  });

  it('a call that is refused by one limit is counted by none', async () => {
    const calls = ['ann u narrow', ...times(6, 'ann u narrow'), ...times(5, 'ann s wide')];
    expect(await row(...calls)).toEqual(['fine', ...times(6, FULL), ...times(4, 'fine'), FULL]);
  });

  it('a call is counted once, and a repeat with an idempotency key that is answered is not', async () => {
    const key = keyOf('bob');
    const body = call('wide', { key: 'idempotent' });
    body['params']._meta = { 'dev.mayday/idempotency-key': 'once' };
    const fates: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      fates.push(fate((await post(at(gateway(), 'u'), body, { key })).message));
    }
    expect(fates).toEqual(times(6, 'fine'));
    for (let index = 0; index < 5; index += 1) {
      fates.push(fate((await post(at(gateway(), 'u'), call('wide', { key: 'new' }), { key })).message));
    }
    expect(fates.slice(6)).toEqual([...times(4, 'fine'), FULL]);
  });

  it('and once, wherever /mcp looks for a resource', async () => {
    const script = [{ answer: { error: { code: -32002, message: 'Resource not found' } } }];
    const body = ask('resources/read', { uri: 'test://lost', _meta: { 'test/puppet': { script } } });
    const fates: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      fates.push(verdict((await post(at(gateway(), ''), body, { key: keyOf('gus') })).message));
    }
    expect(fates).toEqual(['not_found', 'not_found', 'rate_limited']);
  });

  it('a window is any span, and the wait is to the millisecond', async () => {
    const a = await timed('gus', 'sliding');
    await pause(900);
    const b = await timed('gus', 'sliding');
    const c = await timed('gus', 'sliding');
    expect([a.fate, b.fate]).toEqual(['fine', 'fine']);
    expectExact(c, a, 2500);
    const early: Timed[] = [];
    while (Date.now() < c.sent + c.after - 250) {
      early.push(await timed('gus', 'sliding'));
      await pause(100);
    }
    const before = early.filter(({ told }) => told < c.sent + c.after);
    expect(before.map((each) => each.fate)).toEqual(before.map(() => FULL));
    await pause(Math.max(0, c.told + c.after - Date.now()));
    const d = await timed('gus', 'sliding');
    expect(d.fate).toBe('fine');
    const e = await timed('gus', 'sliding');
    expectExact(e, b, 2500);
    await pause(e.after);
    expect((await timed('gus', 'sliding')).fate).toBe('fine');
  });

  it('a bucket holds its calls and fills evenly', async () => {
    const first = await timed('hal', 'slow-bucket');
    const burst = await together(3, async () => (await timed('hal', 'slow-bucket')).fate);
    expect([first.fate, ...burst]).toEqual(times(4, 'fine'));
    expectExact(await timed('hal', 'slow-bucket'), first, HOUR / 4);
    const [one, two, three] = [
      await timed('hal', 'bucket'),
      await timed('hal', 'bucket'),
      await timed('hal', 'bucket'),
    ];
    expect([one.fate, two.fate]).toEqual(['fine', 'fine']);
    expectExact(three, one, 2000);
    await pause(three.after);
    expect((await timed('hal', 'bucket')).fate).toBe('fine');
    const { fate: again, after } = await timed('hal', 'bucket');
    expect([again, after <= 2000]).toEqual([FULL, true]);
  });
});

describe('a call too many', () => {
  it.each([['u'], ['s'], ['']])('is told when there is room, also over HTTP, at /%s', async (endpoint) => {
    const who = endpoint === 'u' ? 'ida' : endpoint === 's' ? 'joe' : 'kim';
    const tool = endpoint === '' ? 'u_narrow' : 'narrow';
    const key = keyOf(who);
    expect(await tried(gateway(), endpoint, tool, {}, { key })).toBe('fine');
    const { message, headers } = await use(gateway(), endpoint, tool, {}, { key });
    const fault = faultOf(message);
    expect(fault).toMatchObject({ kind: 'rate_limited', executed: 'no', origin: 'gateway', retryable: true });
    expect(fault['retry']['when']).toBe('after_wait');
    expect(fault['retry'].after_ms).toBeGreaterThan(HOUR - 60_000);
    expect(fault['retry'].after_ms).toBeLessThanOrEqual(HOUR);
    expect(headers['retry-after']).toBe(String(Math.ceil(fault['retry'].after_ms / 1000)));
  });

  it('in 2026-07-28, in a session, and as a prompt', async () => {
    const key = keyOf('leo');
    const url = at(gateway(), 's');
    const session = String((await post(url, initialize(), { key })).headers['mcp-session-id']);
    await row('leo s by-caller', 'leo u by-caller', 'leo / u_by-caller');
    const answers = await Promise.all([
      post(at(gateway(), 'u'), modern(call('by-caller')), { key, era: '2026' }),
      post(url, call('by-caller'), { key, session }),
      post(at(gateway(), 'u'), ask('prompts/get', { name: 'hello' }), { key }),
      post(at(gateway(), ''), ask('resources/read', { uri: 'test://one' }), { key }),
    ]);
    expect(answers.map(({ message }) => fate(message))).toEqual(times(4, FULL));
    expect(answers.map(({ headers }) => /^\d+$/.test(String(headers['retry-after'])))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('calls that fail are counted too, refusals at other limits are not', async () => {
    const key = keyOf('max');
    const huge = { pad: 'x'.repeat(70_000) };
    const large = await together(4, async () =>
      String((await use(gateway(), 'u', 'wide', huge, { key })).status),
    );
    expect(large).toEqual(times(4, '413'));
    const script = [failing('Order 17 was not found')];
    const failed = await together(5, () => tried(gateway(), 'u', 'wide', { script }, { key }));
    expect(failed.filter((each) => each === FULL)).toEqual([]);
    expect(await tried(gateway(), 'u', 'wide', {}, { key })).toBe(FULL);
  });
});
