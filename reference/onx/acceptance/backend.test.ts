import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reply, Visit } from '../../acceptance/backend.ts';
import { SLOW } from '../../acceptance/program.ts';
import { callTool, type Wire } from '../../acceptance/wire.ts';
import { type Desk, MACHINE_READABLE, ORDER, openDesk, says } from './desk.ts';

let desk: Desk;
let answer: (visit: Visit) => Reply;
beforeAll(async () => {
  desk = await openDesk((visit) => answer(visit), ['--deadline-ms', '700']);
}, SLOW);
beforeEach(() => {
  answer = () => says(200, { orders: [] });
});
afterAll(() => desk.close());

async function errorWhen(reply: Reply, tool = 'cancel-order', args: Wire = { orderId: 'o1' }): Promise<Wire> {
  answer = () => reply;
  return (await callTool(desk.endpoint, tool, args)).result?.error;
}

describe('identifiers of the backend', () => {
  it.each([
    'ORDER_NOT_FOUND',
    'INVALID_ORDER_STATE',
    'INSUFFICIENT_INVENTORY',
    'order.not_found',
    'payment-declined',
    'CustomerBlocked',
    'E1042',
  ])('EM-22 EM-23: %s is forwarded as details.originalError beside 4001', async (id) => {
    const error = await errorWhen(says(409, { code: id, message: 'No' }));
    expect([error?.code, error?.details?.originalError]).toEqual([4001, id]);
  });

  it.each([400, 403, 404, 409, 410, 422])(
    'EM-19 EM-13: HTTP %i with an identifier is 4001',
    async (status) => {
      const error = await errorWhen(says(status, { code: 'ORDER_LOCKED', message: 'No' }));
      expect([error?.code, error?.retryable, error?.details?.originalError]).toEqual([
        4001,
        false,
        'ORDER_LOCKED',
      ]);
    },
  );

  it.each([
    [409, true],
    [409, false],
    [422, true],
    [500, true],
    [500, false],
  ])('EM-19: HTTP %i that says retryable: %s goes on with that word', async (status, retryable) => {
    const error = await errorWhen(says(status, { code: 'ORDER_BUSY', message: 'No', retryable }));
    expect([error?.code, error?.retryable]).toEqual([4001, retryable]);
  });

  it.each([400, 404, 500])('EM-19: HTTP %i that says nothing about it is not retryable', async (status) => {
    const error = await errorWhen(says(status, { code: 'ODD', message: 'No' }));
    expect([error?.code, error?.retryable]).toEqual([4001, false]);
  });
});

/** What must stay where it was said, wherever a backend puts it. */
const PRIVATE = [
  'jane.doe@example.com',
  '/srv/shop/db.sqlite',
  'orders_internal_v2',
  'hunter2',
  'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB',
  'Zacarias',
];
const LEAK = `SELECT * FROM orders_internal_v2 failed for Zacarias jane.doe@example.com at /srv/shop/db.sqlite password=hunter2 ghp_0123456789abcdefghijklmnopqrstuvwxyzAB`;

