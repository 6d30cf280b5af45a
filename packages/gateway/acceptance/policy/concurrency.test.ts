/** Calls at a time, from docs/policy.md: one too many is refused at once, and every place comes back. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, type Message, post, type SendOptions } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call } from '../support/messages.ts';
import { fate, pause, times, together, tried, use } from '../support/policy.ts';
import { executions, type Step } from '../support/puppet.ts';
import { failing, stdio } from '../support/world.ts';

const WHO = ['ann', 'amy', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'];
const keyOf = (name: string): string => `${name}-key-0123456789`;
const TENANTS: Record<string, string> = { ann: 'acme', amy: 'acme' };
const KEYS = WHO.map((name) => {
  const tenant = TENANTS[name];
  return tenant === undefined ? { name, key: keyOf(name) } : { name, key: keyOf(name), tenant };
});
const MANY = 'overloaded/no';
const DEATH_MS = 30_000;

const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
/** A gateway that has survived another one on the same store, and when that was killed. */
let survivor: Gateway;
let killed = 0;
let after: string[] = [];
beforeAll(async () => {
  http = await startHttpPuppet({ ledger });
  const shared = {
    keys: KEYS,
    store: `file:${join(folder, 'mayday.db')}`,
    limits: { concurrency: [{ calls: 2, by: ['caller'] }] },
    upstreams: { u: { url: http.url } },
  };
  const victim = await startGateway(shared);
  survivor = await startGateway(shared);
  const hanging = { key: 'victim', script: [{ hang: true }] };
  for (let index = 0; index < 2; index += 1) {
    use(victim, 'u', 'pay', hanging, { key: keyOf('ann') }).catch(() => undefined);
  }
  while (executions(ledger, 'victim') < 2) await pause(20);
  const before = await tried(survivor, 'u', 'echo', {}, { key: keyOf('ann') });
  await victim.stop('SIGKILL');
  killed = Date.now();
  const other = await tried(survivor, 'u', 'echo', {}, { key: keyOf('bob') });
  after = [before, await tried(survivor, 'u', 'echo', {}, { key: keyOf('ann') }), other];
});
afterAll(async () => {
  await survivor.stop('SIGKILL');
  await http.close();
  rmSync(folder, { recursive: true });
});

const gateway = keepGateway(
  () =>
    startGateway({
      keys: KEYS,
      limits: {
        rates: [{ calls: 3, per_ms: 3_600_000, by: ['caller'], tools: ['u/lookup'] }],
        concurrency: [
          { calls: 2, by: ['caller', 'upstream'] },
          { calls: 3, by: ['tenant', 'upstream', 'tool'] },
          { calls: 40 },
        ],
      },
      upstreams: {
        u: { url: http.url, retry: { attempts: 1 }, breaker: false, timeout_ms: 4000 },
        s: stdio({ ledger }, { retry: { attempts: 1 }, breaker: false }),
      },
    }),
  [ledger],
);

const slow = (ms: number): Step[] => [{ wait: ms }, { answer: { result: { content: [] } } }];

/** Calls that are under way at their server when this resolves. */
async function underWay(
  count: number,
  endpoint: string,
  tool: string,
  args: { key: string; script: readonly Step[] },
  options: SendOptions,
): Promise<{ held: Promise<string[]> }> {
  const before = executions(ledger, args.key);
  const all = together(count, () => tried(gateway(), endpoint, tool, args, options));
  all.catch(() => undefined);
  await expect.poll(() => executions(ledger, args.key), { timeout: 5000 }).toBe(before + count);
  return { held: all };
}

