import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Visit } from '../../acceptance/backend.ts';
import { foreignMembers } from '../../acceptance/hostile.ts';
import { SLOW } from '../../acceptance/program.ts';
import { callTool, type Message, type Wire } from '../../acceptance/wire.ts';
import { type Desk, MACHINE_READABLE, ORDER, openDesk, says } from './desk.ts';

/** Each standard code by real conditions: what is called, what the backend does. */
const CASES: [string, number, boolean, string, Wire, string][] = [
  ['EM-14', 2001, false, 'get-orders', { status: 'misplaced' }, 'ok'],
  ['EM-15', 2002, false, 'create-sales-order', { order: { ...ORDER, shippingAddress: undefined } }, 'ok'],
  ['EM-15', 2002, false, 'update-order', { orderId: 'o1', updates: {} }, 'ok'],
  ['EM-16', 2003, false, 'get-orders', { createdAtMin: 'yesterday' }, 'ok'],
  ['EM-17', 3001, true, 'get-orders', {}, 'limited'],
  ['EM-18', 3002, true, 'get-orders', {}, 'hang'],
  ['EM-19', 4001, false, 'cancel-order', { orderId: 'o1' }, 'missing'],
  ['EM-20', 4002, true, 'get-orders', {}, 'down'],
  ['EM-20', 4002, true, 'get-orders', {}, 'reset'],
  ['EM-21', 5001, false, 'create-return', { orderId: 'o1', lineItems: ORDER.lineItems }, 'ok'],
];

let desk: Desk;
let mood = 'ok';
const answers: Message[] = [];

function reply(_visit: Visit): ReturnType<typeof says> {
  if (mood === 'hang' || mood === 'reset') {
    return mood;
  }
  if (mood === 'limited') {
    return says(429, { code: 'RATE_LIMITED', message: 'Slow down' });
  }
  if (mood === 'missing') {
    return says(404, { code: 'ORDER_NOT_FOUND', message: 'No order o1' });
  }
  return mood === 'down'
    ? says(503, { code: 'MAINTENANCE', message: 'Back soon' })
    : says(200, { orders: [] });
}

beforeAll(async () => {
  desk = await openDesk(reply, ['--deadline-ms', '700']);
  for (const [, , , tool, args, backend] of CASES) {
    mood = backend;
    answers.push(await callTool(desk.endpoint, tool, args));
  }
  mood = 'ok';
}, SLOW);
afterAll(() => desk.close());

const rows = CASES.map(([id, code, retryable, tool, , backend], at) => ({
  id,
  code,
  retryable,
  tool,
  backend,
  at,
}));

describe.each(rows)('$id $code from $tool while the backend is $backend', ({ id, code, retryable, at }) => {
  const error = (): Wire => answers[at]?.result?.error;

  it(`${id} EM-4 EM-13 EM-35: the code is ${code}, a standard one`, () => {
    expect(error()?.code).toBe(code);
  });

  it(`${id} EM-6 EM-32 EM-33: retryable is ${retryable}, always there, a boolean`, () => {
    expect(error()?.retryable).toBe(retryable);
  });

  it(`EM-5: ${code} has a message for people`, () => {
    expect(error()?.message).toMatch(/[a-z]{3,}.* .*[a-z]{3,}/i);
  });

  it(`EM-3 EM-25: ${code} is in the result of a successful response`, () => {
    expect(answers[at]).not.toHaveProperty('error');
    expect(answers[at]?.jsonrpc).toBe('2.0');
    expect(answers[at]?.result?.isError).toBe(true);
    expect(answers[at]?.result?.content?.[0]?.text).toMatch(/\w+ \w+/);
  });

  it(`EM-7: ${code} has the members of ErrorResponse and no other`, () => {
    const { details, ...top } = error() ?? {};
    expect(Object.keys(top).sort()).toEqual(['code', 'message', 'retryable']);
    const allowed = ['context', 'field', 'originalError', 'reason', 'suggestion'];
    expect(Object.keys(details ?? {}).filter((key) => !allowed.includes(key))).toEqual([]);
    expect(JSON.stringify(details) ?? 'absent').not.toBe('{}');
  });

  it(`EM-7: the reason of ${code} is short and machine-readable, if there is one`, () => {
    expect(error()?.details?.reason ?? 'none').toMatch(MACHINE_READABLE);
  });

  it(`EM-1 EM-3: ${code} speaks no other dialect`, () => {
    expect(foreignMembers(answers[at])).toEqual([]);
  });
});

describe('validation', () => {
  it.each([
    [0, 'status'],
    [1, 'order.shippingAddress'],
    [2, 'updates'],
    [3, 'createdAtMin'],
  ])('EM-36: case %i names the field %s', (at, field) => {
    expect(answers[at]?.result?.error?.details?.field).toBe(field);
  });

  it(
    'EM-17: a rate limit of the desk itself is 3001 too',
    async () => {
      const strict = await openDesk(reply, ['--per-minute', '2']);
      const codes: Wire[] = [];
      for (let calls = 0; calls < 3; calls += 1) {
        const { result } = await callTool(strict.endpoint, 'get-orders', {});
        codes.push([result.error?.code, result.error?.retryable]);
      }
      await strict.close();
      expect(codes).toEqual([
        [undefined, undefined],
        [undefined, undefined],
        [3001, true],
      ]);
    },
    SLOW,
  );

  it('EM-27: a success is a response with jsonrpc, result and id, and no error anywhere', async () => {
    const answer = await callTool(desk.endpoint, 'get-orders', {});
    expect(Object.keys(answer).sort()).toEqual(['id', 'jsonrpc', 'result']);
    expect(answer.result).not.toHaveProperty('error');
    expect(answer.result.structuredContent).toEqual({ orders: [] });
  });
});
