import { createMemoryPlaces, createMemoryRateStore, type RateWish } from '@mayday/policy';
import { ANYBODY, answered, type WireCall } from '@mayday/relay';
import { expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { settingsOf } from '../../test/tools.ts';
import type { SettingsFile } from '../settings/settings.ts';
import { countCalls } from './count-calls.ts';
import type { LimitKeeper } from './keeper.ts';

type Rates = NonNullable<NonNullable<SettingsFile['limits']>['rates']>;

const keeper = (): LimitKeeper => ({
  rates: createMemoryRateStore(),
  places: createMemoryPlaces(),
  isOpen: () => false,
});

function gate(rates: Rates, kept: LimitKeeper = keeper()) {
  const { limits } = settingsOf({ limits: { rates }, upstreams: { shop: { url: 'http://127.0.0.1:1' } } });
  const done = async () => answered({ body: Buffer.from('{}'), status: 200, headers: {}, isStream: false });
  const handle = countCalls(limits.rates, kept)(done);
  return async (call: WireCall): Promise<string> => {
    const outcome = await handle(call);
    return outcome.ok ? 'made' : outcome.fault.kind;
  };
}

interface Who {
  readonly caller?: string;
  readonly tenant?: string;
  readonly upstream?: string;
  readonly name?: string;
  readonly method?: string;
}

function by({ caller, tenant, upstream = 'shop', name = 'pay', method = 'tools/call' }: Who = {}): WireCall {
  const call = wireCall(method === 'resources/read' ? { uri: name } : { name }, {
    method,
    by: { ...(caller === undefined ? ANYBODY : { id: caller, isKnown: true }), tenant },
  });
  return { ...call, upstream, target: name };
}

const ann = { caller: 'ann', tenant: 'acme' };

it.each([
  [['caller'], { ...ann, name: 'x', upstream: 'y' }, { caller: 'bob', tenant: 'acme' }],
  [['tenant'], { caller: 'bob', tenant: 'acme' }, { caller: 'ann', tenant: 'other' }],
  [['tenant'], { caller: 'bob', tenant: 'acme' }, { caller: 'ann' }],
  [['upstream'], { caller: 'bob', name: 'x' }, { ...ann, upstream: 'bank' }],
  [['tool'], { caller: 'bob' }, { ...ann, name: 'refund' }],
  [['tool'], { caller: 'bob' }, { ...ann, upstream: 'bank' }],
  [['tool'], { caller: 'bob' }, { ...ann, method: 'prompts/get' }],
  [['tool', 'caller'], ann, { ...ann, name: 'refund' }],
] as const)('counts apart by %j', async (parts, same, other) => {
  const ask = gate([{ calls: 1, per_ms: 60_000, by: [...parts] }]);
  expect(await ask(by(ann))).toBe('made');
  expect([await ask(by(same)), await ask(by(other))]).toEqual(['rate_limited', 'made']);
});

it('counts the calls of one caller apart by what they ask, however often', async () => {
  const ann: WireCall['by'] = { id: 'ann', isKnown: true, tenant: 'acme' };
  const ask = gate([{ calls: 2, per_ms: 60_000, by: ['caller', 'tool'] }]);
  const kinds: Who[] = [{}, { name: 'refund' }, { upstream: 'bank' }, { method: 'prompts/get' }];
  for (const told of ['made', 'made', 'rate_limited'])
    for (const who of kinds) expect(await ask({ ...by(who), by: ann })).toBe(told);
  // A caller whose key was made anew is somebody else where its tenant is.
  const apart = gate([{ calls: 1, per_ms: 60_000, by: ['tenant'] }]);
  expect([
    await apart({ ...by(), by: ann }),
    await apart({ ...by(), by: { ...ann, tenant: 'other' } }),
    await apart({ ...by(), by: ann }),
  ]).toEqual(['made', 'made', 'rate_limited']);
});

it('counts all calls together by nothing, whoever makes them', async () => {
  const ask = gate([{ calls: 2, per_ms: 60_000 }]);
  expect([await ask(by(ann)), await ask(by({ upstream: 'x' })), await ask(by({ name: 'y' }))]).toEqual([
    'made',
    'made',
    'rate_limited',
  ]);
});

it('counts tools, prompts and resources, and nothing else', async () => {
  const ask = gate([{ calls: 1, per_ms: 60_000 }]);
  for (const method of ['tools/list', 'initialize', 'ping', 'resources/list', 'completion/complete'])
    expect(await ask(by({ method }))).toBe('made');
  expect(await ask(by({ method: 'prompts/get' }))).toBe('made');
  expect(await ask(by({ method: 'resources/read', name: 'a://b' }))).toBe('rate_limited');
});

it('counts only what a pattern fits, at the first cost that fits', async () => {
  const costs = { 'bank/deep': 4, 'bank/*': 2 };
  const ask = gate([{ calls: 7, per_ms: 60_000, tools: ['bank/*'], costs }]);
  const bank = (name: string): Promise<string> => ask(by({ upstream: 'bank', name }));
  expect([await bank('deep'), await bank('x'), await bank('x'), await ask(by())]).toEqual([
    'made',
    'made',
    'rate_limited',
    'made',
  ]);
});

it('tells limits apart that count alike', async () => {
  const ask = gate([
    { calls: 3, per_ms: 60_000 },
    { calls: 2, per_ms: 60_000 },
  ]);
  expect([await ask(by()), await ask(by()), await ask(by())]).toEqual(['made', 'made', 'rate_limited']);
});

it('keeps names short in the store, however long they are', async () => {
  const kept = keeper();
  const keys: string[] = [];
  const rates: LimitKeeper['rates'] = {
    ...kept.rates,
    takeAll(wishes: readonly RateWish[]) {
      keys.push(...wishes.map(({ key }) => key));
      return kept.rates.takeAll(wishes);
    },
  };
  const ask = gate([{ calls: 1, per_ms: 60_000, by: ['tool'] }], { ...kept, rates });
  const long = 'x'.repeat(1_000_000);
  expect([await ask(by({ name: `${long}a` })), await ask(by({ name: `${long}b` }))]).toEqual([
    'made',
    'made',
  ]);
  expect(await ask(by({ name: `${long}a` }))).toBe('rate_limited');
  expect(Math.max(...keys.map((key) => key.length))).toBeLessThan(300);
});

it('refuses what cannot be counted, or lets it through, as it is set', async () => {
  const takeAll = (): never => {
    throw new Error('the disk is full');
  };
  const broken = { ...keeper(), rates: { take: () => 0, takeAll } };
  const rates = [{ calls: 1, per_ms: 60_000, tools: ['shop/*'] }];
  const closed = gate(rates, broken);
  expect([await closed(by()), await closed(by({ upstream: 'x' }))]).toEqual(['unavailable', 'made']);
  expect(await gate(rates, { ...broken, isOpen: () => true })(by())).toBe('made');
});
