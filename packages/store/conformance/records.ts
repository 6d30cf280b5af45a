/** Keys, sessions, faults and the audit log. */
import { createHash } from 'node:crypto';
import type { JournalFault } from '@mayday/store';
import { expect, it } from 'vitest';
import { HARD_NAMES, type Open } from './subject.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export function keyTests(open: Open): void {
  it('finds a key by its digest, on every node, and keeps no secret', async () => {
    const { store, another, end } = await open();
    const other = await another();
    const { key, record } = await store.keys.create({
      principal: 'ada \ud800',
      tenant: 'acme',
      scopes: ['pay'],
    });
    expect(key).toMatch(/^mdy_[0-9a-f]{12}_[\w-]{43}$/);
    expect(key.split('_')[1]).toBe(record.id);
    const found = await other.keys.lookup(sha256(key));
    expect(found).toMatchObject({ principal: 'ada \ud800', tenant: 'acme', scopes: ['pay'], revoked: false });
    const [listed] = await other.keys.list();
    expect(listed?.lastUsedAt).toBeTypeOf('number');
    expect(JSON.stringify([record, found, listed])).not.toContain(key.slice('mdy_0123456789ab_'.length));
    expect(JSON.stringify([record, found, listed])).not.toContain(sha256(key));
    for (const name of [key, sha256(`${key}x`), ...HARD_NAMES])
      expect(await store.keys.lookup(name)).toBeUndefined();
    await end();
  });

  it('knows whether a key was ever made, also when all are revoked', async () => {
    const { store, another, end } = await open();
    const other = await another();
    expect([await store.keys.wereMade(false), await other.keys.wereMade(false)]).toEqual([false, false]);
    const { record } = await store.keys.create({ principal: 'ada' });
    await store.keys.revoke(record.id);
    expect(await other.keys.wereMade(false)).toBe(true);
    await end();
  });

  it('is told that keys were made by whoever knows it, and lists none for that', async () => {
    const { store, another, end } = await open();
    const other = await another();
    expect([await store.keys.wereMade(true), await store.keys.wereMade(true)]).toEqual([true, true]);
    expect([await other.keys.wereMade(false), await other.keys.list()]).toEqual([true, []]);
    for (const name of HARD_NAMES) expect(await store.keys.lookup(name)).toBeUndefined();
    const { key, record } = await store.keys.create({ principal: 'ada' });
    expect(await other.keys.lookup(sha256(key))).toMatchObject({ id: record.id });
    expect(await other.keys.list()).toMatchObject([{ id: record.id }]);
    await end();
  });

  it('gives a name to one of those who ask for it at the same time, on every node', async () => {
    const { store, another, pass, end } = await open();
    const other = await another();
    const ask = (on: typeof store, principal = 'ada') => on.keys.createOnly({ principal, ttlMs: 2000 });
    const [first, ...rest] = (
      await Promise.all([store, other, store, other, store].map((on) => ask(on)))
    ).filter((made) => made !== undefined);
    expect([rest, first?.record.principal]).toEqual([[], 'ada']);
    expect((await store.keys.list()).map(({ principal }) => principal)).toEqual(['ada']);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const made = await Promise.all(names.map((name, i) => ask(i % 2 === 0 ? store : other, name)));
    expect(made.map((one) => one?.record.principal)).toEqual(names);
    expect(await ask(other)).toBeUndefined();
    await other.keys.revoke(first?.record.id ?? '');
    const second = await store.keys.createOnly({ principal: 'ada', ttlMs: 300, id: 'a0b1c2d3e4f5' });
    expect([second?.record.id, second?.key.startsWith('mdy_a0b1c2d3e4f5_')]).toEqual(['a0b1c2d3e4f5', true]);
    await pass(320);
    expect(await ask(other)).toBeDefined();
    await end();
  });

  it('rotates with an overlap, on one node for all', async () => {
    const { store, another, pass, end } = await open();
    const other = await another();
    const old = await store.keys.create({ principal: 'ada' });
    const fresh = await other.keys.rotate(old.record.id, { overlapMs: 300 });
    expect(fresh?.record.id).toBe(old.record.id);
    expect(await store.keys.lookup(sha256(old.key))).toBeDefined();
    expect(await store.keys.lookup(sha256(fresh?.key ?? ''))).toBeDefined();
    await pass(320);
    expect(await store.keys.lookup(sha256(old.key))).toBeUndefined();
    expect(await store.keys.lookup(sha256(fresh?.key ?? ''))).toBeDefined();
    const third = await store.keys.rotate(old.record.id, { overlapMs: 0 });
    expect(await other.keys.lookup(sha256(fresh?.key ?? ''))).toBeUndefined();
    expect(await other.keys.lookup(sha256(third?.key ?? ''))).toBeDefined();
    expect(await store.keys.rotate('nobody', { overlapMs: 0 })).toBeUndefined();
    await end();
  });

  it('renews a key with its new secret, for as long as it was made for or as it is told, and no old secret with it', async () => {
    const { store, another, pass, end } = await open();
    const other = await another();
    const first = await store.keys.create({ principal: 'ada', ttlMs: 2000 });
    const isGood = async (issued: { readonly key: string } | undefined): Promise<boolean> =>
      (await other.keys.lookup(sha256(issued?.key ?? ''))) !== undefined;
    await pass(1000);
    const second = await store.keys.rotate(first.record.id, { overlapMs: 10_000 });
    const renewed = Number(second?.record.expiresAt) - Number(first.record.expiresAt);
    expect([renewed >= 1000, renewed < 2000, second?.record.expired]).toEqual([true, true, false]);
    await pass(1100);
    expect([await isGood(first), await isGood(second)]).toEqual([false, true]);
    const third = await store.keys.rotate(first.record.id, { overlapMs: 0, ttlMs: 20_000 });
    await pass(2100);
    expect([await isGood(second), await isGood(third)]).toEqual([false, true]);
    const fourth = await store.keys.rotate(first.record.id, { overlapMs: 0 });
    expect(Number(fourth?.record.expiresAt) - Number(third?.record.expiresAt)).toBeGreaterThanOrEqual(2100);
    const endless = await store.keys.create({ principal: 'bob' });
    expect((await store.keys.rotate(endless.record.id, { overlapMs: 0 }))?.record.expiresAt).toBeUndefined();
    await end();
  });

  it('revokes for good, and once', async () => {
    const { store, another, end } = await open();
    const { key, record } = await store.keys.create({ principal: 'ada' });
    const revoked = await Promise.all([store, await another()].map(({ keys }) => keys.revoke(record.id)));
    expect([...revoked].sort()).toEqual([false, true]);
    expect(await store.keys.lookup(sha256(key))).toBeUndefined();
    expect(await store.keys.rotate(record.id, { overlapMs: 1000 })).toBeUndefined();
    expect(await store.keys.list()).toMatchObject([{ id: record.id, revoked: true }]);
    expect(await store.keys.revoke('nobody')).toBe(false);
    await end();
  });

  it('ends a key when its time is over, by its own time', async () => {
    const { store, pass, end } = await open();
    const { key } = await store.keys.create({ principal: 'ada', ttlMs: 300 });
    expect(await store.keys.lookup(sha256(key))).toMatchObject({ expired: false });
    await pass(320);
    expect(await store.keys.lookup(sha256(key))).toBeUndefined();
    expect(await store.keys.list()).toMatchObject([{ expired: true, revoked: false }]);
    expect(await store.keys.revoke((await store.keys.list())[0]?.id ?? '')).toBe(true);
    await end();
  });
}

