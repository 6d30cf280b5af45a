/** Keys that are made, exchanged and revoked while the gateway runs. */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@mayday/store';
import { afterEach, describe, expect, it } from 'vitest';
import { hasRedis, startRedis } from '../../../store/test/redis-server.ts';
import { openIssuedKeys } from '../../src/identity/issued-keys.ts';
import type { SettingsFile } from '../../src/index.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  later,
  open,
  type Posted,
  post,
  STDIO_SERVER,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const folder = mkdtempSync(join(tmpdir(), 'mayday-keys-'));
let files = 0;

async function storeAt(url: string): Promise<Store> {
  const store = await openStore(url);
  later(() => store.close());
  return store;
}

async function newFile(): Promise<{ readonly url: string; readonly store: Store }> {
  const url = join(folder, `${++files}.db`);
  return { url, store: await storeAt(url) };
}

async function newRedis(): Promise<{ readonly url: string; readonly store: Store }> {
  const redis = await startRedis();
  later(() => redis.stop());
  return { url: redis.url, store: await storeAt(redis.url) };
}

const as = (key: string): { readonly authorization: string } => ({ authorization: `Bearer ${key}` });
const UPSTREAMS: SettingsFile['upstreams'] = { a: STDIO_SERVER, b: STDIO_SERVER };
const ECHO = callTool('echo', { say: 'x' });

describe.each([['a file', newFile], ...(hasRedis ? [['Redis', newRedis] as const] : [])] as const)(
  'keys in %s',
  (_engine, newStore) => {
    it('are good at once, and are over within two seconds when they are revoked', async () => {
      const { url, store } = await newStore();
      const { url: gateway } = await open({ store: url, upstreams: UPSTREAMS });
      expect((await post(`${gateway}/a/mcp`, ECHO)).status).toBe(200);
      const { key, record } = await store.keys.create({ principal: 'ann' });
      expect((await post(`${gateway}/a/mcp`, ECHO, as(key))).status).toBe(200);
      expect((await post(`${gateway}/a/mcp`, ECHO)).status).toBe(401); // from the first key on
      await store.keys.revoke(record.id);
      const since = performance.now();
      await until(async () => (await post(`${gateway}/a/mcp`, ECHO, as(key))).status === 401);
      expect(performance.now() - since).toBeLessThan(2500);
      expect((await post(`${gateway}/a/mcp`, ECHO)).status).toBe(401); // nobody comes in without
    });

    it('are exchanged without downtime', async () => {
      const { url, store } = await newStore();
      const { url: gateway } = await open({ store: url, upstreams: UPSTREAMS });
      const { key, record } = await store.keys.create({ principal: 'ann' });
      const next = await store.keys.rotate(record.id, { overlapMs: 1500 });
      const status = async (secret: string): Promise<number> =>
        (await post(`${gateway}/a/mcp`, ECHO, as(secret))).status;
      expect([await status(key), await status(next?.key ?? '')]).toEqual([200, 200]);
      await until(async () => (await status(key)) === 401);
      expect(await status(next?.key ?? '')).toBe(200);
    });

    it('say what their caller may do', async () => {
      const { url, store } = await newStore();
      const { url: gateway } = await open({ store: url, upstreams: UPSTREAMS });
      const make = async (scopes: string[]): Promise<string> =>
        (await store.keys.create({ principal: `p${scopes.join()}`, scopes })).key;
      const [all, one, operator] = [
        await make([]),
        await make(['upstream:a']),
        await make(['role:operator']),
      ];
      const statuses = async (key: string): Promise<number[]> => {
        const status = await fetch(`${gateway}/-/status`, { headers: as(key) });
        const calls = ['a', 'b'].map(
          async (name) => (await post(`${gateway}/${name}/mcp`, ECHO, as(key))).status,
        );
        return [status.status, ...(await Promise.all(calls))];
      };
      expect(await statuses(all)).toEqual([403, 200, 200]);
      expect(await statuses(one)).toEqual([403, 200, 403]);
      expect(await statuses(operator)).toEqual([200, 200, 200]);
      const spoken = await make(['dialect:onx']);
      const failed = await post(`${gateway}/a/mcp`, callTool('nope'), as(spoken));
      expect(failed.text).not.toContain('dev.mayday/fault"');
    });

    it('have a tenant and scopes, which rules look at', async () => {
      const { url, store } = await newStore();
      const access = {
        rules: [
          { deny: ['b/*'], tenants: ['acme'] },
          { allow: ['a/*'], scopes: ['bank:pay'] },
        ],
      };
      const { url: gateway } = await open({ store: url, access, upstreams: UPSTREAMS });
      const make = async (principal: string, more: object): Promise<string> =>
        (await store.keys.create({ principal, ...more })).key;
      const refused = async (key: string): Promise<unknown[]> => [
        faultIn(await post(`${gateway}/a/mcp`, ECHO, as(key)))?.['kind'] === 'forbidden',
        faultIn(await post(`${gateway}/b/mcp`, ECHO, as(key)))?.['kind'] === 'forbidden',
      ];
      const scopes = ['role:caller', 'bank:pay'];
      expect(await refused(await make('ann', { tenant: 'acme', scopes }))).toEqual([false, true]);
      expect(await refused(await make('bob', {}))).toEqual([true, false]);
    });
  },
);

