/** The audit log and the status over the admin API, from docs/admin.md: who did what, and that nobody can write it. */
import { describe, expect, it } from 'vitest';
import { ANN, admin, asked, EVE, fresh, made, OPS, refusal } from '../support/admin.ts';
import { keepHouse } from '../support/admin-house.ts';
import { type Message, send } from '../support/http.ts';
import { mayday } from '../support/policy.ts';

const { gateway } = keepHouse((url) => ({
  access: { rules: [{ approve: ['u/pay'] }] },
  upstreams: { u: { url: url } },
}));

async function rows(query = ''): Promise<Message[]> {
  return (await admin(gateway(), `/audit${query}`)).body['rows'];
}
const lastRow = async (): Promise<number> => Number((await rows('?limit=10000')).at(-1)?.['seq'] ?? 0);

describe('the audit log', () => {
  it('has each change, with the operator who made it', async () => {
    const before = await lastRow();
    const { id } = await made(gateway(), { name: fresh('audited') });
    await admin(gateway(), `/keys/${id}/rotate`, {}, { key: EVE });
    await admin(gateway(), `/keys/${id}/revoke`, {});
    const yes = await asked(gateway(), 'pay', { n: fresh('yes'), password: 'hunter2-correct-horse' });
    const no = await asked(gateway(), 'pay', { n: fresh('no') });
    await admin(gateway(), `/approvals/${yes}/approve`, {}, { key: EVE });
    await admin(gateway(), `/approvals/${no}/reject`, {});
    const found = await rows(`?after=${before}`);
    expect(found.map(({ actor, details }) => [actor, details.via])).toEqual([
      ['ops', 'admin'],
      ['eve', 'admin'],
      ['ops', 'admin'],
      ['eve', 'admin'],
      ['ops', 'admin'],
    ]);
    expect(found.slice(3).map(({ action }) => action)).toEqual(['approvals.approve', 'approvals.reject']);
    expect(found.map((row) => [id, yes, no].filter((each) => JSON.stringify(row).includes(each)))).toEqual([
      [id],
      [id],
      [id],
      [yes],
      [no],
    ]);
    expect(found.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5].map((each) => before + each));
    expect(JSON.stringify(found)).not.toContain('hunter2');
    for (const key of [OPS, EVE, ANN]) expect(JSON.stringify(found)).not.toContain(key);
  });

  it('has nothing of what was refused, or only read', async () => {
    const { id } = await made(gateway(), { name: fresh('untouched') });
    const before = await rows('?limit=10000');
    await Promise.all([
      admin(gateway(), '/keys', { name: 'ann' }),
      admin(gateway(), '/keys', { nme: 'x' }),
      admin(gateway(), `/keys/${id}/revoke`, {}, { key: ANN }),
      admin(gateway(), `/keys/${id}/revoke`, {}, { key: undefined }),
      admin(gateway(), `/keys/${id}/revoke`, {}, { headers: { origin: 'https://evil.example' } }),
      admin(gateway(), `/keys/${id}/revoke`, undefined),
      admin(gateway(), '/keys/000000000000/rotate', {}),
      admin(gateway(), '/approvals/nonesuch/approve', {}),
      admin(gateway(), '/keys'),
    ]);
    expect(await rows('?limit=10000')).toEqual(before);
    expect((await admin(gateway(), `/keys/${id}`)).body['state']).toBe('good');
  });

  it('is read in pieces, the oldest first', async () => {
    for (const name of ['p1', 'p2', 'p3']) await made(gateway(), { name: fresh(name) });
    const all = await rows('?limit=10000');
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(await rows('?limit=2')).toEqual(all.slice(0, 2));
    expect(await rows('?after=1&limit=1')).toEqual([all[1]]);
    expect(await rows(`?after=${all.length}`)).toEqual([]);
    expect(await rows()).toEqual(all);
  });

  it('is whole, and verified also by a row that was noted elsewhere', async () => {
    await made(gateway(), { name: fresh('noted') });
    const all = await rows('?limit=10000');
    const last = all.at(-1);
    expect((await admin(gateway(), '/audit/verify')).body).toEqual({
      ok: true,
      rows: all.length,
      head: last?.['hash'],
    });
    const known = await admin(gateway(), `/audit/verify?known=1:${all[0]?.['hash']}`);
    expect([known.status, known.body['ok']]).toEqual([200, true]);
    const wrong = await admin(gateway(), `/audit/verify?known=1:${'0'.repeat(64)}`);
    expect([wrong.status, wrong.body['ok']]).toEqual([200, false]);
    const missing = await admin(gateway(), `/audit/verify?known=${all.length + 5}:${last?.['hash']}`);
    expect([missing.status, missing.body['ok']]).toEqual([200, false]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is not written by %s', async (method) => {
    for (const path of ['/audit', '/audit/verify']) {
      const { status } = await admin(gateway(), path, {}, { method });
      expect([path, status]).toEqual([path, 405]);
    }
    expect((await admin(gateway(), '/audit/1', {}, { method })).status).toBe(404);
  });

  it('has the user of the machine for what is done beside the store', async () => {
    const before = await lastRow();
    const { code, all } = await mayday(gateway().folder, 'keys', 'create', fresh('beside'));
    expect([code, all]).toEqual([0, all]);
    const [row] = await rows(`?after=${before}`);
    expect(row?.['actor']).not.toBe('ops');
    expect(row?.['details']?.via).not.toBe('admin');
  });
});

describe('the status', () => {
  it('is what /-/status says', async () => {
    const [here, there] = await Promise.all([
      admin(gateway(), '/status'),
      send(`${gateway().url}/-/status`, undefined, { key: OPS }),
    ]);
    expect([here.status, there.status]).toEqual([200, 200]);
    expect(here.body).toEqual(there.messages[0]);
    expect(here.body).toMatchObject({
      upstreams: [{ name: 'u', type: 'url', circuit: 'closed' }],
      store: { engine: 'sqlite', ok: true },
    });
    expect(await refusal(gateway(), '/status?verbose=1')).toBe('400 invalid_arguments');
  });
});
