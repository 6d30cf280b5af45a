import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore, type Store } from '@mayday/store';
import { expect, it } from 'vitest';

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));

/** More with `KILLS=100`. */
const KILLS = Number(process.env['KILLS'] ?? 4);

/** What a writer said before it was killed, after so many lines. */
async function killed(url: string, wanted: string, lines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--conditions=@mayday/source', WRITER, url, wanted], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
    if (said.split('\n').length > lines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return said.split('\n').slice(0, -1);
}

async function approved(store: Store, round: number) {
  const all: { readonly id: string; readonly fingerprint: string }[] = [];
  for (let i = 0; i < 45; i += 1) {
    const fingerprint = `${round} ${i}`;
    const request = { fingerprint, caller: 'ada', upstream: 'bank', target: 'pay', arguments: {} };
    const found = await store.approvals.claim({ ...request, now: 0, ttlMs: 3_600_000 });
    const { id } = found as { id: string };
    await store.approvals.approve(id);
    all.push({ id, fingerprint });
  }
  return all;
}

it(`loses nothing that was acknowledged, and uses nothing twice, over ${KILLS} rounds of kills`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-kill-'));
  const url = `file:${folder}/mayday.db`;
  const store = await openStore({ url, maxApprovals: 1_000_000, maxApprovalsPerCaller: 1_000_000 });
  const heads: { readonly seq: number; readonly hash: string }[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const wanted = await approved(store, round);
    const said: (readonly string[])[] = [];
    // The second one goes over the same consents, and must find none that the first has used.
    said.push(await killed(url, JSON.stringify(wanted), 7 + ((round * 13) % 90)));
    said.push(await killed(url, JSON.stringify(wanted), 11 + ((round * 29) % 120)));
    const all = said.flat().map((line) => line.split(' '));
    const of = (what: string) => all.filter(([first]) => first === what).map(([, id]) => id as string);
    expect(of('used').length).toBeGreaterThan(0);
    for (const what of ['used', 'began', 'record']) expect(new Set(of(what)).size).toBe(of(what).length);
    const keys = new Set((await store.keys.list()).map(({ id }) => id));
    expect(of('key').filter((id) => !keys.has(id))).toEqual([]);
    for (const id of of('record')) {
      const call = { key: id, fingerprint: 'f', owner: 'ada', now: 0, leaseMs: 1, ttlMs: 1 };
      expect(await store.idempotency.claim(call)).toMatchObject({ state: 'done', answer: `answer ${id}` });
    }
    for (const [, seq, hash] of all.filter(([first]) => first === 'audit'))
      heads.push({ seq: Number(seq), hash: hash as string });
  }
  for (const head of heads) expect(await store.audit.verify(head)).toMatchObject({ ok: true });
  await store.close();
  rmSync(folder, { recursive: true });
}, 120_000);
