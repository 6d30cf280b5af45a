import { describe, expect, it } from 'vitest';
import { heard, NOW, said } from '../../../test/helpers.ts';
import { type FaultError, fault, type Kind, write } from '../../index.ts';
import { category as onxCategory, rangeCategory as onxRangeCategory } from './index.ts';

const DOMAIN = {
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
const PROTOCOL = {
  jsonrpc: '2.0',
  error: { code: -32602, message: 'Invalid params', data: { field: 'order.customer.email' } },
  id: 1,
};

const EIGHT = [
  ['EM-14', 2001, 'Validation', false, 'invalid_arguments'],
  ['EM-15', 2002, 'Validation', false, 'invalid_arguments'],
  ['EM-16', 2003, 'Validation', false, 'invalid_arguments'],
  ['EM-17', 3001, 'System', true, 'rate_limited'],
  ['EM-18', 3002, 'System', true, 'timeout'],
  ['EM-19', 4001, 'Adapter', false, 'upstream_failed'],
  ['EM-20', 4002, 'System', true, 'unavailable'],
  ['EM-21', 5001, 'Adapter', false, 'unsupported'],
] as const;

function domain(error: object): object {
  return { jsonrpc: '2.0', id: 1, result: { error } };
}

describe('onX', () => {
  it('EM-28 writes the domain example back', () => {
    const { result } = said(heard(DOMAIN).fault, 'onx');
    expect(JSON.stringify(result.error)).toBe(JSON.stringify(DOMAIN.result.error));
  });

  it('EM-29 EM-26 writes the protocol example back, and reads its dotted path', () => {
    const reading = heard(PROTOCOL, 'onx');
    expect(reading.fault.issues[0]?.path).toEqual(['order', 'customer', 'email']);
    expect(said(reading.fault, 'onx', { placement: 'protocol' })).toEqual(PROTOCOL);
  });

  it.each(EIGHT)(
    '%s EM-32 EM-33 %i has its category, retryability and kind',
    (_id, code, category, retryable, kind) => {
      expect(onxCategory(code)).toBe(category);
      const { fault: got, dialect } = heard(domain({ code, message: 'm', retryable }));
      expect(dialect).toBe('onx');
      expect([got.kind, got.retryable]).toEqual([kind, retryable]);
      expect(heard(domain({ code, message: 'm' }), 'onx').fault.retryable).toBe(retryable);
    },
  );

  it.each([
    ['EM-8', 1000, 1999, 'Protocol'],
    ['EM-9', 2000, 2999, 'Validation'],
    ['EM-10', 3000, 3999, 'Business'],
    ['EM-11', 4000, 4999, 'System'],
    ['EM-12', 5000, 5999, 'Adapter'],
  ])('%s the range %i–%i is %s', (_id, low, high, category) => {
    expect([onxRangeCategory(low), onxRangeCategory(high)]).toEqual([category, category]);
    expect([onxRangeCategory(low - 1), onxRangeCategory(high + 1)]).not.toContain(category);
  });

  it('EM-17 the declared category wins over the range; both can be asked for', () => {
    expect([onxCategory(3001), onxRangeCategory(3001)]).toEqual(['System', 'Business']);
    expect([onxCategory(3500), onxRangeCategory(999), onxRangeCategory(6000)]).toEqual([
      'Business',
      undefined,
      undefined,
    ]);
  });

  it('EM-2 EM-24 protocol faults are JSON-RPC errors with the standard codes', () => {
    expect(said(fault.parseError('Bad JSON').fault, 'onx').error).toEqual({
      code: -32700,
      message: 'Bad JSON',
    });
    expect(said(fault.invalidRequest().fault, 'onx').error).toEqual({
      code: -32600,
      message: 'Invalid request',
    });
    expect(
      said(fault.unsupported('Method not found', { subject: { type: 'method', id: 'x/y' } }).fault, 'onx')
        .error.code,
    ).toBe(-32601);
    expect(said(fault.internal('Internal error').fault, 'onx', { placement: 'protocol' }).error).toEqual({
      code: -32603,
      message: 'Internal error',
    });
  });

  it('EM-3 EM-25 EM-27 domain faults stay inside the result', () => {
    const wire = said(fault.rateLimited('Slow down').fault, 'onx');
    expect(wire).not.toHaveProperty('error');
    expect(wire.result.error.code).toBe(3001);
    expect(wire.result.isError).toBe(true);
  });

  it('EM-4 EM-5 EM-6 EM-13 every domain error has a standard number, a message and a boolean', () => {
    const standard = new Set<number>(EIGHT.map((row) => row[1]));
    for (const kind of [
      'not_found',
      'conflict',
      'forbidden',
      'internal',
      'timeout',
      'overloaded',
      'quota_exhausted',
    ] as Kind[]) {
      const { error } = said(fault(kind, 'Something').fault, 'onx').result;
      expect(standard.has(error.code)).toBe(true);
      expect(error.message).toBe('Something');
      expect(typeof error.retryable).toBe('boolean');
    }
  });

  it('EM-7 details are absent when there is nothing to say, and hold no undefined', () => {
    const plain = said(fault.timeout('Too slow').fault, 'onx').result.error;
    expect(Object.keys(plain)).toEqual(['code', 'message', 'retryable']);
    const rich = said(
      fault.timeout('Too slow', { advice: 'Ask for less.', details: { limit: 5 } }).fault,
      'onx',
    ).result.error;
    expect(rich.details).toEqual({ suggestion: 'Ask for less.', context: { limit: 5 } });
    expect(JSON.parse(JSON.stringify(rich))).toEqual(rich);
  });

  it('EM-35 EM-36 the most specific validation code, and the field', () => {
    const one = (code: string, message = 'm') =>
      fault.invalidArguments('Bad', { issues: [{ path: ['order', 'email'], message, code }] }).fault;
    const codes = [one('required'), one('invalid_format'), one('custom')].map(
      (bad) => said(bad, 'onx').result.error,
    );
    expect(codes.map((error) => [error.code, error.details.field])).toEqual([
      [2002, 'order.email'],
      [2003, 'order.email'],
      [2001, 'order.email'],
    ]);
  });

  it('EM-35 several issues have the specific code that fits all of them', () => {
    const codeOf = (...codes: string[]) =>
      said(
        fault.invalidArguments('Bad', {
          issues: codes.map((code, at) => ({ path: [`f${at}`], message: 'm', code })),
        }).fault,
        'onx',
      ).result.error.code;
    expect(codeOf('required', 'missing_key')).toBe(2002);
    expect(codeOf('invalid_format', 'pattern')).toBe(2003);
    expect(codeOf('required', 'invalid_format')).toBe(2001);
    expect(codeOf('too_big', 'required')).toBe(2001);
  });

  it('EM-7 EM-36 the reason is one word, and every sentence is in the context', () => {
    const issues = [
      { path: ['order', 'city'], message: 'is a sentence', code: 'not a word' },
      { path: ['order', 'zip', 0], message: 'Invalid input: expected string, received undefined' },
    ];
    const bad = fault.invalidArguments('Bad', { issues }).fault;
    const { error } = said(bad, 'onx').result;
    expect(error.details).toEqual({
      field: 'order.city',
      reason: 'invalid',
      context: {
        issues: [
          { field: 'order.city', message: 'is a sentence', code: 'not a word' },
          { field: 'order.zip.0', message: 'Invalid input: expected string, received undefined' },
        ],
      },
    });
    expect(heard(domain(error)).fault.issues).toEqual(issues);
    expect(heard(domain(error)).fault.details).toBeUndefined();
    const missing = fault.invalidArguments('Bad', { issues: issues.slice(1) }).fault;
    expect(said(missing, 'onx').result.error.details.reason).toBe('required');
  });

  it.each([
    ['tool', { field: 'name', reason: 'unknown_tool' }],
    ['prompt', { field: 'name', reason: 'unknown_prompt' }],
    ['resource', { field: 'uri', reason: 'unknown_resource' }],
  ])('EM-29 an unknown %s is not found, and is written back', (type, data) => {
    const wire = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Invalid params', data } };
    const { fault: got } = heard(wire);
    expect([got.kind, got.subject, got.executed, got.issues]).toEqual(['not_found', { type }, 'no', []]);
    expect(said(got, 'onx', { placement: 'protocol' })).toEqual(wire);
  });

  it.each([
    { field: 'uri', reason: 'unknown_tool' },
    { field: 'name', reason: 'unknown' },
  ])('EM-29 %j is wrong as any other parameter is', (data) => {
    const wire = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Invalid params', data } };
    expect(heard(wire).fault.kind).toBe('invalid_arguments');
  });

  it.each([
    [{ field: 'a.b' }, 'Invalid params', 'onx'],
    [{ field: 'a.b', reason: 'required', context: { n: 1 } }, 'Invalid params', 'onx'],
    [{ field: 'a.b', other: 1 }, 'Invalid params', 'mcp'],
    [{ field: 7 }, 'Invalid params', 'mcp'],
    [{ field: 'a.b' }, 'Something else', 'mcp'],
  ])('EM-29 -32602 with %j and %j is read as %s', (data, message, dialect) => {
    expect(heard({ jsonrpc: '2.0', id: 1, error: { code: -32602, message, data } }).dialect).toMatch(
      new RegExp(`^${dialect}`),
    );
  });

  it('EM-19 EM-31 an adapter error is not retryable unless it says so', () => {
    expect(heard(domain({ code: 4001, message: 'm', retryable: true })).fault).toMatchObject({
      reaction: 'dependency',
      retryable: true,
    });
    expect(heard(domain({ code: 4001, message: 'm', retryable: false })).fault).toMatchObject({
      reaction: 'terminal',
      retry: { when: 'never' },
    });
  });

  it('EM-19 writes an adapter error as retryable only when somebody said so', () => {
    const retryable = (thrown: FaultError) => said(thrown.fault, 'onx').result.error.retryable;
    expect(retryable(fault.upstreamFailed('x'))).toBe(false);
    expect(retryable(fault.upstreamFailed('x', { retry: { afterMs: 500 } }))).toBe(true);
    expect(retryable(fault.conflict('x', { retryable: true }))).toBe(true);
    const named = (said: boolean) => fault.upstreamFailed('x', { name: 'LOCK_LOST', retryable: said });
    expect([retryable(named(true)), retryable(named(false))]).toEqual([true, false]);
    const backend = heard(domain({ code: 4001, message: 'm', retryable: true })).fault;
    expect(said(backend, 'onx').result.error.retryable).toBe(true);
  });

  it.each([
    ['4002', { code: 4002, message: 'x', retryable: true }, 'unavailable', 'dependency', undefined],
    [
      '3001',
      { code: 3001, message: 'x', retryable: true, details: { context: { retryAfter: 700 } } },
      'rate_limited',
      'retryable',
      700,
    ],
    ['4001', { code: 4001, message: 'x', retryable: true }, 'upstream_failed', 'dependency', undefined],
  ] as const)('EM-30 reads %s in a result as SDKs hand it over', (_, error, kind, reaction, afterMs) => {
    for (const result of [{ content: [], isError: true, error }, { error }, { isError: true, error }]) {
      const reading = heard(result);
      expect(reading).toMatchObject({
        dialect: 'onx',
        placement: 'tool',
        fault: { kind, reaction, retryable: true },
      });
      expect(reading.fault.retry.afterMs).toBe(afterMs);
    }
  });

  it('EM-34 nothing in details leaves unredacted', () => {
    const secret = 'postgres://svc:hunter2@10.0.0.5:5432/prod';
    const foreign = heard(
      domain({ code: 4001, message: 'm', retryable: false, details: { originalError: secret } }),
    );
    expect(JSON.stringify(said(foreign.fault, 'onx'))).not.toContain('hunter2');
    const named = fault.conflict('x', { name: secret }).fault;
    for (const id of ['onx', 'mayday', 'problem', 'closient'] as const)
      expect(JSON.stringify(write(named, id, { now: NOW }))).not.toContain('hunter2');
  });

  it('EM-22 EM-23 identifiers travel beside a standard code, and say what failed', () => {
    const said404 = said(
      fault.notFound('No order', { name: 'ORDER_NOT_FOUND', subject: { type: 'order', id: '4711' } }).fault,
      'onx',
    ).result.error;
    expect([said404.code, said404.details.originalError]).toEqual([4001, 'ORDER_NOT_FOUND']);
    const read = (originalError: string) =>
      heard(domain({ code: 4001, message: 'm', retryable: false, details: { originalError } })).fault;
    expect(read('PRODUCT_NOT_FOUND')).toMatchObject({
      kind: 'not_found',
      subject: { type: 'product' },
      name: 'PRODUCT_NOT_FOUND',
    });
    expect(read('INVALID_ORDER_STATE')).toMatchObject({ kind: 'conflict', subject: { type: 'order' } });
    expect(read('INSUFFICIENT_INVENTORY')).toMatchObject({
      kind: 'conflict',
      subject: { type: 'inventory' },
    });
    expect(read('AUTHENTICATION_FAILED').kind).toBe('unauthenticated');
    expect(read('SOMETHING_ODD')).toMatchObject({
      kind: 'upstream_failed',
      name: 'SOMETHING_ODD',
      retryable: false,
    });
  });

  it('EM-34 EM-37 the private cause is never part of the answer', () => {
    const thrown = fault.upstreamFailed('The shop backend failed', { cause: new Error('password=hunter2') });
    expect(JSON.stringify(said(thrown.fault, 'onx'))).not.toContain('hunter2');
  });

  it('reads the wait in milliseconds', () => {
    const reading = heard(
      domain({ code: 3001, message: 'm', retryable: true, details: { context: { retryAfter: 1500 } } }),
    );
    expect(reading.fault.retry.afterMs).toBe(1500);
  });

  it('EM-1 no other file repeats the standard codes', async () => {
    const { readFile, readdir } = await import('node:fs/promises');
    const folder = new URL('.', import.meta.url);
    const files = (await readdir(folder)).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'codes.ts',
    );
    const sources = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
    const repeated = sources.flatMap(
      (source) => source.match(/RATE_LIMIT_EXCEEDED|BACKEND_UNAVAILABLE|MISSING_REQUIRED_FIELD/g) ?? [],
    );
    expect(repeated).toEqual([]);
  });
});
