/** Calls that a person has to consent to, with a store beside the gateway. */
import { setTimeout as pause } from 'node:timers/promises';
import { openStore, type Store } from '@mayday/store';
import { afterEach, describe, expect, it } from 'vitest';
import { type SettingsFile, startGateway } from '../../src/index.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  json,
  later,
  type Posted,
  post,
  settingsOf,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const KEYS = [
  { name: 'ann', key: 'ann-secret', scopes: ['pay'] },
  { name: 'bob', key: 'bob-secret', scopes: ['pay'] },
  { name: 'eve', key: 'eve-secret' },
];
const as = (name: string) => ({ authorization: `Bearer ${name}-secret` });
const RULE = { approve: ['bank/pay'] };

type Rules = NonNullable<NonNullable<SettingsFile['access']>['rules']>;

async function bank(
  rules: Rules = [RULE],
  answer?: (made: number) => object | undefined | Promise<undefined>,
  limits: SettingsFile['limits'] = {},
  dialect?: string,
) {
  let made = 0;
  const { url } = await upstream(async (body, response) => {
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (method !== 'tools/call' && method !== 'resources/read')
      return json(response, 200, { jsonrpc: '2.0', id, result: {} });
    made += 1;
    const said = await answer?.(made);
    if (said === undefined)
      json(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'paid' }] } });
    else if ('status' in said) json(response, Number(said.status), {});
    else json(response, 200, { jsonrpc: '2.0', id, ...said });
  });
  const store = await openStore('memory:');
  later(() => store.close());
  const fileWith = (some: Rules): SettingsFile => ({
    store: 'memory:',
    keys: KEYS,
    access: { rules: some },
    limits,
    dialect,
    upstreams: { bank: { url, retry: { attempts: 1 } }, other: { url } },
  });
  const gateway = await startGateway(settingsOf(fileWith(rules)), { store });
  later(() => gateway.close(500));
  const pay = (args: object = {}, who = 'ann', at = '/bank/mcp'): Promise<Posted> =>
    post(`${gateway.url}${at}`, callTool(at === '/mcp' ? 'bank_pay' : 'pay', args), as(who));
  const reload = (some: Rules): void => gateway.reload(settingsOf(fileWith(some)));
  return { store, gateway, pay, reload, made: () => made };
}

const idIn = (posted: Posted): string => {
  const { approval_id: id } = (faultIn(posted)?.['details'] ?? {}) as { readonly approval_id?: string };
  return id ?? 'none';
};
const kindIn = (posted: Posted): unknown => faultIn(posted)?.['kind'] ?? 'done';
const deeds = async ({ audit }: Store) =>
  (await audit.list()).map(({ actor, action, target, details }) => ({ actor, action, target, details }));

it('holds a call back until a person consents, and lets it through once', async () => {
  const { store, pay, made } = await bank();
  const first = await pay({ to: 'x', amount: 5 });
  const id = idIn(first);
  expect(faultIn(first)).toMatchObject({
    kind: 'approval_required',
    executed: 'no',
    origin: 'gateway',
    message: `The tool pay requires approval (request ${id})`,
    subject: { type: 'tool', id: 'pay' },
    retry: { when: 'after_approval' },
  });
  expect(idIn(await pay({ amount: 5, to: 'x' }))).toBe(id);
  expect(await store.approvals.waiting()).toMatchObject([
    { id, caller: 'ann', upstream: 'bank', target: 'pay', arguments: { to: 'x', amount: 5 } },
  ]);
  await store.approvals.approve(id);
  expect(made()).toBe(0);
  expect(kindIn(await pay({ amount: 5, to: 'x' }))).toBe('done');
  const again = await pay({ amount: 5, to: 'x' });
  expect([kindIn(again), idIn(again) === id, made()]).toEqual(['approval_required', false, 1]);
  expect(await deeds(store)).toEqual([
    { actor: 'ann', action: 'approvals.use', target: id, details: { caller: 'ann', tool: 'bank/pay' } },
  ]);
});

it('writes down that a consent was given back, where it is not known whether its use was written', async () => {
  const { store, pay, made } = await bank();
  const id = idIn(await pay());
  await store.approvals.approve(id);
  const { append } = store.audit;
  let left = 2;
  const losing = async (deed: Parameters<typeof append>[0]) => {
    if (left === 0) return append(deed);
    left -= 1;
    if (left === 1) await append(deed);
    throw new Error('the connection was cut');
  };
  Object.assign(store.audit, { append: losing });
  expect([kindIn(await pay()), made()]).toEqual(['unavailable', 0]);
  await until(async () => (await store.audit.list()).length === 2);
  expect([kindIn(await pay()), made()]).toEqual(['done', 1]);
  expect((await deeds(store)).map(({ action, target }) => [action, target])).toEqual([
    ['approvals.use', id],
    ['approvals.release', id],
    ['approvals.use', id],
  ]);
});

