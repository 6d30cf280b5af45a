import {
  CLIENTS,
  callTool,
  command,
  connect,
  expectLawful,
  expectRecognised,
  post,
  rpcResponse,
  tempFolder,
} from '@mayday/reference-shared/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { anOrder, openDesk } from '../test/fixture.ts';
import { INPUTS } from './inputs.ts';

let url: string;

beforeAll(async () => {
  ({ url } = await openDesk());
});

const call = (tool: string, args: unknown) => callTool(url, tool, args);
const made = async (...order: Parameters<typeof anOrder>) =>
  (await call('create-sales-order', anOrder(...order))).result.structuredContent.order;

describe('an order', () => {
  it('EM-27 is made, shipped in parts, and returned', async () => {
    const response = await call('create-sales-order', anOrder('SHIRT-M', 2));
    expect(Object.keys(response).sort()).toEqual(['id', 'jsonrpc', 'result']);
    const { id } = response.result.structuredContent.order;
    const part = { orderId: id, lineItems: [{ sku: 'SHIRT-M', quantity: 1 }] };
    expect((await call('fulfill-order', part)).result.structuredContent.order.status).toBe('open');
    expect((await call('fulfill-order', { orderId: id })).result.structuredContent.order.status).toBe(
      'fulfilled',
    );
    expect((await call('create-return', part)).result.structuredContent.order.status).toBe('fulfilled');
    expect((await call('create-return', part)).result.structuredContent.order.status).toBe('returned');
    const count = async (tool: string, member: string) =>
      (await call(tool, { orderIds: [id] })).result.structuredContent[member].length;
    expect([await count('get-fulfillments', 'fulfillments'), await count('get-returns', 'returns')]).toEqual([
      2, 2,
    ]);
  });

  it('gives its goods back when it is cancelled', async () => {
    const stock = async () =>
      (await call('get-inventory', { skus: ['MUG-RED'] })).result.structuredContent.inventory[0].available;
    const before = await stock();
    const { id } = await made('MUG-RED', 2);
    expect(await stock()).toBe(before - 2);
    await call('cancel-order', { orderId: id, reason: 'changed my mind' });
    expect(await stock()).toBe(before);
  });

  it('is found again, and changed', async () => {
    const { id } = await made();
    const { result } = await call('update-order', { orderId: id, updates: { note: 'Ring twice' } });
    expect(result.structuredContent.order.note).toBe('Ring twice');
    const future = { ids: [id], createdAtMin: '2999-01-01T00:00:00Z' };
    expect((await call('get-orders', future)).result.structuredContent.orders).toEqual([]);
    expect(
      (await call('get-orders', { ids: [id], status: 'open' })).result.structuredContent.orders,
    ).toHaveLength(1);
    const people = (await call('get-customers', { emails: ['ana@example.com'] })).result.structuredContent;
    expect(people.customers).toHaveLength(1);
    const variants = (await call('get-product-variants', { productIds: ['mug'] })).result.structuredContent
      .variants;
    expect(variants.map(({ sku }: { sku: string }) => sku)).toEqual(['MUG-BLUE', 'MUG-RED']);
    expect((await call('get-products', { ids: ['mug'] })).result.structuredContent.products).toHaveLength(1);
  });

  it('with the same external id is one order, however often it is sent', async () => {
    const first = await made('MUG-BLUE', 1, 'web-1');
    expect(await made('MUG-BLUE', 1, 'web-1')).toEqual(first);
  });
});

describe('a domain failure', () => {
  it.each([
    [
      'ORDER_NOT_FOUND',
      'cancel-order',
      { orderId: 'ord_0' },
      { kind: 'not_found', subject: { type: 'order', id: 'ord_0' } },
    ],
    ['PRODUCT_NOT_FOUND', 'create-sales-order', anOrder('MUG-GOLD'), { kind: 'not_found' }],
    ['INSUFFICIENT_INVENTORY', 'create-sales-order', anOrder('MUG-RED', 999), { kind: 'conflict' }],
  ])(
    'EM-3 EM-22 EM-23 EM-25 %s is a result with 4001 and the identifier',
    async (identifier, tool, args, heard) => {
      const response = await call(tool, args);
      expect(response).not.toHaveProperty('error');
      expect(response.result).toMatchObject({
        isError: true,
        error: { code: 4001, retryable: false, details: { originalError: identifier } },
      });
      expect(expectLawful(response, 'onx')).toMatchObject({ ...heard, retryable: false, name: identifier });
      expectRecognised(response, 'onx');
    },
  );

  it('EM-13 EM-23 INVALID_ORDER_STATE says what the state is', async () => {
    const { id: orderId } = await made();
    await call('cancel-order', { orderId });
    const { error } = (await call('fulfill-order', { orderId })).result;
    expect(error).toMatchObject({
      code: 4001,
      message: `Cannot fulfill order ${orderId}: it is cancelled`,
      details: {
        originalError: 'INVALID_ORDER_STATE',
        context: { orderId, currentStatus: 'cancelled', operation: 'fulfill' },
      },
    });
  });

  it('a refused order takes nothing out of the stock', async () => {
    const order = anOrder('SHIRT-M', 1) as { order: { lineItems: object[] } };
    order.order.lineItems.push({ sku: 'MUG-RED', quantity: 999 });
    const stock = async () => (await call('get-inventory', { skus: ['SHIRT-M'] })).result.structuredContent;
    const before = await stock();
    expect((await call('create-sales-order', order)).result.error.details.originalError).toBe(
      'INSUFFICIENT_INVENTORY',
    );
    expect(await stock()).toEqual(before);
  });

  const lacking = { order: { ...(anOrder() as { order: object }).order, shippingAddress: undefined } };
  it.each([
    ['EM-14', 2001, 'status', 'get-orders', { status: 'lost' }],
    ['EM-15', 2002, 'order.shippingAddress', 'create-sales-order', lacking],
    ['EM-16', 2003, 'createdAtMin', 'get-orders', { createdAtMin: 'yesterday' }],
  ])(
    '%s EM-33 EM-35 EM-36 what the tool itself finds wrong is %i, with the field %s',
    async (_id, code, field, tool, args) => {
      const response = await call(tool, args);
      expect(response).not.toHaveProperty('error');
      expect(response.result.error).toMatchObject({ code, retryable: false, details: { field } });
      expect(expectLawful(response, 'onx')).toMatchObject({ kind: 'invalid_arguments' });
    },
  );

  it('more than was ordered cannot be shipped', async () => {
    const { id: orderId } = await made();
    const { error } = (
      await call('fulfill-order', { orderId, lineItems: [{ sku: 'MUG-BLUE', quantity: 2 }] })
    ).result;
    expect(error).toMatchObject({
      code: 2001,
      details: { field: 'lineItems.0.quantity', reason: 'too_big' },
      message: 'lineItems.0.quantity is more than the 1 to fulfill',
    });
  });
});

