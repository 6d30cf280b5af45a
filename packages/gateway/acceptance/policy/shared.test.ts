/** What is counted and consented to holds for all gateways on one store, and after restarts: docs/policy.md. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beforeSecondTry } from '../../../../test/second-try.ts';
import { hasRedis, type RedisServer, startRedis } from '../../../store/test/redis-server.ts';
import { type Gateway, scratch, startGateway } from '../support/gateway.ts';
import { faultOf } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { fate, mayday, named, times, together, tried, use } from '../support/policy.ts';
import { executions, type Step } from '../support/puppet.ts';

const HOUR = 3_600_000;
const ANN = 'ann-key-0123456789';
const BOB = 'bob-key-0123456789';
const KEYS = [
  { name: 'ann', key: ANN },
  { name: 'bob', key: BOB },
];
const TOOLS = named('echo', 'window', 'bucket', 'kept', 'held', 'pay', 'pair');
const RULES = [{ approve: ['u/pay'] }];
const LIMITS = {
  rates: [
    { calls: 10, per_ms: HOUR, by: ['caller'], tools: ['*/window'] },
    { calls: 10, per_ms: HOUR, by: ['caller'], tools: ['*/bucket'], algorithm: 'bucket' },
    { calls: 3, per_ms: HOUR, by: ['caller'], tools: ['*/kept'] },
    { calls: 6, per_ms: HOUR, by: ['caller'], tools: ['*/pair'] },
    { calls: 4, per_ms: HOUR, by: ['caller', 'tool'], tools: ['*/pair'], algorithm: 'bucket' },
  ],
  concurrency: [{ calls: 30, by: ['caller', 'upstream'] }],
};

const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
let redis: RedisServer | undefined;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger, tools: TOOLS });
});
afterAll(async () => {
  await http.close();
  await redis?.stop();
  rmSync(folder, { recursive: true });
});

function settings(more: object): object {
  return { keys: KEYS, limits: LIMITS, upstreams: { u: { url: http.url } }, ...more };
}
const slow = (ms: number): Step[] => [{ wait: ms }, { answer: { result: { content: [] } } }];

const STORES: [string, () => Promise<string>][] = [
  ['a file', async () => `file:${join(folder, `${randomUUID()}.db`)}`],
  [
    'Redis',
    async () => {
      await redis?.stop();
      redis = await startRedis();
      return redis.url;
    },
  ],
];

