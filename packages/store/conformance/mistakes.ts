/** What callers get wrong: refused alike, by name, and nothing has happened. */

import type { Store } from '@mayday/store';
import { expect, it } from 'vitest';
import type { Open } from './subject.ts';

const rate = { key: 'a', limit: 3, windowMs: 1000, now: 0 };
const claim = { key: 'a', fingerprint: 'f', owner: 'ada', now: 0, leaseMs: 1000, ttlMs: 1000 };
const asked = {
  fingerprint: 'f',
  caller: 'ada',
  upstream: '',
  target: '',
  arguments: {},
  now: 0,
  ttlMs: 1000,
};
const session = { id: 's', owner: 'ada', node: 'n', ttlMs: 1000 };
const fault = { fingerprint: 'f', kind: 'timeout', origin: 'caller', message: '' };
const never = undefined as never;
const bad = (value: unknown): never => value as never;

const MISTAKES: readonly (readonly [name: string, ask: (store: Store) => unknown])[] = [
  ...[0, -1, 1e20, Number.NaN, Number.POSITIVE_INFINITY, '5', null].flatMap((value) => [
    ['windowMs', (store: Store) => store.rates.take({ ...rate, windowMs: bad(value) })] as const,
    ['leaseMs', (store: Store) => store.idempotency.claim({ ...claim, leaseMs: bad(value) })] as const,
    ['ttlMs', (store: Store) => store.idempotency.claim({ ...claim, ttlMs: bad(value) })] as const,
    ['ttlMs', (store: Store) => store.approvals.claim({ ...asked, ttlMs: bad(value) })] as const,
    ['ttlMs', (store: Store) => store.sessions.open({ ...session, ttlMs: bad(value) })] as const,
    ['ttlMs', (store: Store) => store.sessions.renew('s', bad(value))] as const,
  ]),
  ['ttlMs', (store) => store.keys.create({ principal: 'ada', ttlMs: 1e20 })],
  ['limit', (store) => store.rates.take({ ...rate, limit: 0.5 })],
  ['key', (store) => store.rates.take({ ...rate, key: never })],
  ['algorithm', (store) => store.rates.take({ ...rate, algorithm: bad('leaky') })],
  ['windowMs', (store) => store.rates.takeAll([rate, { ...rate, key: 'b', windowMs: 0 }])],
  ['key', (store) => store.rates.takeAll([rate, { ...rate, limit: 4 }])],
  ['limit', (store) => store.places.acquireAll([{ key: 'a', limit: 0 }])],
  [
    'key',
    (store) =>
      store.places.acquireAll([
        { key: 'a', limit: 1 },
        { key: never, limit: 1 },
      ]),
  ],
  [
    'key',
    (store) =>
      store.places.acquireAll([
        { key: 'a', limit: 1 },
        { key: 'a', limit: 2 },
      ]),
  ],
  ['limit', (store) => store.places.acquire({ key: 'a', limit: 0, queue: 0 })],
  ['queue', (store) => store.places.acquire({ key: 'a', limit: 1, queue: -1 })],
  ['owner', (store) => store.idempotency.claim({ ...claim, owner: bad(5) })],
  ['answer', (store) => store.idempotency.finish({ key: 'a', answer: bad({}), now: 0 })],
  ['principal', (store) => store.keys.create({ principal: bad(5) })],
  ['principal', (store) => store.keys.createOnly({ principal: bad(5) })],
  ['id', (store) => store.keys.create({ principal: 'ada', id: 'ada' })],
  ['scopes', (store) => store.keys.create({ principal: 'ada', scopes: bad('abc') })],
  ['overlapMs', (store) => store.keys.rotate('a', { overlapMs: 1e20 })],
  ['ttlMs', (store) => store.keys.rotate('a', { overlapMs: 0, ttlMs: 0 })],
  ['ttlMs', (store) => store.keys.rotate('a', { overlapMs: 0, ttlMs: 1e20 })],
  ['id', (store) => store.keys.revoke(never)],
  ['caller', (store) => store.credentials.set({ caller: never, upstream: 'x' }, 'y')],
  ['secret', (store) => store.credentials.set({ caller: 'ada', upstream: 'x' }, '')],
  ['upstream', (store) => store.credentials.find({ caller: 'ada', upstream: bad(1) })],
  ['owner', (store) => store.sessions.open({ ...session, owner: never })],
  ['message', (store) => store.faults.append([fault, { ...fault, message: never }])],
  ['fingerprint', (store) => store.faults.append([fault, bad(null)])],
  ['agoMs', (store) => store.faults.append([{ ...fault, agoMs: -1 }])],
  ['batch', (store) => store.faults.append([fault], bad(1))],
  ['from', (store) => store.faults.counts({ fingerprint: 'f', from: Number.NaN, to: 0 })],
  ['actor', (store) => store.audit.append({ actor: never, action: 'x' })],
  ['after', (store) => store.audit.list({ after: Number.NaN })],
  ['after', (store) => store.audit.list({ after: -1 })],
  ['seq', (store) => store.audit.verify({ seq: 0, hash: '0'.repeat(64) })],
  ['seq', (store) => store.audit.verify({ seq: Number.NaN, hash: '0'.repeat(64) })],
  ['hash', (store) => store.audit.verify({ seq: 1, hash: never })],
];

export function mistakeTests(open: Open): void {
  it('are refused by the name of what is wrong, and change nothing', async () => {
    const { store, end } = await open();
    for (const [name, ask] of MISTAKES) {
      const thrown = await (async () => ask(store))().catch((cause: unknown) => cause);
      expect([String(ask), String(thrown)]).toEqual([
        String(ask),
        expect.stringContaining(`TypeError: Expected \`${name}\` to be `),
      ]);
    }
    expect([await store.faults.list(), await store.faults.groups(), await store.keys.list()]).toEqual([
      [],
      [],
      [],
    ]);
    expect([await store.approvals.waiting(), await store.sessions.find('s')]).toEqual([[], undefined]);
    expect(await store.idempotency.claim(claim)).toEqual({ state: 'claimed' });
    await end();
  });
}
