/** Approvals and idempotency: nothing is used or done twice. */
import type { ApprovalRequest, KeyClaim, KeyState } from '@mayday/policy';
import type { Store } from '@mayday/store';
import { expect, it } from 'vitest';
import { HARD_NAMES, type Open } from './subject.ts';

const asked = (fingerprint: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  fingerprint,
  caller: 'ada',
  upstream: 'bank',
  target: 'pay',
  arguments: { to: 'bob' },
  now: 0,
  ttlMs: 60_000,
  ...more,
});

const claim = (key: string, more: Partial<KeyClaim> = {}): KeyClaim => ({
  key,
  fingerprint: `f ${key}`,
  owner: 'ada',
  now: 0,
  leaseMs: 60_000,
  ttlMs: 60_000,
  ...more,
});

async function askedId(store: Store, fingerprint: string, more?: Partial<ApprovalRequest>): Promise<string> {
  const found = await store.approvals.claim(asked(fingerprint, more));
  return (found as { id: string }).id;
}

export function approvalTests(open: Open): void {
  it('takes a consent once, however many claim it at once, on however many nodes', async () => {
    const { store, another, end } = await open();
    const nodes = [store, await another(), await another()];
    const id = await askedId(store, 'a');
    expect(await nodes[1]?.approvals.approve(id)).toBe(true);
    const found = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => (nodes[i % 3] as Store).approvals.claim(asked('a'))),
    );
    expect(found.filter(({ state }) => state === 'claimed')).toEqual([{ state: 'claimed', id }]);
    expect(found.filter(({ state }) => state === 'taken')).toHaveLength(59);
    await end();
  });

  it('has one key for digests, on all nodes and for as long as it is kept', async () => {
    const { store, another, end } = await open();
    const other = await another();
    const keys = await Promise.all([store, other, store, other].map((one) => one.approvals.digestKey()));
    expect(keys[0]).toMatch(/^[\w-]{43}$/);
    expect(new Set(keys).size).toBe(1);
    const fresh = await open();
    expect(await fresh.store.approvals.digestKey()).not.toBe(keys[0]);
    await fresh.end();
    await end();
  });

  it('goes through its states, over nodes', async () => {
    const { store, another, end } = await open();
    const other = await another();
    const id = await askedId(store, 'a');
    expect(await other.approvals.claim(asked('a'))).toEqual({ state: 'waiting', id });
    await store.approvals.release(id);
    await store.approvals.confirm(id);
    expect(await other.approvals.claim(asked('a'))).toEqual({ state: 'waiting', id });
    const decided = [await other.approvals.approve(id), await store.approvals.approve(id)];
    expect([...decided, await store.approvals.reject(id)]).toEqual([true, false, false]);
    expect(await store.approvals.claim(asked('a'))).toEqual({ state: 'claimed', id });
    await other.approvals.release(id);
    expect(await other.approvals.claim(asked('a'))).toEqual({ state: 'claimed', id });
    await store.approvals.confirm(id);
    const next = await askedId(store, 'a');
    expect(next).not.toBe(id);
    expect(await store.approvals.reject(next)).toBe(true);
    expect(await store.approvals.claim(asked('a'))).toEqual({ state: 'rejected', id: next });
    expect([await store.approvals.approve('nobody'), await store.approvals.waiting()]).toEqual([false, []]);
    await end();
  });

  it('shows what waits, the oldest first, as it was asked', async () => {
    const { store, another, pass, end } = await open();
    const hard = { text: 'a\0b \ud800 \ud83d\uded1', list: [1, null, true] };
    const first = await askedId(store, 'a', { arguments: hard, caller: undefined, upstream: '\ud801' });
    await pass(5);
    const second = await askedId(store, 'b');
    const waiting = await (await another()).approvals.waiting();
    expect(waiting.map(({ id }) => id)).toEqual([first, second]);
    expect(waiting[0]).toMatchObject({
      fingerprint: 'a',
      upstream: '\ud801',
      target: 'pay',
      arguments: hard,
    });
    const { askedAt, expiresAt } = waiting[0] as { askedAt: number; expiresAt: number };
    expect(expiresAt - askedAt).toBe(60_000);
    await end();
  });

  it('forgets requests and consents when their time is over, by its own time', async () => {
    const { store, pass, end } = await open();
    const soon = { ttlMs: 300 };
    const id = await askedId(store, 'a', { ...soon, now: 9e15 });
    await pass(320);
    expect([await store.approvals.approve(id), await store.approvals.waiting()]).toEqual([false, []]);
    const again = await askedId(store, 'a', soon);
    expect([again === id, await store.approvals.approve(again)]).toEqual([false, true]);
    await pass(320);
    expect(await store.approvals.claim(asked('a', soon))).toMatchObject({ state: 'waiting' });
    await end();
  });

  it('gives a claim up after its lease; the consent is used up', async () => {
    const { store, pass, end } = await open({ approvalLeaseMs: 300 });
    const id = await askedId(store, 'a');
    await store.approvals.approve(id);
    expect(await store.approvals.claim(asked('a'))).toEqual({ state: 'claimed', id });
    await pass(320);
    const next = await store.approvals.claim(asked('a'));
    expect(next).toMatchObject({ state: 'waiting' });
    await store.approvals.release(id);
    await store.approvals.confirm(id);
    expect(await store.approvals.claim(asked('a'))).toEqual(next);
    await end();
  });

  it('has room for so many, in all and of one caller', async () => {
    const { store, end } = await open({ maxApprovals: 5, maxApprovalsPerCaller: 3 });
    const states: string[] = [];
    for (let i = 0; i < 4; i += 1) states.push((await store.approvals.claim(asked(`a${i}`))).state);
    expect(states).toEqual(['waiting', 'waiting', 'waiting', 'full']);
    for (const caller of ['b', 'c', 'd'])
      states.push((await store.approvals.claim(asked(caller, { caller }))).state);
    expect(states.slice(4)).toEqual(['waiting', 'waiting', 'full']);
    await end();
  });

  it('keeps all names apart', async () => {
    const { store, end } = await open();
    const ids = new Set<string>();
    for (const name of HARD_NAMES) ids.add(await askedId(store, name, { caller: name }));
    expect(ids.size).toBe(HARD_NAMES.length);
    const shown = await store.approvals.waiting();
    expect(shown.map(({ caller }) => caller).sort()).toEqual([...HARD_NAMES].sort());
    await end();
  });
}

