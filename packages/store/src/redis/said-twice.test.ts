/** A Redis, or somebody before it, that says one reply twice: from then on every reply is that to the question before. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { KeyClaim } from '@mayday/policy';
import { afterEach, expect, it } from 'vitest';
import { hasRedis, startRedis } from '../../test/redis-server.ts';
import { openStore } from '../open.ts';
import type { Store } from '../ports.ts';
import type { StoreError } from '../store-error.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Whole commands of a client, as they came, and what is left. */
function commandsIn(bytes: string): { readonly commands: readonly string[]; readonly rest: string } {
  const commands: string[] = [];
  let from = 0;
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(bytes.slice(from));
    if (head === null) return { commands, rest: bytes.slice(from) };
    let at = from + head[0].length;
    for (let left = Number(head[1]); left > 0; left -= 1) {
      const part = /^\$(\d+)\r\n/.exec(bytes.slice(at));
      if (part === null) return { commands, rest: bytes.slice(from) };
      at += part[0].length + Number(part[1]) + 2;
    }
    if (at > bytes.length) return { commands, rest: bytes.slice(from) };
    commands.push(bytes.slice(from, at));
    from = at;
  }
}

/** Stands before Redis, passes one command on after the other, and says a reply twice where it is told to. */
async function repeating(port: number) {
  let isNext = false;
  const sockets = new Set<Socket>();
  const listening = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
    const waiting: string[] = [];
    let held = '';
    let asked: string | undefined;
    const goOn = (): void => {
      asked ??= waiting.shift();
      if (asked !== undefined) far.write(asked, 'latin1');
    };
    near.on('data', (data) => {
      const { commands, rest } = commandsIn(held + data.toString('latin1'));
      held = rest;
      const isFree = asked === undefined;
      waiting.push(...commands);
      if (isFree) goOn();
    });
    far.on('data', (data) => {
      const isTwice = isNext && asked?.includes('EVALSHA') === true;
      if (isTwice) isNext = false;
      near.write(isTwice ? Buffer.concat([data, data]) : data);
      asked = undefined;
      goOn();
    });
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  return {
    url: `redis://127.0.0.1:${(listening.address() as { port: number }).port}`,
    twice: () => {
      isNext = true;
    },
  };
}

const call = (key: string): KeyClaim => ({
  key,
  fingerprint: 'f',
  owner: 'ada',
  now: 0,
  leaseMs: 60_000,
  ttlMs: 60_000,
});

async function claimed(store: Store, key: string): Promise<unknown> {
  try {
    return await store.idempotency.claim(call(key));
  } catch (thrown) {
    return (thrown as StoreError).problem;
  }
}

async function opened() {
  const redis = await startRedis();
  ends.push(() => redis.stop());
  const between = await repeating(Number(new URL(redis.url).port));
  const there = await openStore({ url: redis.url, timeoutMs: 1000 });
  const here = await openStore({ url: between.url, timeoutMs: 1000 });
  ends.push(
    () => there.close(),
    () => here.close(),
  );
  expect(await claimed(here, 'first')).toMatchObject({ state: 'claimed' });
  await there.idempotency.claim(call('paid'));
  await there.idempotency.finish({ key: 'paid', answer: 'paid', now: 0 });
  const done = { state: 'done', fingerprint: 'f', answer: 'paid' };
  return { here, between, done };
}

/** As soon as it is listened to again. */
async function until(store: Store, key: string, state: string): Promise<void> {
  let found = await claimed(store, key);
  for (let tries = 0; tries < 200 && (found as { state?: string }).state !== state; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    found = await claimed(store, key);
  }
  expect(found).toMatchObject({ state });
}

it.skipIf(!hasRedis)(
  'gives nobody the reply to another question, and what was claimed unseen back',
  async () => {
    const { here, between, done } = await opened();
    between.twice();
    const keys = ['new', 'paid', 'next', 'paid', 'last'];
    const [first, ...others] = await Promise.all(keys.map((key) => claimed(here, key)));
    expect(first).toMatchObject({ state: 'claimed' });
    expect(others).toEqual(['lying', 'lying', 'lying', 'lying']);
    await until(here, 'later', 'claimed');
    expect(await claimed(here, 'paid')).toEqual(done);
    await until(here, 'last', 'claimed');
  },
);

it.skipIf(!hasRedis)('nor one that comes while nobody waits for any', async () => {
  const { here, between, done } = await opened();
  between.twice();
  expect(await claimed(here, 'new')).toMatchObject({ state: 'claimed' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await until(here, 'paid', 'done');
  expect(await claimed(here, 'paid')).toEqual(done);
});