it.runIf(hasRedis)('are needed after Redis was emptied too, also at gateways that start then', async () => {
  const redis = await startRedis();
  later(() => redis.stop());
  const store = await storeAt(redis.url);
  await store.keys.create({ principal: 'ann' });
  const running = await open({ store: redis.url, upstreams: UPSTREAMS });
  await redis.tell('FLUSHALL');
  await until(async () => store.keys.wereMade(false));
  const fresh = await open({ store: redis.url, upstreams: UPSTREAMS });
  const nobody = await Promise.all([running, fresh].map(({ url }) => post(`${url}/a/mcp`, ECHO)));
  expect([nobody.map(({ status }) => status), await store.keys.list()]).toEqual([[401, 401], []]);
});

it.runIf(hasRedis)(
  'may be good again after Redis has gone back to older data, and the log says so, once',
  async () => {
    const redis = await startRedis();
    later(() => redis.stop());
    const { logs } = await open({ store: redis.url, upstreams: UPSTREAMS });
    const counted = async (): Promise<number> => Number(/\d+\s*$/.exec(await redis.tell('GET', COUNT))?.[0]);
    await until(async () => (await counted()) > 2);
    await redis.tell('SET', COUNT, '1');
    const told = (): readonly string[] => logs.filter((line) => line.includes('lost what was written last'));
    await until(() => told().length > 0);
    await until(async () => (await counted()) > 4);
    expect(told()).toEqual([expect.stringMatching(/^store: Redis has lost .*keys that were revoked/)]);
  },
  20_000,
);

/** What every look at Redis adds to. */
const COUNT = 'mayday:{health}:count';

it('a worker that knows of no key in the store hears of them from others', async () => {
  const { store } = await newFile();
  const told: unknown[] = [];
  let isKnown = false;
  const others = {
    tell: (fact: unknown) => void told.push(fact),
    knowsOfKeys: () => isKnown,
    onKeysChanged: () => {},
  };
  const desk = await openIssuedKeys(store.keys, others);
  expect([desk.exist, told]).toEqual([false, []]);
  isKnown = true;
  expect([desk.exist, await desk.recheck([]), await desk.recheck([])]).toEqual([true, true, false]);
  expect([told, await store.keys.wereMade(false)]).toEqual([[{ keys: 'made' }], true]);
});

it('a key that another worker has changed is looked up anew, also where it is being looked up', async () => {
  const { store } = await newFile();
  const { key, record } = await store.keys.create({ principal: 'ann' });
  const heard: (() => void)[] = [];
  const told: unknown[] = [];
  const others = {
    tell: (fact: unknown) => void told.push(fact),
    knowsOfKeys: () => true,
    onKeysChanged: (listener: () => void) => void heard.push(listener),
  };
  let hold: Promise<void> = Promise.resolve();
  const slow: Store['keys'] = Object.assign(Object.create(store.keys), {
    async lookup(digest: string) {
      const found = await store.keys.lookup(digest);
      await hold;
      return found;
    },
  });
  const desk = await openIssuedKeys(slow, others);
  const digest = createHash('sha256').update(key).digest('hex');
  expect(await desk.find(key, digest)).toMatchObject({ name: 'ann' });
  let letGo = (): void => {};
  hold = new Promise((resolve) => {
    letGo = resolve;
  });
  heard[0]?.();
  const before = desk.find(key, digest);
  await store.keys.revoke(record.id);
  heard[0]?.();
  const after = desk.find(key, digest);
  letGo();
  expect([(await before)?.name, await after]).toEqual(['ann', undefined]);
  expect(await desk.find(key, digest)).toBeUndefined();
  desk.changed();
  expect(told).toContainEqual({ keys: 'changed' });
});