describe('a backend that talks too much', () => {
  const PLACES: [string, number, Wire][] = [
    ['message', 422, { code: 'INVALID_INPUT', message: LEAK }],
    ['reason', 422, { code: 'INVALID_INPUT', message: 'No', reason: LEAK }],
    ['field', 422, { code: 'INVALID_INPUT', message: 'No', field: LEAK }],
    ['reason beside a field', 422, { code: 'INVALID_INPUT', message: 'No', field: 'items', reason: LEAK }],
    ['field beside a reason', 400, { code: 'INVALID_INPUT', message: 'No', field: LEAK, reason: 'bad' }],
    [
      'context',
      422,
      { code: 'INVALID_INPUT', message: 'No', context: { query: LEAK, nested: [{ who: LEAK }] } },
    ],
    ['context as text', 404, { code: 'ORDER_NOT_FOUND', message: 'No', context: LEAK }],
    ['details', 409, { code: 'CONFLICT', message: 'No', details: { note: LEAK }, stack: LEAK }],
    ['code', 409, { code: LEAK, message: 'No' }],
    ['a code that is a token', 409, { code: 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB', message: LEAK }],
    ['a code that is an address', 409, { code: 'jane.doe@example.com', message: LEAK }],
    ['name', 500, { name: LEAK, message: 'No' }],
    ['a page', 502, LEAK],
    ['a success that is none', 500, [LEAK]],
  ];

  it.each(PLACES)(
    'EM-34 EM-37: what it says in %s reaches the log, not the caller',
    async (place, status, body) => {
      const before = desk.server.program.errors().length;
      answer = () => says(status, body);
      const said = await callTool(desk.endpoint, 'cancel-order', { orderId: 'o1' });
      expect(said.result?.error?.retryable).toBe(false);
      const text = JSON.stringify(said);
      expect([place, PRIVATE.filter((word) => text.includes(word))]).toEqual([place, []]);
      expect(desk.server.program.errors().slice(before)).toContain('orders_internal_v2');
    },
  );

  it('EM-7 EM-34: a reason that is one word and a context that is harmless may go on', async () => {
    const error = await errorWhen(
      says(422, { code: 'INVALID_INPUT', message: 'No', field: 'orderId', context: { orderId: 'o1' } }),
    );
    expect(error?.details?.originalError).toBe('INVALID_INPUT');
    expect(error?.details?.reason ?? 'none').toMatch(MACHINE_READABLE);
  });

  it.each([
    ['half an answer', 'cut' as const],
    ['an answer that is no JSON', { status: 200, body: '<html>hello</html>' }],
    ['an empty answer', { status: 200, body: '' }],
    ['an answer of another shape', { status: 200, body: '[1,2,3]' }],
  ])('EM-19 EM-25 EM-26: %s is the adapter’s failure, in the result', async (_name, reply) => {
    answer = () => reply;
    const said = await callTool(desk.endpoint, 'get-orders', {});
    expect(said).not.toHaveProperty('error');
    expect([4001, 4002]).toContain(said.result?.error?.code);
  });
});

describe('retryable means safe', () => {
  it('EM-6: an order that may have been made is not said to be safe to repeat', async () => {
    let made = 0;
    answer = () => {
      made += 1;
      return 'reset';
    };
    const { result } = await callTool(desk.endpoint, 'create-sales-order', { order: ORDER });
    expect([made, result?.error?.code, result?.error?.retryable]).toEqual([1, 4001, false]);
  });

  it('EM-6: with half an answer to a new order it is not safe either', async () => {
    answer = () => 'cut';
    const { result } = await callTool(desk.endpoint, 'create-sales-order', { order: ORDER });
    expect(result?.error?.retryable).toBe(false);
  });

  it('EM-6 EM-32: a backend that is not available may have begun with a new order', async () => {
    answer = () => says(503, { code: 'MAINTENANCE', message: 'Back soon' });
    const { result } = await callTool(desk.endpoint, 'create-sales-order', { order: ORDER });
    expect([result?.error?.code, result?.error?.retryable]).toEqual([4001, false]);
  });

  it('EM-6 EM-20: whoever only reads from it is safe to ask again', async () => {
    answer = () => says(503, { code: 'MAINTENANCE', message: 'Back soon' });
    const { result } = await callTool(desk.endpoint, 'get-orders', {});
    expect([result?.error?.code, result?.error?.retryable]).toEqual([4002, true]);
  });

  it('EM-17: the wait that a backend asks for is kept', async () => {
    answer = () => ({
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': '7' },
      body: '{"code":"RATE_LIMITED","message":"No"}',
    });
    const { result } = await callTool(desk.endpoint, 'get-orders', {});
    expect([result.error.code, result.error.details?.context?.retryAfter]).toEqual([3001, 7000]);
  });

  it('EM-18: a backend that never answers is let go of, and the caller hears 3002', async () => {
    answer = () => 'hang';
    const started = Date.now();
    const { result } = await callTool(desk.endpoint, 'get-orders', {});
    expect([result.error.code, result.error.retryable]).toEqual([3002, true]);
    expect(Date.now() - started).toBeLessThan(4000);
  });
});

describe('the system behind the address is gone', () => {
  it('EM-20: a connection that nobody takes is 4002', async () => {
    await desk.backend.close();
    const { result } = await callTool(desk.endpoint, 'create-sales-order', { order: ORDER });
    expect([result?.error?.code, result?.error?.retryable]).toEqual([4002, true]);
  });
});