it('binds a consent to caller, upstream, tool, arguments and rule', async () => {
  const { store, gateway, pay, reload, made } = await bank([{ approve: ['*/pay', '*/send', '*://*'] }]);
  const id = idIn(await pay({ n: 1 }));
  await store.approvals.approve(id);
  const others = [
    await pay({ n: 2 }),
    await pay({ n: 1 }, 'bob'),
    await post(`${gateway.url}/other/mcp`, callTool('pay', { n: 1 }), as('ann')),
    await post(`${gateway.url}/bank/mcp`, callTool('send', { n: 1 }), as('ann')),
    await post(`${gateway.url}/bank/mcp`, call('resources/read', { uri: 'a://pay' }), as('ann')),
  ];
  expect(new Set(others.map(idIn)).size).toBe(5);
  expect(others.map(idIn)).not.toContain(id);
  reload([{ approve: ['*/pay', '*/send'] }]);
  expect([kindIn(await pay({ n: 1 })), made()]).toEqual(['approval_required', 0]);
  reload([{ deny: ['x/*'] }, { approve: ['*/pay', '*/send', '*://*'] }]);
  expect([kindIn(await pay({ n: 1 })), made()]).toEqual(['done', 1]);
});

it('is the same consent at the endpoint of the upstream and at /mcp', async () => {
  const { store, pay } = await bank();
  const first = await pay({}, 'ann', '/mcp');
  expect(faultIn(first)).toMatchObject({
    kind: 'approval_required',
    message: `The tool bank_pay requires approval (request ${idIn(first)})`,
  });
  await store.approvals.approve(idIn(first));
  expect([kindIn(await pay()), kindIn(await pay({}, 'ann', '/mcp'))]).toEqual(['done', 'approval_required']);
});

it('asks for scopes first', async () => {
  const { store, pay } = await bank([{ ...RULE, scopes: ['pay'] }]);
  expect(faultIn(await pay({}, 'eve'))).toMatchObject({
    kind: 'forbidden',
    details: { required_scopes: ['pay'] },
  });
  expect(await store.approvals.waiting()).toEqual([]);
  expect(kindIn(await pay())).toBe('approval_required');
});

it('says no when a person said no, until that is over', async () => {
  const { store, pay, made } = await bank([{ ...RULE, ttl_ms: 300 }]);
  const id = idIn(await pay());
  await store.approvals.reject(id);
  expect(faultIn(await pay())).toMatchObject({
    kind: 'forbidden',
    executed: 'no',
    details: { approval_id: id },
    message: `The call to the tool pay was not approved (request ${id})`,
  });
  await pause(320);
  const next = await pay();
  expect([kindIn(next), idIn(next) === id, made()]).toEqual(['approval_required', false, 0]);
});

it('forgets a request that nobody decides, and a consent that nobody uses', async () => {
  const { store, pay, made } = await bank([{ ...RULE, ttl_ms: 300 }]);
  const first = idIn(await pay());
  await pause(320);
  expect(await store.approvals.approve(first)).toBe(false);
  const second = idIn(await pay());
  expect(await store.approvals.approve(second)).toBe(true);
  await pause(320);
  expect([kindIn(await pay()), made()]).toEqual(['approval_required', 0]);
});

it('gives a consent back where the call did not reach the server, and nowhere else', async () => {
  const { store, gateway, pay } = await bank([RULE], (made) =>
    made === 1 ? { status: 429 } : { status: 500 },
  );
  const id = idIn(await pay());
  await store.approvals.approve(id);
  expect(faultIn(await pay())).toMatchObject({ kind: 'rate_limited', executed: 'no' });
  expect(faultIn(await pay())).toMatchObject({ executed: 'maybe' });
  expect(kindIn(await pay())).toBe('approval_required');
  expect((await deeds(store)).map(({ action, target }) => [action, target])).toEqual([
    ['approvals.use', id],
    ['approvals.release', id],
    ['approvals.use', id],
  ]);
  expect(gateway.upstreams).toEqual(['bank', 'other']);
});

it('is used by one of many calls at the same time; the others are told so', async () => {
  let letGo = (): void => {};
  const held = new Promise<undefined>((resolve) => {
    letGo = () => resolve(undefined);
  });
  const { store, pay, made } = await bank([RULE], () => held);
  await store.approvals.approve(idIn(await pay()));
  const first = pay();
  await until(() => made() === 1);
  expect((await Promise.all([pay(), pay()])).map(kindIn)).toEqual(['conflict', 'conflict']);
  letGo();
  expect([kindIn(await first), made()]).toEqual(['done', 1]);
});

