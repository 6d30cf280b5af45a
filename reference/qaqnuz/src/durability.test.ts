import { callTool, start, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { openStore } from './store/index.ts';

const ORDERS = Array.from({ length: 120 }, (_, at) => `o-${at}`);

describe('what survives', () => {
  it('kill -9 among approved calls: each refund that was answered is there, and none is there twice', async () => {
    const folder = tempFolder();
    const store = openStore(folder);
    store.keys.addBrand('acme');
    const { id, key } = store.keys.issue('acme', ['payments.refund']);
    const now = Date.now();
    const argumentsOf = (order: string) => ({ order, amount_cents: 1 });
    store.atomically(() => {
      for (const order of ORDERS) {
        store.orders.add('acme', order, 1);
        const call = { principal: `acme/${id}`, tool: 'issue_refund', arguments: argumentsOf(order) };
        store.approvals.decide(store.approvals.claim(call, now).id, 'granted', now);
      }
    });
    const flags = ['--data', folder, '--per-key', '1000', '--per-brand', '1000'];
    const refund = (url: string, order: string) =>
      callTool(url, 'issue_refund', argumentsOf(order), { authorization: `Bearer ${key}` });

    const first = await start('qaqnuz', flags);
    const answered: string[] = [];
    const open = [...ORDERS];
    // A few callers at a time, so that the kill always comes in the middle.
    const caller = async (): Promise<void> => {
      for (let order = open.shift(); order !== undefined; order = open.shift()) {
        expect((await refund(first.url, order)).result).toMatchObject({ isError: false });
        answered.push(order);
        if (answered.length === 10) void first.kill();
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: 6 }, caller));
    expect(ends.map((end) => end.status)).toEqual(Array(6).fill('rejected'));
    const afterKill = store.orders.refunds('acme').map((row) => row.order);
    expect(answered.filter((order) => !afterKill.includes(order))).toEqual([]);

    const second = await start('qaqnuz', flags);
    await Promise.all(ORDERS.map((order) => refund(second.url, order)));
    const all = store.orders.refunds('acme').map((row) => row.order);
    store.close();
    expect(all.toSorted()).toEqual(ORDERS.toSorted());
  });
});
