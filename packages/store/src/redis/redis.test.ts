import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type KeyClaim, sha256 } from '@mayday/policy';
import { afterEach, describe, expect, it } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../test/redis-server.ts';
import { openStore, type StoreOptions } from '../open.ts';
import type { Store } from '../ports.ts';
import type { StoreError } from '../store-error.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function server(...args: string[]): Promise<RedisServer> {
  const started = await startRedis(...args);
  ends.push(() => started.stop());
  return started;
}

async function opened(options: StoreOptions): Promise<Store> {
  const store = await openStore({ timeoutMs: 1000, ...options });
  ends.push(() => store.close());
  return store;
}

async function problem(asked: () => unknown): Promise<string | undefined> {
  try {
    await asked();
    return undefined;
  } catch (thrown) {
    return (thrown as StoreError).problem;
  }
}

/** On a machine that is busy, Redis may be slow now and then. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20));
}

const wish = { key: 'a', limit: 1000, windowMs: 60_000, now: 0 };
const call = (key: string): KeyClaim => ({
  key,
  fingerprint: 'f',
  owner: 'ada',
  now: 0,
  leaseMs: 60_000,
  ttlMs: 60_000,
});
const isWell = async (store: Store): Promise<boolean> => (await store.health()).ok;

describe.skipIf(!hasRedis)('Redis in trouble', () => {
  it('was emptied while a call was under way: its end is kept for all, unless somebody else has begun', async () => {
    const redis = await server();
    const here = await opened({ url: redis.url });
    const there = await opened({ url: redis.url });
    await here.idempotency.claim(call('a'));
    await here.idempotency.claim(call('b'));
    await redis.tell('FLUSHALL');
    await here.idempotency.finish({ key: 'a', answer: 'paid', now: 0 });
    await there.idempotency.claim(call('b'));
    await here.idempotency.finish({ key: 'b', answer: 'paid', now: 0 });
    expect(await there.idempotency.claim(call('a'))).toEqual({
      state: 'done',
      fingerprint: 'f',
      answer: 'paid',
    });
    expect(await here.idempotency.claim(call('b'))).toEqual({ state: 'running', fingerprint: 'f' });
  });

  it('is down: refuses, or lets limits through as it is set; comes back by itself with everything', async () => {
    const redis = await server();
    const closed = await opened({ url: redis.url });
    const open = await opened({ url: redis.url, onDown: 'open' });
    const { key } = await closed.keys.create({ principal: 'ada' });
    const row = await closed.audit.append({ actor: 'ada', action: 'x' });
    await closed.idempotency.claim(call('a'));
    await closed.idempotency.finish({ key: 'a', answer: 'kept', now: 0 });
    redis.signal('SIGKILL');
    await until(async () => !(await isWell(closed)) && !(await isWell(open)));
    expect(await problem(() => closed.rates.take(wish))).toBe('down');
    expect(await problem(() => closed.places.acquire({ key: 'a', limit: 1, queue: 0 }))).toBe('down');
    expect(await problem(() => closed.rates.takeAll([wish]))).toBe('down');
    expect(await problem(() => closed.places.acquireAll([{ key: 'a', limit: 1 }]))).toBe('down');
    expect(await open.rates.take(wish)).toBe(0);
    expect(await open.rates.takeAll([wish])).toEqual([]);
    expect(await open.places.acquireAll([{ key: 'a', limit: 1 }])).toBeDefined();
    const place = await open.places.acquire({ key: 'a', limit: 1, queue: 0 });
    expect(place).toBeDefined();
    await place?.release();
    expect(await problem(() => open.idempotency.claim(call('a')))).toBe('down');
    expect(await problem(() => open.approvals.waiting())).toBe('down');
    expect(await problem(() => open.keys.list())).toBe('down');
    await redis.restart();
    await until(async () => (await isWell(closed)) && (await isWell(open)));
    expect(await closed.idempotency.claim(call('a'))).toMatchObject({ state: 'done', answer: 'kept' });
    expect(await closed.keys.list()).toMatchObject([{ principal: 'ada', id: key.slice(4, 16) }]);
    expect(await closed.audit.verify(row)).toMatchObject({ ok: true, rows: 1 });
    expect(await closed.rates.take(wish)).toBe(0);
  });

  it('stalls: nobody waits longer than said, and what was claimed unseen is given back', async () => {
    const redis = await server();
    const store = await opened({ url: redis.url });
    const request = { fingerprint: 'f', caller: 'ada', upstream: 'bank', target: 'pay', arguments: {} };
    const asked = { ...request, now: 0, ttlMs: 60_000 };
    const { id } = (await store.approvals.claim(asked)) as { id: string };
    await store.approvals.approve(id);
    redis.signal('SIGSTOP');
    const began = performance.now();
    const refused = await Promise.all([
      problem(() => store.idempotency.claim(call('a'))),
      problem(() => store.approvals.claim(asked)),
      problem(() => store.places.acquire({ key: 'p', limit: 1, queue: 0 })),
    ]);
    expect(refused).toEqual(['slow', 'slow', 'slow']);
    expect(await problem(() => store.rates.take(wish))).toBe('slow');
    expect(performance.now() - began).toBeLessThan(2500);
    redis.signal('SIGCONT');
    await until(() => isWell(store));
    await until(async () => (await store.approvals.claim(asked)).state === 'claimed');
    await until(async () => (await store.idempotency.claim(call('a'))).state === 'claimed');
    await until(async () => (await store.places.acquire({ key: 'p', limit: 1, queue: 0 })) !== undefined);
  });

  it('tells that it was emptied', async () => {
    const redis = await server();
    const [store, other] = [await opened({ url: redis.url }), await opened({ url: redis.url })];
    expect(await store.health()).toEqual({ ok: true, warnings: [] });
    expect(await other.health()).toEqual({ ok: true, warnings: [] });
    await redis.tell('FLUSHALL');
    const emptied = {
      ok: true,
      warnings: [expect.stringContaining('emptied or replaced while it was in use')],
    };
    expect([await store.health(), await other.health(), await store.health()]).toEqual([
      emptied,
      emptied,
      emptied,
    ]);
    expect(await (await opened({ url: redis.url })).health()).toEqual({ ok: true, warnings: [] });
  });

  it('tells that it has gone back to what it was', async () => {
    const redis = await server();
    const [store, other] = [await opened({ url: redis.url }), await opened({ url: redis.url })];
    for (const one of [store, other, store]) expect((await one.health()).warnings).toEqual([]);
    await redis.tell('SET', 'mayday:{health}:count', '1');
    const back = { ok: true, warnings: [expect.stringContaining('lost what was written last')] };
    expect([await store.health(), await store.health()]).toEqual([back, back]);
    expect((await (await opened({ url: redis.url })).health()).warnings).toEqual([]);
  });

  it('finds audit rows that were cut off, added to, or all removed', async () => {
    const redis = await server();
    const store = await opened({ url: redis.url });
    for (const target of ['1', '2', '3']) await store.audit.append({ actor: 'ada', action: 'pay', target });
    expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 3 });
    await redis.tell('RPOP', 'mayday:{audit}');
    expect(await store.audit.verify()).toEqual({ ok: false, brokenAt: 3 });
    const [first] = await store.audit.list();
    const more = JSON.stringify({ ...first, approved_by: 'eve' });
    await redis.tell('LSET', 'mayday:{audit}', '0', more);
    expect(await store.audit.verify()).toEqual({ ok: false, brokenAt: 1 });
    await redis.tell('DEL', 'mayday:{audit}');
    expect(await store.audit.verify()).toEqual({ ok: false, brokenAt: 1 });
  });

  it('journals once what it was too slow to confirm', async () => {
    const redis = await server();
    const store = await opened({ url: redis.url });
    const fault = { fingerprint: 'f', kind: 'timeout', origin: 'upstream', message: 'It broke' };
    const faults = Array.from({ length: 250 }, () => fault);
    await store.faults.append([fault], 'before'); // the script is known
    redis.signal('SIGSTOP');
    expect(await problem(() => store.faults.append(faults, 'one'))).toBe('slow');
    redis.signal('SIGCONT');
    await until(() => isWell(store));
    await store.faults.append(faults, 'one');
    await store.faults.append([fault], 'two');
    expect(await store.faults.groups()).toMatchObject([{ count: 252 }]);
    expect(await store.faults.list({ limit: 1000 })).toHaveLength(252);
  });

  it('is full: says so, forgets nothing, and goes on when there is room', async () => {
    const redis = await server();
    const store = await opened({ url: redis.url });
    const open = await opened({ url: redis.url, onDown: 'open' });
    const answer = 'x'.repeat(65_536);
    await store.idempotency.claim(call('a'));
    await store.idempotency.finish({ key: 'a', answer, now: 0 });
    await store.idempotency.claim(call('b'));
    const { key, record } = await store.keys.create({ principal: 'eve' });
    await redis.tell('CONFIG', 'SET', 'maxmemory', '100kb');
    expect(await store.keys.revoke(record.id)).toBe(true);
    expect(await store.keys.lookup(sha256(key))).toBeUndefined();
    expect(await problem(() => store.rates.take(wish))).toBe('full');
    expect(await problem(() => store.rates.take({ ...wish, algorithm: 'bucket' }))).toBe('full');
    expect(await problem(() => store.idempotency.claim(call('c')))).toBe('full');
    expect(await problem(() => store.idempotency.finish({ key: 'b', answer, now: 0 }))).toBe('full');
    expect(await problem(() => store.audit.append({ actor: 'ada', action: 'x' }))).toBe('full');
    expect(await problem(() => store.keys.create({ principal: 'ada' }))).toBe('full');
    expect(await problem(() => store.places.acquire({ key: 'a', limit: 1, queue: 0 }))).toBe('full');
    const asked = {
      fingerprint: 'f',
      caller: 'ada',
      upstream: '',
      target: '',
      arguments: {},
      now: 0,
      ttlMs: 1000,
    };
    expect(await problem(() => store.approvals.claim(asked))).toBe('full');
    expect(await open.rates.take(wish)).toBe(0);
    expect((await store.health()).problem).toContain('no room left');
    expect(await store.idempotency.claim(call('a'))).toMatchObject({ state: 'done', answer });
    await redis.tell('CONFIG', 'SET', 'maxmemory', '0');
    await store.idempotency.finish({ key: 'b', answer: 'late', now: 0 });
    expect(await store.idempotency.claim(call('b'))).toMatchObject({ state: 'done', answer: 'late' });
    expect(await store.idempotency.claim(call('c'))).toEqual({ state: 'claimed' });
    expect(await store.rates.take(wish)).toBe(0);
    expect(await store.keys.list()).toMatchObject([{ id: record.id, revoked: true }]);
  });

  it.each([
    [['--appendonly', 'no'], 'append-only file'],
    [['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'], 'allkeys-lru'],
    [['--maxmemory', '50mb', '--maxmemory-policy', 'volatile-ttl'], 'volatile-ttl'],
  ])(
    'may lose what it was given (%j): is refused, unless that is known, and warned of',
    async (args, why) => {
      const redis = await server(...args);
      const thrown = await openStore(redis.url).catch((cause: unknown) => cause as Error);
      expect(thrown).toMatchObject({ name: 'StoreError', problem: 'unsupported' });
      expect(String(thrown)).toContain(why);
      expect(String(thrown)).toContain('`?volatile=1`');
      const known = [{ url: redis.url, volatile: true }, { url: `${redis.url}/0?volatile=1` }];
      for (const options of known) {
        const { ok, warnings } = await (await opened(options)).health();
        expect([ok, warnings.length]).toEqual([true, 1]);
        expect(warnings[0]).toContain(why);
      }
    },
  );

  it('does not tell how it keeps what it is given: is refused, unless that is known', async () => {
    const redis = await server();
    await redis.tell('ACL', 'SETUSER', 'ada', 'on', '>pw', '~*', '+@all', '-info', '-config');
    const url = `redis://ada:pw@127.0.0.1:${redis.port}`;
    expect(String(await openStore(url).catch((cause: unknown) => cause))).toContain(
      'give the user the right to INFO',
    );
    expect((await (await opened({ url, volatile: true })).health()).warnings).toHaveLength(1);
  });

  it('lets nobody run scripts: is not well', async () => {
    const redis = await server();
    const store = await opened({ url: redis.url });
    await redis.tell('ACL', 'SETUSER', 'default', '-@scripting');
    expect(await problem(() => store.rates.take(wish))).toBe('refused');
    expect((await store.health()).ok).toBe(false);
  });

  it.each([
    ['HTTP/1.1 502 Bad Gateway\r\n\r\n', 'lying'],
    ['!!@@##nonsense\r\n', 'slow'],
    ['*1\r\n', 'slow'],
    ['$5\r\nab', 'slow'],
    ['+OK', 'slow'],
    ['+OK\r\n', 'lying'],
    [':1\r\n:1\r\n', 'lying'],
  ])(
    'has one answer replaced by %j: is trusted again on a connection of its own, and only then',
    async (bytes, told) => {
      const redis = await server();
      const { url, replace, made } = await between(redis.port);
      const store = await opened({ url, timeoutMs: 500 });
      const { key, record } = await store.keys.create({ principal: 'ada' });
      expect(await store.idempotency.claim(call('before'))).toEqual({ state: 'claimed' });
      replace(bytes);
      expect(await problem(() => store.idempotency.claim(call('a')))).toBe(told);
      const began = performance.now();
      await until(() => isWell(store));
      expect(performance.now() - began).toBeLessThan(5000);
      expect(made()).toBeGreaterThan(1);
      expect(await store.keys.list()).toEqual([record]);
      expect(await store.keys.lookup(sha256(key))).toMatchObject({ principal: 'ada' });
      expect(await store.idempotency.claim(call('before'))).toMatchObject({ state: 'running' });
    },
  );

  it('finds a mistake in one question: goes on with the others, on the same connection', async () => {
    const redis = await server();
    const { url, made } = await between(redis.port);
    const store = await opened({ url });
    await redis.tell('SET', 'mayday:{audit}', 'not ours');
    const before = made();
    for (const name of ['a', 'b', 'c']) {
      expect(await problem(() => store.audit.list())).toBe('lying');
      expect(await store.idempotency.claim(call(name))).toEqual({ state: 'claimed' });
    }
    expect(made()).toBe(before);
  });

  it('has no such database: says so', async () => {
    const redis = await server();
    const thrown = await openStore(`${redis.url}/99`).catch((cause: unknown) => cause);
    expect(thrown).toMatchObject({ problem: 'refused' });
    expect(String(thrown)).toContain('no such database');
  });

  it('is a replica: says that it cannot be written', async () => {
    const primary = await server();
    const replica = await server('--replicaof', '127.0.0.1', String(primary.port));
    const store = await opened({ url: replica.url });
    await until(async () => (await problem(() => store.rates.take(wish))) === 'read_only');
    expect((await store.health()).problem).toContain('give the URL of the primary');
  });

  it('wants a password: takes the right one, refuses without showing it', async () => {
    const redis = await server('--requirepass', 'hunter2secret');
    const at = (login: string): string => `valkey://${login}127.0.0.1:${redis.port}`;
    expect((await (await opened({ url: at(':hunter2secret@') })).health()).ok).toBe(true);
    for (const url of [at(''), at(':wrong-password@')]) {
      const thrown = await openStore(url).catch((cause: unknown) => cause);
      expect(thrown).toMatchObject({ problem: 'refused' });
      expect(String(thrown)).not.toContain('password@');
    }
    const bare = await server();
    const thrown = await openStore(bare.url.replace('//', '//:hunter2secret@')).catch((cause) => cause);
    expect([thrown.problem, thrown.message]).toEqual([
      'refused',
      'Redis has no password, and its URL has one; leave it out, or check which Redis this is',
    ]);
  });

  it('lets every key end that has an end', async () => {
    const redis = await server();
    const store = await opened({ url: redis.url });
    await store.rates.take(wish);
    await store.rates.take({ ...wish, algorithm: 'bucket' });
    await store.places.acquire({ key: 'a', limit: 1, queue: 0 });
    await store.idempotency.claim(call('a'));
    await store.idempotency.finish({ key: 'a', answer: 'x', now: 0 });
    await store.sessions.open({ id: 's', owner: 'ada', node: 'n', ttlMs: 60_000 });
    const asked = {
      fingerprint: 'f',
      caller: 'ada',
      upstream: '',
      target: '',
      arguments: {},
      now: 0,
      ttlMs: 9000,
    };
    const { id } = (await store.approvals.claim(asked)) as { id: string };
    await store.approvals.approve(id);
    await store.approvals.claim(asked);
    await store.faults.append([{ fingerprint: 'f', kind: 'timeout', origin: 'caller', message: '' }]);
    const script = `local r = {} for _, k in ipairs(redis.call('KEYS', '*')) do
      if redis.call('PTTL', k) < 0 then table.insert(r, k) end end return table.concat(r, ' ')`;
    expect(await redis.tell('EVAL', script, '0')).toBe('$0\r\n\r\n');
  });
});

/** Stands between a store and its Redis, and replaces one answer when it is told to. */
async function between(port: number) {
  let [bytes, made]: [string | undefined, number] = [undefined, 0];
  const sockets = new Set<Socket>();
  const listening = createServer((near) => {
    made += 1;
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      near.write(bytes ?? data);
      bytes = undefined;
    });
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  return {
    url: `redis://127.0.0.1:${(listening.address() as { port: number }).port}`,
    replace: (said: string) => {
      bytes = said;
    },
    made: () => made,
  };
}

