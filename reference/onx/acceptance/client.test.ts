import { beforeAll, describe, expect, it } from 'vitest';
import { member } from '../../acceptance/library.ts';
import { mayday, maydayText } from '../../acceptance/mayday.ts';
import { runSample } from '../../acceptance/sample.ts';
import type { Wire } from '../../acceptance/wire.ts';

const ROWS: [string, number, string, string, boolean][] = [
  ['EM-14', 2001, 'VALIDATION_ERROR', 'Validation', false],
  ['EM-15', 2002, 'MISSING_REQUIRED_FIELD', 'Validation', false],
  ['EM-16', 2003, 'INVALID_FORMAT', 'Validation', false],
  ['EM-17', 3001, 'RATE_LIMIT_EXCEEDED', 'System', true],
  ['EM-18', 3002, 'TIMEOUT', 'System', true],
  ['EM-19', 4001, 'ADAPTER_ERROR', 'Adapter', false],
  ['EM-20', 4002, 'BACKEND_UNAVAILABLE', 'System', true],
  ['EM-21', 5001, 'NOT_IMPLEMENTED', 'Adapter', false],
];

const failed = (code: number, retryable: boolean, details?: Wire): Wire => ({
  result: { error: { code, message: 'Something happened', retryable, details } },
});
const SUCCESS = { result: { content: [{ type: 'text', text: 'done' }] } };

describe('the taxonomy', () => {
  let codes: Wire[];
  beforeAll(async () => {
    const { out } = await maydayText(['catalog', '--format', 'json']);
    codes = JSON.parse(out).codes.filter((row: Wire) => row.source === 'onx');
  });

  it('EM-1 EM-13: the standard codes of the document, and no other', () => {
    const standard = codes.filter((row) => row.code > 0);
    expect(standard.map((row) => [row.code, row.name])).toEqual(ROWS.map(([, code, name]) => [code, name]));
  });

  it('EM-2: the five errors of JSON-RPC by their names', () => {
    const protocol = codes.filter((row) => row.code < 0).map((row) => [row.code, row.title]);
    expect(protocol).toEqual([
      [-32700, 'Parse error'],
      [-32600, 'Invalid request'],
      [-32601, 'Method not found'],
      [-32602, 'Invalid params'],
      [-32603, 'Internal error'],
    ]);
  });

  it.each(ROWS)(
    '%s EM-32 EM-33: %i %s is %s and its retry flag is %s',
    async (_id, code, name, category, retryable) => {
      const row = codes.find((candidate) => candidate.code === code);
      expect([row?.name, row?.retryable]).toEqual([name, retryable]);
      expect((await member('onx', 'onxCategory', 'category'))(code)).toBe(category);
    },
  );

  it.each([
    ['EM-8', 1000, 1999, 'Protocol'],
    ['EM-9', 2000, 2999, 'Validation'],
    ['EM-10', 3000, 3999, 'Business'],
    ['EM-11', 4000, 4999, 'System'],
    ['EM-12', 5000, 5999, 'Adapter'],
  ])('%s EM-4: %i to %i is %s, and its neighbours are not', async (_id, from, to, category) => {
    const rangeCategory = await member('onx', 'onxRangeCategory', 'rangeCategory');
    expect([rangeCategory(from), rangeCategory(to)]).toEqual([category, category]);
    expect(rangeCategory(from - 1)).not.toBe(category);
    expect(rangeCategory(to + 1)).not.toBe(category);
    expect([rangeCategory(999), rangeCategory(6000)]).toEqual([undefined, undefined]);
  });
});

/** One failure in every form in which a client may hold it. */
function forms(wire: Wire): Wire[] {
  return [
    { jsonrpc: '2.0', id: 1, ...wire },
    wire.result,
    { ...wire.result, isError: true, content: [{ type: 'text', text: 'Something happened' }] },
    { jsonrpc: '2.0', id: 1, result: { ...wire.result, isError: true, content: [] } },
  ];
}

describe('reading it', () => {
  const CASES: [number, boolean, string][] = [
    [2001, false, 'validation'],
    [2002, false, 'validation'],
    [2003, false, 'validation'],
    [3001, true, 'retryable'],
    [3002, true, 'retryable'],
    [4001, false, 'terminal'],
    [4001, true, 'dependency'],
    [4002, true, 'dependency'],
    [5001, false, 'terminal'],
  ];
  let readings: Wire[];
  beforeAll(async () => {
    const all = CASES.flatMap(([code, retryable]) => forms(failed(code, retryable)));
    readings = await mayday(['read'], all);
  });

  it.each(CASES)('EM-30 EM-31: %i with retryable: %s is %s in every form', (code, retryable, reaction) => {
    const at = CASES.findIndex((row) => row[0] === code && row[1] === retryable);
    const told = readings.slice(at * 4, at * 4 + 4);
    expect(told.map((reading) => [reading.dialect, reading.retryable, reading.reaction])).toEqual(
      told.map(() => ['onx', retryable, reaction]),
    );
  });

  it('EM-30: a wait in the context is kept, in every form', async () => {
    const limited = forms(failed(3001, true, { context: { retryAfter: 1500 } }));
    const told = await mayday(['read'], limited);
    expect(told.map((reading) => reading.retry.after_ms)).toEqual([1500, 1500, 1500, 1500]);
  });

  it('EM-23: the identifier of an adapter decides what happened', async () => {
    const told = await mayday(
      ['read'],
      [
        { jsonrpc: '2.0', id: 1, ...failed(4001, false, { originalError: 'ORDER_NOT_FOUND' }) },
        { jsonrpc: '2.0', id: 1, ...failed(4001, false, { originalError: 'INVALID_ORDER_STATE' }) },
      ],
    );
    expect(told.map((reading) => reading.kind)).toEqual(['not_found', 'conflict']);
  });
});