it('a stream ends with its key', async () => {
  const { url, store } = await newFile();
  const { url: gateway } = await open({ store: url, upstreams: UPSTREAMS });
  const { key, record } = await store.keys.create({ principal: 'ann' });
  const opened = await post(`${gateway}/a/mcp`, INITIALIZE, as(key));
  const session = { ...as(key), 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const stream = await fetch(`${gateway}/a/mcp`, { headers: { ...session, accept: 'text/event-stream' } });
  expect(stream.status).toBe(200);
  await store.keys.revoke(record.id);
  const since = performance.now();
  await expect(stream.text()).rejects.toThrow();
  expect(performance.now() - since).toBeLessThan(3000);
  const { key: other } = await store.keys.create({ principal: 'ann' });
  expect((await post(`${gateway}/a/mcp`, call('tools/list'), { ...session, ...as(other) })).status).toBe(404);
});

it.each([
  'subscriptions/listen',
  'subscriptions\\/listen',
  'subscriptions\\u002flisten',
  '\\u0073ubscriptions/listen',
])('so does a subscription, however its method is written: %s', async (method) => {
  const { url: server } = await upstream((_body, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      'data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}}\n\n',
    );
  });
  const { url, store } = await newFile();
  const { url: gateway } = await open({ store: url, upstreams: { u: { url: server } } });
  const { key, record } = await store.keys.create({ principal: 'ann' });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const stream = await fetch(`${gateway}/u/mcp`, {
    method: 'POST',
    headers: {
      ...as(key),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"_meta":${JSON.stringify(meta)},"notifications":{"toolsListChanged":true}}}`,
  });
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await store.keys.revoke(record.id);
  await expect(stream.text()).rejects.toThrow();
});

it('a stream of nobody in particular ends with the first key', async () => {
  const { url, store } = await newFile();
  const { url: gateway } = await open({ store: url, upstreams: UPSTREAMS });
  const opened = await post(`${gateway}/a/mcp`, INITIALIZE);
  const session = {
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    accept: 'text/event-stream',
  };
  const stream = await fetch(`${gateway}/a/mcp`, { headers: session });
  expect(stream.status).toBe(200);
  await store.keys.create({ principal: 'ann' });
  await expect(stream.text()).rejects.toThrow();
});

it('bad keys are told the same, whatever is bad about them', async () => {
  const { url, store } = await newFile();
  const { url: gateway } = await open({ store: url, upstreams: UPSTREAMS });
  const { key } = await store.keys.create({ principal: 'ann' });
  const revoked = await store.keys.create({ principal: 'bob' });
  await store.keys.revoke(revoked.record.id);
  const expired = await store.keys.create({ principal: 'eve', ttlMs: 1 });
  const wrong = `${key.slice(0, -2)}${key.endsWith('AA') ? 'BB' : 'AA'}`;
  expect((await post(`${gateway}/a/mcp`, ECHO, as(wrong))).status).toBe(401); // the first that comes
  const bad = [wrong, revoked.key, expired.key, 'mdy_nothing', 'something-else-entirely'];
  const said = async (secret: string): Promise<unknown> => {
    const { status, text, headers } = await post(`${gateway}/a/mcp`, ECHO, as(secret));
    const kept = [...headers].filter(([name]) => name !== 'date');
    return [status, text.replace(/[0-9a-f-]{36}/g, 'id'), kept];
  };
  const told = await Promise.all(bad.map(said));
  expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
  expect((told[0] as unknown[])[0]).toBe(401);
});

it('a key never reaches a server, not even before the gateway has seen the first one', async () => {
  const { url: server, seen } = await upstream((body, response) => {
    const { id } = JSON.parse(body || '{}');
    json(response, 200, { jsonrpc: '2.0', id, result: { content: [] } });
  });
  const { url, store } = await newFile();
  const { url: gateway } = await open({ store: url, upstreams: { u: { url: server } } });
  expect((await post(`${gateway}/u/mcp`, ECHO, as('for-the-server'))).status).toBe(200);
  const { key } = await store.keys.create({ principal: 'ann' });
  expect((await post(`${gateway}/u/mcp`, ECHO, as(key))).status).toBe(200);
  expect((await post(`${gateway}/u/mcp`, ECHO, as('for-the-server'))).status).toBe(401);
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer for-the-server', undefined]);
});

it('a key of another store is refused where nobody needs one, and that nobody does is told', async () => {
  const { url: server, seen } = await upstream((body, response) => {
    const { id } = JSON.parse(body || '{}');
    json(response, 200, { jsonrpc: '2.0', id, result: { content: [] } });
  });
  const { key } = await (await newFile()).store.keys.create({ principal: 'ann' });
  const { url } = await newFile();
  const gateway = await open({ store: url, upstreams: { u: { url: server } } });
  expect(gateway.logs.join('\n')).toContain(
    'store: no key was ever made in it; whoever reaches this address can call every upstream',
  );
  expect((await post(`${gateway.url}/u/mcp`, ECHO, as(key))).status).toBe(401);
  expect((await fetch(`${gateway.url}/-/status`, { headers: as(key) })).status).toBe(401);
  expect((await post(`${gateway.url}/u/mcp`, ECHO)).status).toBe(200);
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

it('is told how to let somebody in: without a store there is nowhere to make a key', async () => {
  const access = { without_key: 'refuse' } as const;
  const told = async (settings: object): Promise<string | undefined> =>
    (await open({ access, upstreams: UPSTREAMS, ...settings })).logs.find((line) => line.includes('come in'));
  const why = 'warning: nobody can come in: `access.without_key` is `refuse`, and there is no key; ';
  expect([await told({}), await told({ store: (await newFile()).url })]).toEqual([
    `${why}write one under \`keys\`, or add a \`store\` and make one with \`mayday keys create\``,
    `${why}make one with \`mayday keys create\`, or write one under \`keys\``,
  ]);
});