/** Something that is no Redis, and says this to everything. */
async function liar(said: (asked: string) => string): Promise<string> {
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => socket.write(said(String(data))));
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  return `redis://127.0.0.1:${(listening.address() as { port: number }).port}`;
}

/** What one says of itself that keeps everything. */
const INFO = 'redis_version:7.0.0\r\naof_enabled:1\r\nmaxmemory:0\r\n';

describe('what is no Redis', () => {
  it.each([
    ['+OK\r\n'],
    ['*1\r\n$5\r\nhello\r\n'],
    ['$-1\r\n'],
    [':-7\r\n'],
    ['$4\r\n"no"\r\n'],
    ['-ERR unknown command, with args beginning with: hunter2secret\r\n'],
  ])('is told from one when it says %j', async (said) => {
    const store = await opened({
      url: await liar((asked) =>
        asked.includes('PING')
          ? '+PONG\r\n'
          : asked.includes('INFO')
            ? `$${INFO.length}\r\n${INFO}\r\n`
            : said,
      ),
    });
    const asked = { fingerprint: 'f', caller: 'ada', upstream: '', target: '', arguments: {} };
    const found = [
      await problem(() => store.rates.take(wish)),
      await problem(() => store.idempotency.claim(call('a'))),
      await problem(() => store.approvals.claim({ ...asked, now: 0, ttlMs: 1 })),
      await problem(() => store.places.acquire({ key: 'a', limit: 1, queue: 0 })),
      await problem(() => store.keys.create({ principal: 'ada' })),
    ];
    expect(found).toEqual(['lying', 'lying', 'lying', 'lying', 'lying']);
  });

  it('is refused at once when it does not even know how to begin', async () => {
    expect(await problem(async () => openStore(await liar(() => '+OK\r\n')))).toBe('lying');
    const web = await liar(() => 'HTTP/1.1 400 Bad Request\r\n\r\n');
    expect(await problem(() => openStore({ url: web, timeoutMs: 200 }))).toBe('lying');
    expect(await problem(async () => openStore({ url: await liar(() => ''), timeoutMs: 200 }))).toBe('slow');
  });

  it('is refused when it is not there, or says nothing', async () => {
    const nobody = await openStore('redis://ada:hunter2secret@127.0.0.1:1').catch((cause: unknown) => cause);
    expect(nobody).toMatchObject({ problem: 'down' });
    expect(String(nobody)).toBe(
      'StoreError: Redis cannot be reached (ECONNREFUSED); check that it runs, and its URL',
    );
    const bad = await openStore('redis://ada:hunter2secret@:x/').catch((cause: unknown) => cause);
    expect(String(bad)).toContain('cannot be read; it has the form');
    expect(JSON.stringify(bad) + String(bad) + (bad as Error).stack).not.toContain('hunter2secret');
    const odd = await openStore('redis://ada:hunter2secret%ZZ@localhost').catch((cause: unknown) => cause);
    expect(odd).toMatchObject({ name: 'StoreError', problem: 'unsupported' });
    const path = await openStore('redis://:hunter2secret@localhost/db/one').catch((cause: unknown) => cause);
    expect(String(path)).toContain('cannot be read');
  });
});
