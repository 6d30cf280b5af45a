import { callTool, post, rpcResponse } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { openDesk } from '../test/fixture.ts';
import { INPUTS, isReading, type ToolName } from './inputs.ts';

const SKU_RULE = 'must be 1 to 32 capitals, digits or dashes';
const ADDRESS = { street: 'Calle 1', city: 'Mérida', country: 'MX' };
const line = (more: object = {}) => ({ sku: 'A', quantity: 1, ...more });
const order = (more: object = {}) => ({
  order: { customer: { email: 'a@b.mx' }, lineItems: [line()], shippingAddress: ADDRESS, ...more },
});
const of = (length: number, one = 'x') => one.repeat(length);

/** The longest and the shortest that each field takes, and what is one beyond. */
const EDGES: readonly (readonly [
  ToolName,
  field: string,
  taken: readonly object[],
  refused: readonly object[],
])[] = [
  [
    'cancel-order',
    'orderId',
    [{ orderId: of(1) }, { orderId: of(64) }],
    [{ orderId: '' }, { orderId: of(65) }],
  ],
  ['cancel-order', 'reason', [{ orderId: 'o', reason: of(500) }], [{ orderId: 'o', reason: of(501) }]],
  [
    'create-sales-order',
    'order.lineItems.0.sku',
    [order({ lineItems: [line({ sku: of(32, 'Z') })] }), order({ lineItems: [line({ sku: '0-9' })] })],
    [order({ lineItems: [line({ sku: of(33, 'Z') })] }), order({ lineItems: [line({ sku: 'a' })] })],
  ],
  [
    'create-sales-order',
    'order.lineItems.0.quantity',
    [order({ lineItems: [line({ quantity: 10_000 })] })],
    [0, 10_001, 1.5].map((quantity) => order({ lineItems: [line({ quantity })] })),
  ],
  [
    'create-sales-order',
    'order.lineItems',
    [order({ lineItems: Array(100).fill(line()) })],
    [order({ lineItems: [] }), order({ lineItems: Array(101).fill(line()) })],
  ],
  [
    'create-sales-order',
    'order.shippingAddress.street',
    [order({ shippingAddress: { ...ADDRESS, street: 'x' } })],
    [order({ shippingAddress: { ...ADDRESS, street: '' } })],
  ],
  [
    'create-sales-order',
    'order.shippingAddress.city',
    [order({ shippingAddress: { ...ADDRESS, city: 'x' } })],
    [order({ shippingAddress: { ...ADDRESS, city: '' } })],
  ],
  [
    'create-sales-order',
    'order.customer.name',
    [order({ customer: { email: 'a@b.mx', name: of(200) } })],
    [order({ customer: { email: 'a@b.mx', name: of(201) } })],
  ],
  [
    'update-order',
    'updates.note',
    [{ orderId: 'o', updates: { note: of(500) } }],
    [{ orderId: 'o', updates: { note: of(501) } }],
  ],
  [
    'create-return',
    'reason',
    [{ orderId: 'o', lineItems: [line()], reason: of(500) }],
    [{ orderId: 'o', lineItems: [line()], reason: of(501) }],
  ],
  ['get-orders', 'limit', [{ limit: 1 }, { limit: 100 }], [{ limit: 0 }, { limit: 101 }, { limit: 1.5 }]],
  ['get-inventory', 'skus', [{ skus: ['A'] }], [{ skus: [] }]],
];

describe('an input', () => {
  it.each(EDGES)('EM-26 of %s: %s has its bounds', (name, field, taken, refused) => {
    for (const input of taken) expect(INPUTS[name].safeParse(input).error).toBeUndefined();
    for (const input of refused)
      expect(INPUTS[name].safeParse(input).error?.issues[0]?.path.join('.')).toBe(field);
  });

  it('says what a SKU looks like, and finds fifty unless it is told otherwise', () => {
    expect(INPUTS['get-inventory'].safeParse({ skus: ['a'] }).error?.issues[0]?.message).toBe(SKU_RULE);
    expect(INPUTS['get-products'].parse({})).toEqual({ limit: 50 });
  });
});

describe('the list', () => {
  const WRITING = ['create-sales-order', 'cancel-order', 'update-order', 'fulfill-order', 'create-return'];
  const READING = [
    'get-orders',
    'get-customers',
    'get-products',
    'get-product-variants',
    'get-inventory',
    'get-fulfillments',
    'get-returns',
  ];

  it('has twelve tools that say what they do; what only reads says so', async () => {
    const { url } = await openDesk();
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { tools } = (await rpcResponse(await post(url, JSON.stringify(request)))).result;
    const facts = tools.map(({ name, annotations }: { name: string; annotations: object }) => [
      name,
      annotations,
    ]);
    expect(facts).toEqual([
      ...WRITING.map((name) => [name, { readOnlyHint: false }]),
      ...READING.map((name) => [name, { readOnlyHint: true }]),
    ]);
    for (const { description } of tools) expect(description).toMatch(/^\w+ .+\.$/);
    expect(READING.map((name) => isReading(name as ToolName))).toEqual(READING.map(() => true));
  });
});

describe('the desk', () => {
  it('EM-17 counts 600 calls a minute for each caller, all tools together', async () => {
    const taken: object[] = [];
    const counts = { take: (one: { key: string; limit: number; windowMs: number }) => taken.push(one) * 0 };
    const { url } = await openDesk({ counts });
    for (const name of ['get-products', 'get-orders']) await callTool(url, name, {});
    const key = expect.any(String);
    expect(taken).toMatchObject([1, 2].map(() => ({ key, limit: 600, windowMs: 60_000 })));
    expect(new Set(taken.map((one) => (one as { key: string }).key)).size).toBe(1);
  });

  it('EM-21 EM-27 says what it is, answers in text and structure, and names what its adapter lacks', async () => {
    const adapter = { name: 'half', tools: { 'get-products': () => ({ products: [] }) }, close: () => {} };
    const { url } = await openDesk({ adapter });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const hello = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
    expect((await rpcResponse(hello)).result.serverInfo).toEqual({ name: 'onx', version: '1.0.0' });
    expect((await callTool(url, 'get-products', {})).result).toMatchObject({
      content: [{ type: 'text', text: '{"products":[]}' }],
      structuredContent: { products: [] },
    });
    expect((await callTool(url, 'get-orders', {})).result.error).toMatchObject({
      code: 5001,
      message: 'The half adapter does not support get-orders',
    });
  });
});
