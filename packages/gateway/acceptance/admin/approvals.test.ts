/** Consent over the admin API, from docs/admin.md: granted and refused, once, and by nobody for their own call. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, admin, asked, EVE, fresh, KEYS, made, OPS, refusal } from '../support/admin.ts';
import { scratch, startGateway } from '../support/gateway.ts';
import type { Message } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { named, pause, tried } from '../support/policy.ts';
import { executions } from '../support/puppet.ts';

const ASK = 'approval_required/no';
const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger, tools: named('echo', 'pay', 'soon') });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});
const gateway = keepGateway(
  () =>
    startGateway({
      store: `file:${join(folder, 'mayday.db')}`,
      keys: KEYS,
      access: { rules: [{ approve: ['u/pay'] }, { approve: ['u/soon'], ttl_ms: 1500 }] },
      upstreams: { u: { url: http.url, retry: { attempts: 1 } } },
    }),
  [ledger, join(folder, 'mayday.db')],
);

async function waiting(): Promise<Message[]> {
  return (await admin(gateway(), '/approvals')).body['approvals'];
}

describe('calls that wait', () => {
  it('are listed, the oldest first, redacted', async () => {
    const note = fresh('rent');
    const first = await asked(gateway(), 'pay', { note, password: 'hunter2-correct-horse' });
    await pause(5);
    const second = await asked(gateway(), 'pay', { note, more: 1 });
    const { text, body } = await admin(gateway(), '/approvals');
    const found: Message[] = body['approvals'].slice(-2);
    expect(found.map(({ id }) => id)).toEqual([first, second]);
    expect(found[0]).toMatchObject({ caller: 'ann', tool: 'u/pay', arguments: { note } });
    expect(Date.parse(found[0]?.['expires_at']) - Date.parse(found[0]?.['asked_at'])).toBe(3_600_000);
    expect(text).not.toContain('hunter2');
  });

  it('that are approved go through once, and are listed no more', async () => {
    const args = { key: fresh('once') };
    const id = await asked(gateway(), 'pay', args);
    const { status, body } = await admin(gateway(), `/approvals/${id}/approve`, {});
    expect([status, body]).toEqual([200, { id, caller: 'ann', tool: 'u/pay', decision: 'approved' }]);
    expect((await waiting()).filter((each) => each['id'] === id)).toEqual([]);
    expect(await tried(gateway(), 'u', 'pay', { ...args, more: 1 }, { key: ANN })).toBe(ASK);
    expect(await tried(gateway(), 'u', 'pay', args, { key: ANN })).toBe('fine');
    expect(await tried(gateway(), 'u', 'pay', args, { key: ANN })).toBe(ASK);
    expect(executions(ledger, args.key)).toBe(1);
  });

  it('that are rejected are forbidden', async () => {
    const args = { key: fresh('no') };
    const id = await asked(gateway(), 'pay', args);
    const { status, body } = await admin(gateway(), `/approvals/${id}/reject`, '');
    expect([status, body]).toEqual([200, { id, caller: 'ann', tool: 'u/pay', decision: 'rejected' }]);
    expect(await tried(gateway(), 'u', 'pay', args, { key: ANN })).toBe('forbidden/no');
    expect(executions(ledger, args.key)).toBe(0);
  });

  it('are seen as decided by a caller that keeps asking', async () => {
    const args = { key: fresh('keeps-asking') };
    const id = await asked(gateway(), 'pay', args);
    const goes = expect
      .poll(() => tried(gateway(), 'u', 'pay', args, { key: ANN }), { timeout: 10_000, interval: 20 })
      .toBe('fine');
    await pause(100);
    expect(await refusal(gateway(), `/approvals/${id}/approve`, {})).toBe('200 fine');
    await goes;
    expect(executions(ledger, args.key)).toBe(1);
  });
});

describe('a decision', () => {
  it.each([
    ['approve', 'approve'],
    ['approve', 'reject'],
    ['reject', 'approve'],
    ['reject', 'reject'],
  ])('%s is not followed by another: %s', async (first, second) => {
    const id = await asked(gateway(), 'pay', { n: fresh('decided') });
    expect(await refusal(gateway(), `/approvals/${id}/${first}`, {})).toBe('200 fine');
    expect(await refusal(gateway(), `/approvals/${id}/${second}`, {})).toBe('404 not_found');
  });

  it('about a call that was made is none', async () => {
    const args = { n: fresh('made') };
    const id = await asked(gateway(), 'pay', args);
    await admin(gateway(), `/approvals/${id}/approve`, {});
    expect(await tried(gateway(), 'u', 'pay', args, { key: ANN })).toBe('fine');
    expect(await refusal(gateway(), `/approvals/${id}/approve`, {})).toBe('404 not_found');
    expect(await tried(gateway(), 'u', 'pay', args, { key: ANN })).toBe(ASK);
  });

  it('about what is over is none', async () => {
    const id = await asked(gateway(), 'soon', { n: fresh('late') });
    await expect
      .poll(async () => (await waiting()).filter((each) => each['id'] === id), { timeout: 8000 })
      .toEqual([]);
    expect(await refusal(gateway(), `/approvals/${id}/approve`, {})).toBe('404 not_found');
    expect(await refusal(gateway(), `/approvals/${id}/reject`, {})).toBe('404 not_found');
  });

  it.each(['nonesuch', '00000000-0000-0000-0000-000000000000', '..%2fx', '*', '%00', "'%20OR%201=1"])(
    'about %s is none',
    async (id) => {
      expect(await refusal(gateway(), `/approvals/${id}/approve`, {})).toBe('404 not_found');
      expect(await refusal(gateway(), `/approvals/${id}/reject`, {})).toBe('404 not_found');
    },
  );

  it('of several at the same time is one', async () => {
    const args = { key: fresh('race') };
    const id = await asked(gateway(), 'pay', args);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        refusal(gateway(), `/approvals/${id}/approve`, {}, { key: index % 2 === 0 ? OPS : EVE }),
      ),
    );
    expect(all.sort()).toEqual(['200 fine', ...Array.from({ length: 9 }, () => '404 not_found')]);
    const fates = await Promise.all(
      Array.from({ length: 6 }, () => tried(gateway(), 'u', 'pay', args, { key: ANN })),
    );
    expect(fates.filter((each) => each === 'fine')).toEqual(['fine']);
    expect(executions(ledger, args.key)).toBe(1);
  });

  it('and its contrary at the same time are one', async () => {
    const args = { key: fresh('contrary') };
    const id = await asked(gateway(), 'pay', args);
    const all = await Promise.all(
      ['approve', 'reject', 'approve', 'reject'].map((word) =>
        refusal(gateway(), `/approvals/${id}/${word}`, {}),
      ),
    );
    expect(all.sort()).toEqual(['200 fine', '404 not_found', '404 not_found', '404 not_found']);
    const rows: Message[] = (await admin(gateway(), '/audit?limit=10000')).body['rows'];
    const decided = rows.filter((row) => JSON.stringify(row).includes(id));
    expect(decided).toHaveLength(1);
    const fate = await tried(gateway(), 'u', 'pay', args, { key: ANN });
    expect([decided[0]?.['action'], fate]).toEqual(
      fate === 'fine' ? ['approvals.approve', 'fine'] : ['approvals.reject', 'forbidden/no'],
    );
  });
});

describe('a call of one’s own', () => {
  it('is nothing to consent to; somebody else does', async () => {
    const args = { key: fresh('own') };
    const id = await asked(gateway(), 'pay', args, EVE);
    expect(await refusal(gateway(), `/approvals/${id}/approve`, {}, { key: EVE })).toBe('403 forbidden');
    expect(await tried(gateway(), 'u', 'pay', args, { key: EVE })).toBe(ASK);
    expect(await refusal(gateway(), `/approvals/${id}/approve`, {})).toBe('200 fine');
    expect(await tried(gateway(), 'u', 'pay', args, { key: EVE })).toBe('fine');
  });

  it('by the name, whichever key it is', async () => {
    const name = fresh('chief');
    const { key: old, id: which } = await made(gateway(), { name, role: 'operator' });
    const id = await asked(gateway(), 'pay', { n: name }, old);
    const next = (await admin(gateway(), `/keys/${which}/rotate`, {})).body['key'];
    expect(await refusal(gateway(), `/approvals/${id}/approve`, {}, { key: next })).toBe('403 forbidden');
    await admin(gateway(), `/keys/${which}/revoke`, {});
    const { key: another } = await made(gateway(), { name, role: 'operator' });
    expect(await refusal(gateway(), `/approvals/${id}/approve`, {}, { key: another })).toBe('403 forbidden');
    expect(await refusal(gateway(), `/approvals/${id}/reject`, {}, { key: another })).toBe('200 fine');
  });
});