export function sessionTests(open: Open): void {
  it('keeps whose a session is and where it lives, until its time is over', async () => {
    const { store, another, pass, end } = await open();
    const other = await another();
    const session = { id: 's\0\ud800', owner: 'ada', node: 'n1' };
    expect(await store.sessions.open({ ...session, ttlMs: 300 })).toBe(true);
    expect(await other.sessions.open({ ...session, owner: 'eve', ttlMs: 300 })).toBe(false);
    expect(await other.sessions.find(session.id)).toMatchObject(session);
    expect(await other.sessions.find('s')).toBeUndefined();
    await pass(150);
    expect(await other.sessions.renew(session.id, 300)).toBe(true);
    await pass(200);
    expect(await store.sessions.find(session.id)).toMatchObject(session);
    await pass(120);
    expect(await store.sessions.find(session.id)).toBeUndefined();
    expect(await store.sessions.renew(session.id, 300)).toBe(false);
    expect(await other.sessions.open({ ...session, owner: 'eve', ttlMs: 3000 })).toBe(true);
    await store.sessions.end(session.id);
    expect(await other.sessions.find(session.id)).toBeUndefined();
    await end();
  });
}

const fault = (fingerprint: string, message = 'It broke'): JournalFault => ({
  fingerprint,
  kind: 'timeout',
  origin: 'upstream',
  upstream: 'bank',
  message,
  details: { tool: 'pay' },
});