export function idempotencyTests(open: Open, isShared: boolean): void {
  it('gives a key to one, however many claim it at once, on however many nodes', async () => {
    const { store, another, end } = await open();
    const nodes = [store, await another(), await another()];
    const found = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => (nodes[i % 3] as Store).idempotency.claim(claim('a'))),
    );
    expect(found.filter(({ state }) => state === 'claimed')).toHaveLength(1);
    expect(found.filter(({ state }) => state === 'running')).toHaveLength(59);
    await end();
  });

  it('keeps an answer of 64 KiB and more, to the character, for all nodes', async () => {
    const { store, another, end } = await open();
    const answer = `${'\0\ud800\ud83d\uded1"\\\n'.repeat(9000)}${'x'.repeat(65_536)}`;
    await store.idempotency.claim(claim('a'));
    await store.idempotency.finish({ key: 'a', answer, now: 0 });
    const found = await (await another()).idempotency.claim(claim('a', { fingerprint: 'other' }));
    expect(found).toEqual({ state: 'done', fingerprint: 'f a', answer });
    await end();
  });

  it('frees what did nothing, and takes no end of what it does not know', async () => {
    const { store, another, end } = await open();
    const other = await another();
    await store.idempotency.finish({ key: 'a', answer: 'x', now: 0 });
    await store.idempotency.free('a');
    expect(await store.idempotency.claim(claim('a'))).toEqual({ state: 'claimed' });
    await store.idempotency.free('a');
    expect(await other.idempotency.claim(claim('a'))).toEqual({ state: 'claimed' });
    await other.idempotency.finish({ key: 'a', answer: 'x', now: 0 });
    await other.idempotency.finish({ key: 'a', answer: 'y', now: 0 });
    await other.idempotency.free('a');
    expect(await store.idempotency.claim(claim('a'))).toMatchObject({ state: 'done', answer: 'x' });
    await end();
  });

  it('is running for its lease, lost until its time is over, then forgotten, by its own time', async () => {
    const { store, pass, end } = await open();
    const short = (now: number) => claim('a', { leaseMs: 300, ttlMs: 600, now });
    expect(await store.idempotency.claim(short(9e15))).toEqual({ state: 'claimed' });
    expect(await store.idempotency.claim(short(0))).toEqual({ state: 'running', fingerprint: 'f a' });
    await pass(320);
    expect(await store.idempotency.claim(short(-9e15))).toEqual({ state: 'lost', fingerprint: 'f a' });
    await pass(300);
    expect(await store.idempotency.claim(short(0))).toEqual({ state: 'claimed' });
    await store.idempotency.finish({ key: 'a', answer: 'done', now: 0 });
    await pass(200);
    expect(await store.idempotency.claim(short(9e15))).toMatchObject({ state: 'done' });
    await pass(420);
    expect(await store.idempotency.claim(short(0))).toEqual({ state: 'claimed' });
    await end();
  });

  it.skipIf(!isShared)(
    'is running while its process renews it, also beyond its time, and lost once nobody does',
    async () => {
      const { store, another, pass, end } = await open();
      const other = await another();
      const short = { leaseMs: 300, ttlMs: 400, token: 't' };
      const asked = () => other.idempotency.claim(claim('a'));
      expect(await store.idempotency.claim(claim('a', short))).toEqual({ state: 'claimed' });
      for (let beat = 0; beat < 3; beat += 1) {
        await pass(200);
        await store.idempotency.renew?.({ key: 'a', token: 't', leaseMs: 300 });
        expect(await asked()).toMatchObject({ state: 'running' });
      }
      await other.idempotency.renew?.({ key: 'a', token: 't', leaseMs: 60_000 });
      await store.idempotency.renew?.({ key: 'a', token: 'not its own', leaseMs: 60_000 });
      await store.idempotency.claim(claim('b', { leaseMs: 300, ttlMs: 60_000, token: 'b' }));
      await pass(320);
      expect(await other.idempotency.claim(claim('b'))).toMatchObject({ state: 'lost' });
      await store.idempotency.finish({ key: 'b', answer: 'late', now: 0, token: 'b' });
      await store.idempotency.renew?.({ key: 'b', token: 'b', leaseMs: 60_000 });
      expect(await other.idempotency.claim(claim('b'))).toMatchObject({ state: 'done', answer: 'late' });
      expect(await asked()).toEqual({ state: 'claimed' });
      await end();
    },
  );

  it('takes no end from who was given up for lost, once another has the key', async () => {
    const { store, another, pass, url, end } = await open();
    const other = await another();
    const short = { leaseMs: 100, ttlMs: 200 };
    await store.idempotency.claim(claim('a', short));
    await pass(220);
    expect(await other.idempotency.claim(claim('a'))).toEqual({ state: 'claimed' });
    // In memory there is but one holder: the store itself.
    if (url !== undefined) {
      await store.idempotency.finish({ key: 'a', answer: 'stale', now: 0 });
      await store.idempotency.free('a');
    }
    expect(await store.idempotency.claim(claim('a'))).toMatchObject({ state: 'running' });
    await other.idempotency.finish({ key: 'a', answer: 'fresh', now: 0 });
    expect(await store.idempotency.claim(claim('a'))).toMatchObject({ state: 'done', answer: 'fresh' });
    await end();
  });

  it('takes an end only from the claim that it belongs to, on one node too', async () => {
    const { store, pass, end } = await open();
    const short = { leaseMs: 100, ttlMs: 200, token: 'old' };
    expect(await store.idempotency.claim(claim('a', short))).toEqual({ state: 'claimed' });
    await pass(220);
    expect(await store.idempotency.claim(claim('a', { token: 'new' }))).toEqual({ state: 'claimed' });
    await store.idempotency.free('a', 'old');
    await store.idempotency.finish({ key: 'a', answer: 'stale', now: 0, token: 'old' });
    expect(await store.idempotency.claim(claim('a', { token: 'third' }))).toMatchObject({ state: 'running' });
    await store.idempotency.free('a', 'third');
    await store.idempotency.finish({ key: 'a', answer: 'fresh', now: 0, token: 'new' });
    expect(await store.idempotency.claim(claim('a'))).toMatchObject({ state: 'done', answer: 'fresh' });
    await store.idempotency.claim(claim('b', { token: 'b' }));
    await store.idempotency.free('b', 'b');
    expect(await store.idempotency.claim(claim('b', { token: 'c' }))).toEqual({ state: 'claimed' });
    await store.idempotency.free('b');
    expect(await store.idempotency.claim(claim('b'))).toEqual({ state: 'claimed' });
    await end();
  });

  it('has room for so many keys and answers of one owner; no key is forgotten for an answer', async () => {
    const { store, end } = await open({ maxKeysPerOwner: 4, maxAnswersPerOwner: 2 });
    const found: KeyState[] = [];
    for (const key of ['a', 'b', 'c']) {
      await store.idempotency.claim(claim(key));
      await store.idempotency.finish({ key, answer: key, now: 0 });
    }
    for (const key of ['a', 'b', 'c', 'd', 'e']) found.push(await store.idempotency.claim(claim(key)));
    expect(found).toEqual([
      { state: 'done', fingerprint: 'f a', answer: '' },
      { state: 'done', fingerprint: 'f b', answer: 'b' },
      { state: 'done', fingerprint: 'f c', answer: 'c' },
      { state: 'claimed' },
      { state: 'full' },
    ]);
    expect(await store.idempotency.claim(claim('e', { owner: 'bob' }))).toEqual({ state: 'claimed' });
    await store.idempotency.free('d');
    expect(await store.idempotency.claim(claim('f'))).toEqual({ state: 'claimed' });
    await end();
  });

  it('keeps all names apart', async () => {
    const { store, end } = await open();
    for (const name of HARD_NAMES) {
      const found = await store.idempotency.claim(claim(name, { owner: name }));
      expect([name, found.state]).toEqual([name, 'claimed']);
      await store.idempotency.finish({ key: name, answer: name, now: 0 });
    }
    for (const name of HARD_NAMES)
      expect(await store.idempotency.claim(claim(name, { owner: name }))).toEqual({
        state: 'done',
        fingerprint: `f ${name}`,
        answer: name,
      });
    await end();
  });
}