it('repeats the answer of a call with a key, without a second consent', async () => {
  const { store, gateway, made } = await bank();
  const keyed = (): Promise<Posted> =>
    post(
      `${gateway.url}/bank/mcp`,
      call('tools/call', { name: 'pay', arguments: {}, _meta: { 'dev.mayday/idempotency-key': 'k1' } }),
      as('ann'),
    );
  await store.approvals.approve(idIn(await keyed()));
  const [first, second] = [await keyed(), await keyed()];
  expect([kindIn(first), kindIn(second), made()]).toEqual(['done', 'done', 1]);
});

describe('a call in several rounds', () => {
  const inRounds = async (isOver: (made: number) => boolean, state?: string) => {
    const { store, gateway, made } = await bank([RULE], (round) =>
      isOver(round)
        ? { result: { resultType: 'complete', content: [] } }
        : { result: { resultType: 'input_required', inputRequests: {}, requestState: state } },
    );
    const round = (more: object = {}): Promise<Posted> => {
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'pay' };
      const params = { name: 'pay', arguments: { n: 1 }, _meta: meta, ...more };
      return post(`${gateway.url}/bank/mcp`, call('tools/call', params), { ...as('ann'), ...headers });
    };
    const begin = async (): Promise<unknown> => {
      await store.approvals.approve(idIn(await round()));
      return (await round()).message.result?.['resultType'];
    };
    return { round, begin, made };
  };

  it('needs one consent for all of them', async () => {
    const { round, begin, made } = await inRounds((nth) => nth === 2, 's');
    expect(await begin()).toBe('input_required');
    const last = await round({ inputResponses: {}, requestState: 's' });
    expect([last.message.result?.['resultType'], made()]).toEqual(['complete', 2]);
    expect(kindIn(await round({ inputResponses: {}, requestState: 's' }))).toBe('approval_required');
  });

  it.each([undefined, 's'])('may be left and begun anew, with the same state: %s', async (state) => {
    const { round, begin, made } = await inRounds((nth) => nth === 4, state);
    const answers = { inputResponses: {}, requestState: state };
    expect([await begin(), await begin(), await begin()]).toEqual(Array(3).fill('input_required'));
    const last = await round(answers);
    expect([kindIn(last), last.message.result?.['resultType'], made()]).toEqual(['done', 'complete', 4]);
    expect(kindIn(await round(answers))).toBe('approval_required');
  });
});

it.each([{ requestState: 's' }, { inputResponses: { amount: { action: 'accept', content: { n: 9 } } } }])(
  'is none for what goes on from an answer, in any revision: %j',
  async (more) => {
    const { store, gateway, pay, made } = await bank();
    const id = idIn(await pay({ n: 1 }));
    await store.approvals.approve(id);
    const params = { name: 'pay', arguments: { n: 1 }, ...more };
    const other = await post(`${gateway.url}/bank/mcp`, call('tools/call', params), as('ann'));
    expect(kindIn(other)).toBe('approval_required');
    expect(idIn(other)).not.toBe(id);
    expect(made()).toBe(0);
    expect(kindIn(await pay({ n: 1 }))).toBe('done');
  },
);

it('keeps no secrets, and asks nobody to consent to what cannot be shown', async () => {
  const { store, gateway, pay } = await bank();
  await pay({ password: 'hunter2hunter2' });
  expect(JSON.stringify(await store.approvals.waiting())).not.toContain('hunter2');
  const twice =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"to":"a","to":"b"}}}';
  expect(faultIn(await post(`${gateway.url}/bank/mcp`, twice, as('ann')))).toMatchObject({
    kind: 'invalid_arguments',
    executed: 'no',
  });
  expect(kindIn(await pay({ text: 'x'.repeat(300_000) }))).toBe('too_large');
});

it('keeps no secrets of a URI either: not where it waits, and not in the audit log', async () => {
  const { store, gateway } = await bank([{ approve: ['bank/*'] }]);
  const read = (token: string): Promise<Posted> =>
    post(
      `${gateway.url}/bank/mcp`,
      call('resources/read', { uri: `https://ann:hunter2pass@h.example/x?api_key=${token}` }),
      as('ann'),
    );
  const [one, two] = ['sk-live-4f8Jk2LmQp9XyZ01AbCdEfGh', 'sk-live-9f8Jk2LmQp9XyZ01AbCdEfGh'] as const;
  const first = idIn(await read(one));
  expect(idIn(await read(two))).not.toBe(first);
  await store.approvals.approve(first);
  expect(kindIn(await read(one))).toBe('done');
  const kept = JSON.stringify([await store.approvals.waiting(), await deeds(store)]);
  expect(kept).toContain('bank/https://[credentials:1]@h.example/x');
  expect(kept).not.toMatch(/hunter2pass|sk-live/);
});