describe('one too many', () => {
  it.each([
    ['u', 'pay', '', 'u_pay', 'cat'],
    ['s', 'pay', '', 's_pay', 'dan'],
    ['', 'u_pay', 'u', 'pay', 'eve'],
  ])('at /%s (%s), and at /%s (%s), is refused at once', async (endpoint, tool, other, same, who) => {
    const options = { key: keyOf(who) };
    const args = { key: `held:${who}`, script: slow(2500) };
    const { held } = await underWay(2, endpoint, tool, args, options);
    const started = performance.now();
    const first = await use(gateway(), endpoint, tool, {}, options);
    expect(faultOf(first.message)).toMatchObject({ kind: 'overloaded', executed: 'no', origin: 'gateway' });
    expect(await tried(gateway(), other, same, {}, options)).toBe(MANY);
    const elapsed = performance.now() - started;
    expect(elapsed).toBeLessThan(2000);
    expect(await held).toEqual(times(2, 'fine'));
    expect(await tried(gateway(), endpoint, tool, {}, options)).toBe('fine');
    expect(await tried(gateway(), other, same, {}, options)).toBe('fine');
    expect(executions(ledger, `held:${who}`)).toBe(2);
  });

  it('is of this caller and this upstream; prompts and resources count', async () => {
    const options = { key: keyOf('fay') };
    const { held } = await underWay(2, 'u', 'pay', { key: 'fays', script: slow(2500) }, options);
    const ask2 = async (endpoint: string, body: Message): Promise<string> =>
      fate((await post(at(gateway(), endpoint), body, options)).message);
    const fates = await Promise.all([
      tried(gateway(), 'u', 'echo', {}, options),
      ask2('u', ask('prompts/get', { name: 'hello' })),
      ask2('u', ask('resources/read', { uri: 'test://one' })),
      tried(gateway(), 's', 'echo', {}, options),
      ask2('s', ask('prompts/get', { name: 'hello' })),
      tried(gateway(), 'u', 'echo', {}, { key: keyOf('gus') }),
      ask2('u', ask('tools/list')),
    ]);
    expect(fates).toEqual([MANY, MANY, MANY, 'fine', 'fine', 'fine', 'fine']);
    expect(await held).toEqual(times(2, 'fine'));
  });

  it('is of the tenant, the upstream and the tool together', async () => {
    const args = { key: 'tenants', script: slow(2500) };
    const { held: ann } = await underWay(2, 'u', 'pay', args, { key: keyOf('ann') });
    const { held: amy } = await underWay(1, 'u', 'pay', args, { key: keyOf('amy') });
    const fates = await Promise.all([
      tried(gateway(), 'u', 'pay', {}, { key: keyOf('amy') }),
      tried(gateway(), 's', 'pay', {}, { key: keyOf('amy') }),
    ]);
    expect(fates).toEqual([MANY, 'fine']);
    expect(await tried(gateway(), 'u', 'echo', {}, { key: keyOf('amy') })).toBe('fine');
    expect([await ann, await amy]).toEqual([times(2, 'fine'), ['fine']]);
  });

  it('is not counted by a rate either', async () => {
    const options = { key: keyOf('eve') };
    const { held } = await underWay(2, 'u', 'pay', { key: 'eves', script: slow(2000) }, options);
    const refused = await together(5, () => tried(gateway(), 'u', 'lookup', {}, options));
    expect(refused).toEqual(times(5, MANY));
    expect(await held).toEqual(times(2, 'fine'));
    const fates: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      fates.push(await tried(gateway(), 'u', 'lookup', {}, options));
    }
    expect(fates).toEqual([...times(3, 'fine'), 'rate_limited/no']);
  });

  it('of many at the same time, as many pass as fit', async () => {
    const args = { key: 'crowd', script: slow(2500) };
    const fates = await together(12, (index) =>
      tried(gateway(), index % 2 === 0 ? 's' : '', index % 2 === 0 ? 'lookup' : 's_lookup', args, {
        key: keyOf('hal'),
      }),
    );
    expect(fates).toEqual([...times(2, 'fine'), ...times(10, MANY)]);
  });
});