describe('writing it', () => {
  const EXAMPLE = {
    jsonrpc: '2.0',
    result: {
      error: {
        code: 4001,
        message: 'Adapter error',
        retryable: false,
        details: { originalError: 'ORDER_NOT_FOUND' },
      },
    },
    id: 1,
  };

  it('EM-28: the document’s example comes out as it went in', async () => {
    const [translated] = await mayday(['translate', '--to', 'onx'], [EXAMPLE]);
    expect(JSON.stringify(translated.wire.result.error)).toBe(JSON.stringify(EXAMPLE.result.error));
  });

  it('EM-29: so does the example of a protocol failure', async () => {
    const error = { code: -32602, message: 'Invalid params', data: { field: 'order.customer.email' } };
    const [translated] = await mayday(['translate', '--to', 'onx'], [{ jsonrpc: '2.0', error, id: 1 }]);
    expect(translated.wire.error).toEqual(error);
  });

  it('EM-19: a dependency that failed and does not say so is not retryable', async () => {
    const [translated] = await mayday(
      ['translate', '--to', 'onx'],
      [{ http: { status: 502, headers: {}, body: 'Bad gateway' } }],
    );
    expect(translated.wire.result.error).toMatchObject({
      code: expect.any(Number),
      retryable: expect.any(Boolean),
    });
    expect([4001, 4002]).toContain(translated.wire.result.error.code);
  });
});

describe('the sample client', () => {
  const busy = failed(4002, true);

  it.each([[{ orders: [] }], [{}]])('EM-27: a success is the tool’s own result: %j', async (payload) => {
    const run = await runSample('onx', [failed(4002, true), { result: payload }]);
    expect([run.status, run.calls.length, JSON.parse(run.out), run.errors]).toEqual([0, 2, payload, '']);
  });

  it('EM-30: retries with waits that double', async () => {
    const run = await runSample('onx', [busy, busy, busy, SUCCESS], { chance: 0.5 });
    expect([run.status, run.calls.length, run.waits.length]).toEqual([0, 4, 3]);
    const [first = 0, second = 0, third = 0] = run.waits;
    expect([Math.round((second / first) * 10) / 10, Math.round((third / second) * 10) / 10]).toEqual([2, 2]);
  });

  it('EM-30: retries with waits that chance moves', async () => {
    const [low, high] = await Promise.all([
      runSample('onx', [busy, busy, SUCCESS], { chance: 0.05 }),
      runSample('onx', [busy, busy, SUCCESS], { chance: 0.95 }),
    ]);
    expect([low.calls.length, high.calls.length]).toEqual([3, 3]);
    expect(high.waits[1]).toBeGreaterThan(Number(low.waits[1] ?? Number.NaN));
  });

  it.each([2001, 2002, 4001, 5001])('EM-31 EM-33: does not repeat %i', async (code) => {
    const run = await runSample('onx', [failed(code, false), SUCCESS]);
    expect([run.status, run.calls.length, run.waits]).toEqual([1, 1, []]);
    expect(run.errors).toContain('Something happened');
  });
});

describe('the resilient client', () => {
  it('EM-30 EM-31: repeats what says retryable, and nothing else', async () => {
    const { Client } = await import('@modelcontextprotocol/client');
    const { httpTransport, resilient } = await import('@mayday/client');
    const { plantServer } = await import('../../acceptance/planted-server.ts');
    const attempts: number[] = [];
    for (const wire of [
      failed(4002, true),
      failed(3002, true),
      failed(4001, true),
      failed(4001, false),
      failed(2001, false),
    ]) {
      const server = await plantServer([wire, SUCCESS]);
      const client = resilient(new Client({ name: 'acceptance', version: '1.0.0' }), {
        transport: () => httpTransport(server.url),
      });
      await client.connect();
      await client.listTools();
      await client.call({ name: 'work', arguments: {} });
      attempts.push(server.calls.length);
      await client.close();
      await server.close();
    }
    expect(attempts).toEqual([2, 2, 2, 1, 1]);
  });
});