it('nobody comes in without one on an empty store, where the settings say so', async () => {
  const { url, store } = await newFile();
  const access = { without_key: 'refuse' } as const;
  const gateway = await open({ store: url, access, upstreams: UPSTREAMS });
  expect(gateway.logs.join('\n')).toContain('warning: nobody can come in');
  expect((await post(`${gateway.url}/a/mcp`, ECHO)).status).toBe(401);
  expect((await fetch(`${gateway.url}/-/status`)).status).toBe(401);
  expect((await fetch(`${gateway.url}/-/health`)).status).toBe(200);
  const { key } = await store.keys.create({ principal: 'ann' });
  expect((await post(`${gateway.url}/a/mcp`, ECHO, as(key))).status).toBe(200);
  expect((await post(`${gateway.url}/a/mcp`, ECHO, as('mdy_of-another-store'))).status).toBe(401);
});

it('keys of the file are good beside them, and the same name is the same caller', async () => {
  const { url, store } = await newFile();
  const keys = [{ name: 'ann', key: 'key-of-ann' }];
  const { url: gateway } = await open({ store: url, keys, upstreams: UPSTREAMS });
  const { key } = await store.keys.create({ principal: 'bob' });
  const status = async (secret: string): Promise<number> =>
    (await post(`${gateway}/a/mcp`, ECHO, as(secret))).status;
  expect([await status('key-of-ann'), await status(key), await status('nobodys-key')]).toEqual([
    200, 200, 401,
  ]);
});

it.skipIf(!hasRedis)('while the store is down, only keys of the file are good', async () => {
  const redis = await startRedis();
  later(() => redis.stop());
  const store = await storeAt(redis.url);
  const keys = [{ name: 'ops', key: 'key-of-ops', role: 'operator' as const }];
  const gateway = await open({ store: redis.url, keys, upstreams: UPSTREAMS });
  const { key } = await store.keys.create({ principal: 'ann' });
  const ask = (secret: string): Promise<Posted> => post(`${gateway.url}/a/mcp`, ECHO, as(secret));
  expect((await ask(key)).status).toBe(200);
  redis.signal('SIGKILL');
  await until(async () => (await ask(key)).status === 503);
  const [good, bad] = [await ask(key), await ask('nobodys-key')];
  expect([good.status, bad.status, faultIn(good)?.['kind']]).toEqual([503, 503, 'unavailable']);
  expect((await ask('key-of-ops')).status).toBe(200);
  expect(gateway.logs.join('\n')).not.toContain('bug:');
  const told = (): readonly string[] => gateway.logs.filter((line) => line.startsWith('store: Redis'));
  await until(async () => told().length > 0);
  expect(new Set(told()).size).toBe(told().length); // once a minute, however many calls meet it
  await redis.restart();
  await until(async () => (await ask(key)).status === 200);
  await until(async () => gateway.logs.includes('store: it answers again'));
});