describe('a place comes back', () => {
  it.each([
    ['when the tool fails', 'u', [failing('Order 17 was not found')]],
    ['when the connection breaks', 'u', [{ reset: true }]],
    ['when the process dies', 's', [{ exit: 1 }]],
    ['when it takes too long', 'u', [{ hang: true }]],
  ] as [string, string, Step[]][])('%s', async (what, endpoint, script) => {
    const options = { key: keyOf('bob') };
    const fates = await together(2, () => tried(gateway(), endpoint, 'pay', { key: what, script }, options));
    expect(fates.filter((each) => each === 'fine' || each === MANY)).toEqual([]);
    const again = await together(2, () => tried(gateway(), 'u', 'echo', {}, options));
    expect(again).toEqual(times(2, 'fine'));
  });

  it.each([['u'], ['s']])('when the caller has gone away, at /%s/mcp', async (endpoint) => {
    const stop = new AbortController();
    const options = { key: keyOf('cat'), signal: stop.signal };
    const args = { key: `away:${endpoint}`, script: [{ hang: true }] as Step[] };
    await underWay(2, endpoint, 'pay', args, options);
    expect(await tried(gateway(), endpoint, 'echo', {}, { key: keyOf('cat') })).toBe(MANY);
    stop.abort();
    await expect
      .poll(() => tried(gateway(), endpoint, 'echo', {}, { key: keyOf('cat') }), { timeout: 3000 })
      .toBe('fine');
  });

  it('not before the work ends, where a key has it go on without its caller', async () => {
    const stop = new AbortController();
    const body = call('pay', { key: 'goes-on', script: slow(3500) });
    body['params']._meta = { 'dev.mayday/idempotency-key': 'goes-on' };
    post(at(gateway(), 'u'), body, { key: keyOf('dan'), signal: stop.signal }).catch(() => undefined);
    await underWay(1, 'u', 'pay', { key: 'dans', script: slow(3500) }, { key: keyOf('dan') });
    await expect.poll(() => executions(ledger, 'goes-on'), { timeout: 5000 }).toBe(1);
    const begun = Date.now();
    stop.abort();
    await pause(500);
    const during = await tried(gateway(), 'u', 'echo', {}, { key: keyOf('dan') });
    expect([during, Date.now() - begun < 3000]).toEqual([MANY, true]);
    await expect
      .poll(() => tried(gateway(), 'u', 'echo', {}, { key: keyOf('dan') }), { timeout: 8000 })
      .toBe('fine');
  });

  it('after a reload, whatever the numbers were', async () => {
    const options = { key: keyOf('gus') };
    const { held } = await underWay(2, 'u', 'pay', { key: 'reload', script: slow(1500) }, options);
    const before = gateway().log().length;
    gateway().rewrite({
      keys: KEYS,
      limits: { concurrency: [{ calls: 1, by: ['caller', 'upstream'] }] },
      upstreams: { u: { url: http.url } },
    });
    await expect.poll(() => gateway().log().slice(before), { timeout: 8000 }).toMatch(/reloaded/);
    expect(await held).toEqual(times(2, 'fine'));
    expect(await tried(gateway(), 'u', 'echo', {}, options)).toBe('fine');
    const both = await together(2, () => tried(gateway(), 'u', 'pay', { script: slow(1500) }, options));
    expect(both).toEqual(['fine', MANY]);
  });
});

describe('a gateway that dies', () => {
  it('has held its places for all, and gives them back within 30 seconds', async () => {
    expect(after).toEqual([MANY, MANY, 'fine']);
    const left = Math.max(100, killed + DEATH_MS - Date.now());
    await expect
      .poll(() => tried(survivor, 'u', 'echo', {}, { key: keyOf('ann') }), { timeout: left, interval: 250 })
      .toBe('fine');
    const body = call('echo', {});
    const answers = await Promise.all([1, 2].map(() => post(at(survivor, 'u'), body, { key: keyOf('ann') })));
    expect(answers.map(({ message }) => fate(message))).toEqual(['fine', 'fine']);
  });
});