export function faultTests(open: Open): void {
  it('groups by fingerprint, with counts, first and last', async () => {
    const { store, another, pass, end } = await open();
    const other = await another();
    await store.faults.append([fault('a'), fault('b'), fault('a')]);
    await pass(20);
    await other.faults.append([fault('a', 'It broke again')]);
    const [first, second] = await store.faults.groups();
    expect(first).toMatchObject({ fingerprint: 'a', count: 3, kind: 'timeout', message: 'It broke again' });
    expect(second).toMatchObject({ fingerprint: 'b', count: 1, origin: 'upstream', upstream: 'bank' });
    expect((first?.lastSeen ?? 0) - (first?.firstSeen ?? 0)).toBeGreaterThanOrEqual(20);
    expect(await store.faults.groups({ limit: 1 })).toHaveLength(1);
    expect(await store.faults.groups({ fingerprint: second?.fingerprint ?? '' })).toEqual([second]);
    expect(await store.faults.groups({ fingerprint: 'nobody has it' })).toEqual([]);
    const span = { from: first?.firstSeen ?? 0, to: first?.lastSeen ?? 0 };
    const counts = await other.faults.counts({ fingerprint: 'a', ...span });
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(counts.every(({ at }) => at % 60_000 === 0)).toBe(true);
    expect(await other.faults.counts({ fingerprint: 'nobody', ...span })).toEqual([]);
    await end();
  });

  it('dates a fault by when it happened, however late it is handed in', async () => {
    const { store, end } = await open();
    await store.faults.append([fault('a', 'now')]);
    const [now] = await store.faults.list();
    await store.faults.append([{ ...fault('a', 'before'), agoMs: 600_000.5 }]);
    const [before] = await store.faults.list();
    const at = now?.at ?? 0;
    expect(before).toMatchObject({ fingerprint: 'a', message: 'before' });
    expect(before).not.toHaveProperty('agoMs');
    expect(at - (before?.at ?? 0)).toBeGreaterThan(590_000);
    expect(at - (before?.at ?? 0)).toBeLessThan(601_000);
    expect(await store.faults.groups()).toMatchObject([
      { count: 2, firstSeen: before?.at, lastSeen: at, message: 'before' },
    ]);
    const counts = await store.faults.counts({ fingerprint: 'a', from: 0, to: at });
    expect(counts.map(({ count }) => count)).toEqual([1, 1]);
    await end();
  });

  it('keeps no more groups than entries, the last seen, and nothing of the others', async () => {
    const { store, pass, end } = await open({ maxFaults: 20 });
    for (let i = 0; i < 30; i += 1) {
      await store.faults.append(Array.from({ length: 5 }, (_, j) => fault(`f${i * 5 + j}`)));
      await pass(1);
    }
    const groups = await store.faults.groups({ limit: 1000 });
    expect(groups.map(({ fingerprint }) => fingerprint).sort()).toEqual(
      Array.from({ length: 20 }, (_, i) => `f${130 + i}`).sort(),
    );
    const span = { from: 0, to: groups[0]?.lastSeen ?? 0 };
    expect(await store.faults.counts({ fingerprint: 'f0', ...span })).toEqual([]);
    expect(await store.faults.counts({ fingerprint: 'f149', ...span })).toMatchObject([{ count: 1 }]);
    await end();
  });

  it('lists the newest first, and goes on from where one was', async () => {
    const { store, another, end } = await open();
    await store.faults.append(['1', '2', '3'].map((message) => fault('a', message)));
    await store.faults.append([fault('b', '4')]);
    const newest = await store.faults.list();
    expect(newest.map(({ message }) => message)).toEqual(['4', '3', '2', '1']);
    expect(newest[0]).toMatchObject({ fingerprint: 'b', details: { tool: 'pay' } });
    const after = newest[2]?.id;
    const following = await (await another()).faults.list({ after, limit: 1 });
    expect(following.map(({ message }) => message)).toEqual(['3']);
    expect((await store.faults.list({ after: newest[0]?.id })).length).toBe(0);
    const older = await store.faults.list({ before: newest[1]?.id, limit: 1 });
    expect(older).toEqual([newest[2]]);
    expect(await store.faults.list({ fingerprint: 'a', before: newest[2]?.id })).toEqual([newest[3]]);
    expect(await store.faults.list({ after: newest[3]?.id, before: newest[1]?.id })).toEqual([newest[2]]);
    for (const nowhere of ['0', '0-0', '00-000', 'x', `9-${'9'.repeat(30)}`]) {
      expect(await store.faults.list({ before: nowhere })).toEqual([]);
      expect(await store.faults.list({ after: nowhere })).toEqual([...newest].reverse());
    }
    const ofA = await store.faults.list({ fingerprint: 'a', limit: 2 });
    expect(ofA.map(({ message }) => message)).toEqual(['3', '2']);
    const more = await store.faults.list({ fingerprint: 'a', after });
    expect(more.map(({ message }) => message)).toEqual(['3']);
    await end();
  });

  it('keeps so many and so long; counts outlive their entries, and go with their time', async () => {
    const { store, pass, end } = await open({ maxFaults: 3, faultAgeMs: 400 });
    for (let i = 0; i < 20; i += 1) await store.faults.append([fault('a', `${i}`)]);
    const listed = await store.faults.list();
    expect(listed.map(({ message }) => message)).toEqual(['19', '18', '17']);
    expect(await store.faults.groups()).toMatchObject([{ count: 20 }]);
    await pass(420);
    await store.faults.append([fault('a')]);
    expect(await store.faults.groups()).toMatchObject([{ count: 1 }]);
    await pass(420);
    expect([await store.faults.list(), await store.faults.groups()]).toEqual([[], []]);
    await end();
  });

  it('keeps all names apart', async () => {
    const { store, end } = await open();
    await store.faults.append(HARD_NAMES.map((name) => fault(name, name)));
    const groups = await store.faults.groups();
    expect(groups.map(({ fingerprint }) => fingerprint).sort()).toEqual([...HARD_NAMES].sort());
    for (const name of HARD_NAMES.slice(0, 8))
      expect((await store.faults.list({ fingerprint: name })).map(({ message }) => message)).toEqual([name]);
    await end();
  });
}