describe('one product in two lines', () => {
  const lineItems = [1, 1].map((quantity) => ({ sku: 'MUG-BLUE', quantity }));

  it.each(['fulfill-order', 'create-return'])('is not counted past the order by %s', async (tool) => {
    const { id: orderId } = await made();
    expect((await call(tool, { orderId, lineItems })).result.error).toMatchObject({
      code: 2001,
      details: { field: 'lineItems.1.sku', reason: 'duplicate' },
    });
  });
});

describe('a protocol failure', () => {
  it('EM-26 EM-29 arguments that break the schema are -32602 with a dotted field, and the tool does not run', async () => {
    const order = anOrder('MUG-BLUE', 1, 'never-made') as { order: { customer: { email: string } } };
    order.order.customer.email = 'nobody';
    const response = await call('create-sales-order', order);
    expect(response).not.toHaveProperty('result');
    expect(response.error).toEqual({
      code: -32602,
      message: 'Invalid params',
      data: {
        field: 'order.customer.email',
        reason: 'invalid_format',
        context: {
          issues: [
            { field: 'order.customer.email', message: 'Invalid email address', code: 'invalid_format' },
          ],
        },
      },
    });
    const { orders } = (await call('get-orders', { limit: 100 })).result.structuredContent;
    expect(orders.map((made: { externalId: string }) => made.externalId)).not.toContain('never-made');
  });

  it.each([
    ['a missing field', 'cancel-order', {}, 'orderId'],
    ['a wrong type', 'get-orders', { limit: 'all' }, 'limit'],
    [
      'an item of a list',
      'create-sales-order',
      { order: { customer: { email: 'a@b.mx' }, lineItems: [{ sku: 'MUG-BLUE', quantity: 0 }] } },
      'order.lineItems.0.quantity',
    ],
    ['no arguments at all', 'get-inventory', undefined, 'skus'],
  ])('EM-26 EM-29 %s', async (_what, tool, args, field) => {
    expect((await call(tool, args)).error).toMatchObject({ code: -32602, data: { field } });
  });

  it('EM-2 EM-24 malformed JSON is -32700, no message -32600, an unknown method -32601', async () => {
    const answer = async (body: string) => rpcResponse(await post(url, body));
    expect((await answer('{"jsonrpc":"2.0",')).error).toMatchObject({ code: -32700 });
    expect((await answer('{"jsonrpc":"2.0","id":1,"method":"orders/burn"}')).error).toMatchObject({
      code: -32601,
    });
    expect((await answer('{"jsonrpc":"1.0","id":1}')).error.code).toBe(-32600);
    expect((await call('get-products', {})).result.isError).toBeUndefined();
  });
});

describe.each(CLIENTS)('the official client %s', (name) => {
  it.each(['http', 'stdio'])('sees twelve tools, successes and failures over %s', async (transport) => {
    const client = await connect(
      name,
      transport === 'http' ? { url } : command('onx', ['--data', tempFolder()]),
    );
    expect((await client.listTools()).tools.map((tool) => tool.name).sort()).toEqual(
      Object.keys(INPUTS).sort(),
    );
    const { structuredContent } = await client.callTool({
      name: 'create-sales-order',
      arguments: anOrder() as never,
    });
    expect(structuredContent).toMatchObject({ order: { status: 'open' } });
    const missing = await client.callTool({ name: 'cancel-order', arguments: { orderId: 'ord_0' } });
    expect(missing).toMatchObject({
      isError: true,
      error: { code: 4001, details: { originalError: 'ORDER_NOT_FOUND' } },
    });
    await expect(client.callTool({ name: 'cancel-order', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      data: { field: 'orderId' },
    });
  });
});