it('lets no call out that waits for consent when its rule becomes another meanwhile', async () => {
  for (const after of [[{ deny: ['bank/pay'] }], [{ allow: ['bank/pay'], scopes: ['none'] }], []]) {
    const { store, pay, reload, made } = await bank([RULE], undefined, {
      rates: [{ calls: 100, per_ms: 60_000, by: ['caller'] }],
    });
    const { takeAll } = store.rates;
    store.rates.takeAll = async (wishes) => {
      reload(after); // while it is being counted
      return takeAll.call(store.rates, wishes);
    };
    expect([kindIn(await pay()), made()]).toEqual(['approval_required', 0]);
  }
});

it('refuses while the store is down, and makes no call that it cannot write down', async () => {
  const { store, pay, made } = await bank();
  await store.approvals.approve(idIn(await pay()));
  const { append } = store.audit;
  Object.assign(store.audit, { append: () => Promise.reject(new Error('full')) });
  expect(faultIn(await pay())).toMatchObject({ kind: 'unavailable', executed: 'no' });
  Object.assign(store.audit, { append });
  expect([kindIn(await pay()), made()]).toEqual(['done', 1]);
  await store.close();
  expect(faultIn(await pay({ n: 2 }))).toMatchObject({ kind: 'unavailable', executed: 'no' });
});

it('lists what needs consent', async () => {
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id?: number };
    json(response, 200, { jsonrpc: '2.0', id, result: { tools: [{ name: 'pay' }, { name: 'x' }] } });
  });
  const store = await openStore('memory:');
  later(() => store.close());
  const access = { default: 'deny', rules: [{ approve: ['bank/pay'] }] } as const;
  const settings = settingsOf({ store: 'memory:', access, upstreams: { bank: { url } } });
  const gateway = await startGateway(settings, { store });
  later(() => gateway.close(500));
  const { message } = await post(`${gateway.url}/bank/mcp`, call('tools/list'));
  expect(message.result?.['tools']).toEqual([{ name: 'pay' }]);
});

describe.each(['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'])('in the words of %s', (dialect) => {
  it.each([
    ['a tool', 'tools/call', { name: 'pay', arguments: {} }],
    ['a resource', 'resources/read', { uri: 'bank://pay' }],
  ])('whoever needs consent to %s is told the id of the request', async (_what, method, params) => {
    const rules = [{ approve: ['bank/pay', 'bank/bank://pay'] }];
    const { gateway, store } = await bank(rules, undefined, {}, dialect);
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const { text } = await post(`${gateway.url}/bank/mcp`, body, as('ann'));
    const [asked] = await store.approvals.waiting();
    expect(text).toContain(asked?.id ?? 'nobody asked');
  });
});

it('a long name is shown and kept as its clean beginning, and consented to as a whole', async () => {
  const { store, gateway } = await bank([{ approve: ['bank/x*'] }]);
  const use = (name: string): Promise<Posted> => post(`${gateway.url}/bank/mcp`, callTool(name), as('ann'));
  const [one, other] = [
    `x${'y'.repeat(3000)} password=hunter22 a`,
    `x${'y'.repeat(3000)} password=hunter22 b`,
  ];
  const id = idIn(await use(one));
  expect(idIn(await use(other))).not.toBe(id);
  for (const { target } of await store.approvals.waiting())
    expect(target).toBe(`x${'y'.repeat(1999)}… (3021 characters)`);
  await store.approvals.approve(id);
  expect(faultIn(await use(other))?.['kind']).toBe('approval_required');
  expect((await use(one)).text).toContain('paid');
});

it.each([
  ['tools/call', { name: 'x'.repeat(70_000) }, 'params.name is longer than 64 KiB'],
  ['resources/read', { uri: `x:${'x'.repeat(70_000)}` }, 'params.uri is longer than 64 KiB'],
  ['tasks/get', { taskId: 'x'.repeat(70_000) }, 'params.taskId is longer than 64 KiB'],
  ['completion/complete', { ref: { name: 'x'.repeat(70_000) } }, 'params.ref is longer than 64 KiB'],
  [
    'subscriptions/listen',
    { notifications: { resourceSubscriptions: ['x'.repeat(300_000)] } },
    'params.notifications is longer than 256 KiB',
  ],
])('nobody is asked anything about a name without end: %s', async (method, params, message) => {
  const { store, gateway } = await bank([{ approve: ['bank/x*'] }]);
  for (const at of ['/bank/mcp', '/mcp'])
    expect(faultIn(await post(`${gateway.url}${at}`, call(method, params), as('ann')))).toMatchObject({
      kind: 'too_large',
      executed: 'no',
      message,
    });
  expect(await store.approvals.waiting()).toEqual([]);
});