export function auditTests(open: Open): void {
  it('numbers rows without gaps, in one chain, whoever writes', async () => {
    const { store, another, end } = await open();
    const nodes = [store, await another()];
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => nodes[i % 2]?.audit.append({ actor: `n${i}`, action: 'approve' })),
    );
    const rows = await store.audit.list();
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(new Set(rows.map(({ actor }) => actor)).size).toBe(20);
    expect(await store.audit.verify()).toEqual({ ok: true, rows: 20, head: rows[19]?.hash });
    expect(await store.audit.list({ after: 18, limit: 1 })).toEqual([rows[18]]);
    await end();
  });

  it('keeps what was done as it was said', async () => {
    const { store, end } = await open();
    const deed = {
      actor: 'a\0\ud800',
      action: '\u{1f6d1}',
      target: "'; --",
      details: { n: [1, undefined, 2] },
    };
    const row = await store.audit.append(deed);
    await store.audit.append({ actor: 'bob', action: 'revoke' });
    const rows = await store.audit.list();
    expect(rows[0]).toMatchObject({ ...deed, details: { n: [1, null, 2] }, seq: 1, hash: row.hash });
    expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 2 });
    await end();
  });

  it('tells a log that was cut off, or written anew, from a row that was noted', async () => {
    const { store, end } = await open();
    expect(await store.audit.verify()).toEqual({ ok: true, rows: 0, head: '0'.repeat(64) });
    const { seq, hash } = await store.audit.append({ actor: 'ada', action: 'approve' });
    expect(await store.audit.verify({ seq, hash })).toMatchObject({ ok: true });
    expect(await store.audit.verify({ seq, hash: 'other' })).toEqual({ ok: false, brokenAt: 1 });
    expect(await store.audit.verify({ seq: 7, hash })).toEqual({ ok: false, brokenAt: 2 });
    await end();
  });
}
