/** The benches about state, at their smallest: what they look for is there, and they see it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { corpora, readable } from '../reading/corpus.ts';
import { floodWithFaults } from './flood.ts';
import { groupAll } from './grouping.ts';
import { killAmidWork } from './kills.ts';
import { repeatOrders } from './once.ts';

const newStore = (): string => join(mkdtempSync(join(tmpdir(), 'mayday-state-')), 'mayday.db');

it('pays no order twice that is repeated at two gateways, one of which is killed', {
  timeout: 120_000,
}, async () => {
  const size = { orders: 30, retries: 3, nodes: 2, atATime: 6, killEveryMs: 300, seed: 3 };
  const { paid, lost, ...said } = await repeatOrders({ ...size, store: newStore() });
  expect([paid.twice, said.differing, said.untrue, said.bugs]).toEqual([0, 0, 0, []]);
  expect(said.retries).toBe(90);
  expect(lost.byServer).toBeGreaterThan(5);
});

it('loses nothing of what two gateways acknowledged that were killed', { timeout: 120_000 }, async () => {
  const said = await killAmidWork({ store: newStore(), kills: 2, seed: 3 });
  expect(said).toMatchObject({
    kills: 2,
    keys: { wrong: 0 },
    approvals: { lost: 0, twice: 0 },
    records: { lost: 0, twice: 0 },
    audit: { lost: 0, isWhole: true },
    bugs: [],
  });
  expect(Math.min(said.keys.made, said.approvals.granted, said.records.kept)).toBeGreaterThan(0);
});

it('journals every failure of many', { timeout: 120_000 }, async () => {
  const said = await floodWithFaults({ store: newStore(), perMinute: 6000, seconds: 2 });
  expect(said).toMatchObject({ sent: 200, dropped: 0, journalled: 200, toldLost: 0, groups: 8 });
});

it('groups what is the same, and nothing else', () => {
  const [[, rows] = ['', []]] = corpora();
  const failures = readable(rows).filter(({ label }) => label.failure !== false);
  const said = groupAll(failures.slice(0, 300));
  expect(said.failures).toBe(1200);
  expect(said.precision).toBeGreaterThan(0.98);
  expect(said.recall).toBeGreaterThan(0.98);
});
