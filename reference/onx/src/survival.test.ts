import {
  callTool,
  killWhileWriting,
  post,
  rpcResponse,
  start,
  tempFolder,
} from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { anOrder } from '../test/fixture.ts';

describe('orders', () => {
  it('survive kill -9 in the middle of writes, with the stock that belongs to them', async () => {
    const data = tempFolder();
    const first = await start('onx', ['--data', data]);
    const acknowledged = await killWhileWriting(first, async (n) => {
      const order = anOrder('MUG-BLUE', 1, `web-${n}`);
      return (await callTool(first.url, 'create-sales-order', order)).result.structuredContent.order.id;
    });
    const second = await start('onx', ['--data', data]);
    const found: string[] = [];
    for (let at = 0; at < acknowledged.length; at += 50) {
      const { result } = await callTool(second.url, 'get-orders', { ids: acknowledged.slice(at, at + 50) });
      found.push(...result.structuredContent.orders.map(({ id }: { id: string }) => id));
    }
    expect(found.sort()).toEqual([...acknowledged].sort());
    const { orders } = (await callTool(second.url, 'get-orders', { limit: 100 })).result.structuredContent;
    const { inventory } = (await callTool(second.url, 'get-inventory', { skus: ['MUG-BLUE'] })).result
      .structuredContent;
    expect(inventory[0].available).toBe(100_000 - orders.length);
  });

  it('are served on after abuse: garbage, huge bodies, and many at once', async () => {
    const { url } = await start('onx', ['--data', tempFolder()]);
    await Promise.all(['', '[]', '{', 'null', '{"jsonrpc":"2.0","id":1}'].map((body) => post(url, body)));
    const large = await post(url, JSON.stringify({ note: 'x'.repeat(2_000_000) }));
    expect([large.status, (await rpcResponse(large)).error.code]).toEqual([413, -32600]);
    const many = Array.from({ length: 60 }, () => callTool(url, 'create-sales-order', anOrder('MUG-RED')));
    const answers = await Promise.all(many);
    expect(answers.filter(({ result }) => result.error === undefined)).toHaveLength(3);
    expect(new Set(answers.flatMap(({ result }) => result.error?.details.originalError ?? []))).toEqual(
      new Set(['INSUFFICIENT_INVENTORY']),
    );
    expect((await callTool(url, 'get-products', {})).result.structuredContent.products).toHaveLength(2);
  });
});