describe.each(hasRedis ? STORES : STORES.slice(0, 1))('two gateways on %s', (kind, urlOf) => {
  let store: string;
  let both: Gateway[];
  const one = (index = 0): Gateway => both[index % both.length] as Gateway;
  const openBoth = async (): Promise<void> => {
    store = await urlOf();
    const start = (): Promise<Gateway> => startGateway(settings({ store, access: { rules: RULES } }));
    both = [await start(), await start()];
  };
  const stopBoth = (): Promise<unknown> => Promise.all(both.map((each) => each.stop('SIGKILL')));
  beforeAll(openBoth);
  beforeSecondTry(async () => {
    await stopBoth();
    rmSync(ledger, { force: true });
    await openBoth();
  });
  afterAll(stopBoth);

  it.each([['window'], ['bucket']])('count together: %s', async (tool) => {
    const fates = await together(30, (index) => tried(one(index), 'u', tool, {}, { key: ANN }));
    expect(fates).toEqual([...times(10, 'fine'), ...times(20, 'rate_limited/no')]);
    const other = await together(11, (index) => tried(one(index), '', `u_${tool}`, {}, { key: BOB }));
    expect(other).toEqual([...times(10, 'fine'), 'rate_limited/no']);
  });

  it('count by all limits or by none', async () => {
    const fates = await together(20, (index) => tried(one(index), 'u', 'pair', {}, { key: ANN }));
    expect(fates).toEqual([...times(4, 'fine'), ...times(16, 'rate_limited/no')]);
  });

  it('have places together', async () => {
    const args = { key: `held:${kind}`, script: slow(4000) };
    const fates = together(34, (index) => tried(one(index), 'u', 'held', args, { key: ANN }));
    expect(await fates).toEqual([...times(30, 'fine'), ...times(4, 'overloaded/no')]);
    expect(executions(ledger, `held:${kind}`)).toBe(30);
    expect(await tried(one(1), 'u', 'held', {}, { key: ANN })).toBe('fine');
  });

  it('have consents together, each for one call', async () => {
    const args = { key: `race:${kind}`, script: slow(1500) };
    const { message } = await use(one(0), 'u', 'pay', args, { key: ANN });
    expect(fate(message)).toBe('approval_required/no');
    const said = await mayday(one(1).folder, 'approvals', 'approve', faultOf(message)['details'].approval_id);
    expect([said.code, said.all]).toEqual([0, said.all]);
    const fates = await together(6, (index) => tried(one(index), 'u', 'pay', args, { key: ANN }));
    expect(fates).toEqual([...times(5, 'conflict/no'), 'fine']);
    expect(executions(ledger, `race:${kind}`)).toBe(1);
    expect(await tried(one(1), 'u', 'pay', args, { key: ANN })).toBe('approval_required/no');
  });

  it('do not use a consent again that died with another', async () => {
    const victim = await startGateway(settings({ store, access: { rules: RULES } }));
    const args = { key: `died:${kind}`, script: [{ hang: true }] };
    const { message } = await use(victim, 'u', 'pay', args, { key: BOB });
    await mayday(victim.folder, 'approvals', 'approve', faultOf(message)['details'].approval_id);
    use(victim, 'u', 'pay', args, { key: BOB }).catch(() => undefined);
    await expect.poll(() => executions(ledger, `died:${kind}`), { timeout: 10_000 }).toBe(1);
    await victim.stop('SIGKILL');
    const fates = await together(3, (index) => tried(one(index), 'u', 'pay', args, { key: BOB }));
    expect(fates.filter((each) => each !== 'conflict/no' && each !== 'approval_required/no')).toEqual([]);
    expect(executions(ledger, `died:${kind}`)).toBe(1);
  });

  it('keep what was counted, asked and granted when they end', async () => {
    const rows = [
      await tried(one(0), 'u', 'kept', {}, { key: ANN }),
      await tried(one(1), 'u', 'kept', {}, { key: ANN }),
    ];
    expect(rows).toEqual(['fine', 'fine']);
    const asked = await use(one(0), 'u', 'pay', { key: `kept:${kind}` }, { key: ANN });
    const granted = await use(one(1), 'u', 'pay', { key: `granted:${kind}` }, { key: ANN });
    await mayday(one(1).folder, 'approvals', 'approve', faultOf(granted.message)['details'].approval_id);
    await both[0]?.stop('SIGTERM');
    await both[1]?.stop('SIGKILL');
    both = [await startGateway(settings({ store, access: { rules: RULES } }))];
    const waiting = await mayday(one().folder, 'approvals');
    const id: string = faultOf(asked.message)['details'].approval_id;
    expect(waiting.out).toContain(id);
    await mayday(one().folder, 'approvals', 'approve', id);
    const fates = [
      await tried(one(), 'u', 'pay', { key: `kept:${kind}` }, { key: ANN }),
      await tried(one(), 'u', 'pay', { key: `granted:${kind}` }, { key: ANN }),
      await tried(one(), 'u', 'pay', { key: `granted:${kind}` }, { key: ANN }),
      await tried(one(), 'u', 'kept', {}, { key: ANN }),
      await tried(one(), 'u', 'kept', {}, { key: ANN }),
    ];
    expect(fates).toEqual(['fine', 'fine', 'approval_required/no', 'fine', 'rate_limited/no']);
  });
});

describe('two gateways without a store', () => {
  it('count each for itself', async () => {
    const both = [await startGateway(settings({})), await startGateway(settings({}))];
    const fates = await Promise.all(
      both.map((gateway) => together(4, () => tried(gateway, 'u', 'kept', {}, { key: ANN }))),
    );
    await Promise.all(both.map((gateway) => gateway.stop('SIGKILL')));
    const each = [...times(3, 'fine'), 'rate_limited/no'];
    expect(fates).toEqual([each, each]);
  });
});

describe.skipIf(!hasRedis)('while the store is down', () => {
  it('on_down decides for what is counted; consent is refused either way', async () => {
    const own = await startRedis();
    const limits = { rates: [{ calls: 100, per_ms: HOUR, by: ['caller'], tools: ['*/window'] }] };
    const start = (on_down: string): Promise<Gateway> =>
      startGateway(settings({ store: { url: own.url, on_down }, limits, access: { rules: RULES } }));
    const [closed, open] = [await start('closed'), await start('open')];
    const all = (gateway: Gateway): Promise<string[]> =>
      Promise.all(
        ['window', 'echo', 'pay'].map((tool) =>
          tried(gateway, 'u', tool, { key: 'down' }, { key: ANN, within: 15_000 }),
        ),
      );
    expect(await all(closed)).toEqual(['fine', 'fine', 'approval_required/no']);
    const reached = executions(ledger, 'down');
    own.signal('SIGKILL');
    const [shut, through] = await Promise.all([all(closed), all(open)]);
    expect(shut.slice(0, 2)).toEqual(['unavailable/no', 'fine']);
    expect(through.slice(0, 2)).toEqual(['fine', 'fine']);
    expect([shut[2], through[2]]).toEqual(['unavailable/no', 'unavailable/no']);
    expect(executions(ledger, 'down')).toBe(reached + 3);
    await own.restart();
    await expect
      .poll(() => all(closed), { timeout: 10_000, interval: 200 })
      .toEqual(['fine', 'fine', 'approval_required/no']);
    await Promise.all([closed.stop('SIGKILL'), open.stop('SIGKILL')]);
    await own.stop();
  });
});
