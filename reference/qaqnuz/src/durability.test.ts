import { callTool, start, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { openStore } from './store/index.ts';

const COUNT = 60;

describe('what survives', () => {
  it('kill -9 among approved calls: each refund that was answered is there, and none is there twice', async () => {
    const folder = tempFolder();
    const store = openStore(folder);
    store.keys.addBrand('acme');
    const { key } = store.keys.issue('acme', ['payments.refund']);
    const orders = Array.from({ length: COUNT }, (_, at) => `o-${at}`);
    const flags = ['--data', folder, '--per-key', '1000', '--per-brand', '1000'];
    const refund = (url: string, order: string) =>
      callTool(url, 'issue_refund', { order, amount_cents: 1 }, { authorization: `Bearer ${key}` });

    const first = await start('qaqnuz', flags);
    await Promise.all(orders.map((order) => refund(first.url, order)));
    for (const { id } of store.approvals.waiting()) store.approvals.decide(id, 'granted');
    const answered: string[] = [];
    const calls = orders.map(async (order) => {
      const answer = await refund(first.url, order);
      expect(answer.result).toMatchObject({ isError: false });
      answered.push(order);
      if (answered.length === 10) await first.kill();
    });
    const lost = (await Promise.allSettled(calls)).filter((call) => call.status === 'rejected');
    expect(lost.length).toBeGreaterThan(0);
    const afterKill = store.contacts.refunds('acme').map((row) => row.order);
    expect(answered.filter((order) => !afterKill.includes(order))).toEqual([]);

    const second = await start('qaqnuz', flags);
    for (const order of orders) await refund(second.url, order);
    const all = store.contacts.refunds('acme').map((row) => row.order);
    store.close();
    expect(all.toSorted()).toEqual(orders.toSorted());
  });
});
