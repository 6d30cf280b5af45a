import { describe, expect, it } from 'vitest';
import { heard, NOW, said } from '../../../test/helpers.ts';
import { fault, KINDS, type Kind, read, write } from '../../index.ts';
import { codes } from './codes.ts';
import { classOf, closientProblem, closientWait } from './index.ts';

const SEED = {
  error: {
    code: -32200,
    message: 'Not Found',
    data: {
      type: 'https://closient.com/docs/errors/not_found',
      title: 'Not Found',
      status: 404,
      detail: 'No product found for GTIN 00614141123452',
      error_code: 'not_found',
      retryable: false,
      timestamp: '2026-04-26T02:34:56+00:00',
    },
  },
};

// The nine codes are frozen here: renumbering one breaks every client.
const NINE = [
  [-32001, 'unauthorized', 'unauthenticated', 401, false, 'transport'],
  [-32002, 'forbidden', 'forbidden', 403, false, 'transport'],
  [-32003, 'rate_limited', 'rate_limited', 429, true, 'transport'],
  [-32100, 'bad_request', 'invalid_request', 400, false, 'validation'],
  [-32101, 'validation_error', 'invalid_arguments', 400, false, 'validation'],
  [-32102, 'unprocessable_entity', 'unprocessable', 422, false, 'validation'],
  [-32200, 'not_found', 'not_found', 404, false, 'business'],
  [-32201, 'conflict', 'conflict', 409, false, 'business'],
  [-32300, 'internal_error', 'internal', 500, true, 'internal'],
] as const;

function wireOf(code: number, data: object): object {
  return { jsonrpc: '2.0', id: 1, result: { error: { code, message: 'Title', data } } };
}

describe('Closient', () => {
  it('CL-23 writes the document’s example back to the letter', () => {
    const wire = said(heard(SEED).fault, 'closient');
    expect(wire.result.error).toEqual(SEED.error);
    expect(JSON.stringify(wire.result.error)).toBe(JSON.stringify(SEED.error));
  });

  it.each(NINE)(
    'CL-9 CL-16 CL-27 code %i is %s: CL-17…CL-25 kind, status, retryable, class',
    (code, name, kind, status, retryable, family) => {
      const { error } = said(fault(kind as Kind, 'Something', { retryable }).fault, 'closient').result;
      expect(error.code).toBe(code);
      expect(error.data.error_code).toBe(name);
      expect(error.data.status).toBe(status); // CL-7
      expect(error.data.type).toBe(`https://closient.com/docs/errors/${name}`); // CL-5
      expect(error.data.retryable).toBe(retryable); // CL-10
      expect(classOf(code)).toBe(family);
      const back = heard({ jsonrpc: '2.0', id: 1, result: { error } }, 'closient').fault;
      expect([back.kind, back.retryable]).toEqual([kind, retryable]);
    },
  );

  it('CL-3 CL-4 CL-6 a failing result has an error of code, message and data; the message is the class title', () => {
    for (const [, , kind] of NINE) {
      const { error } = said(fault(kind as Kind, 'Occurrence text').fault, 'closient').result;
      expect(Object.keys(error)).toEqual(['code', 'message', 'data']);
      expect(Number.isInteger(error.code)).toBe(true);
      expect(error.message).toBe(error.data.title);
      expect(error.message).not.toContain('Occurrence');
      expect(error.data.detail).toBe('Occurrence text');
    }
  });

  it('CL-2 CL-26 tells kinds apart without reading prose', () => {
    const noise = { title: 'x7', detail: 'q9', retryable: false };
    for (const [code, name, kind, status] of NINE) {
      expect(heard(wireOf(code, { ...noise, error_code: name, status }), 'closient').fault.kind).toBe(kind);
    }
  });

  it('CL-8 two faults of one class differ only in detail, timestamp and extensions', () => {
    const a = said(fault.notFound('No A').fault, 'closient').result.error.data;
    const b = said(fault.notFound('No B').fault, 'closient', { now: NOW + 5000 }).result.error.data;
    const { detail: _a, timestamp: _at, ...restA } = a;
    const { detail: _b, timestamp: _bt, ...restB } = b;
    expect(restA).toEqual(restB);
    expect([a.detail, b.detail]).toEqual(['No A', 'No B']);
  });

  it('CL-11 timestamps have whole seconds and a numeric offset', () => {
    expect(said(fault.notFound('x').fault, 'closient').result.error.data.timestamp).toBe(
      '2026-04-26T02:34:56+00:00',
    );
  });

  it.each([
    ['unauthenticated', -32001, false],
    ['forbidden', -32002, false],
    ['rate_limited', -32003, true],
    ['invalid_request', -32100, false],
    ['invalid_arguments', -32101, false],
    ['unprocessable', -32102, false],
    ['not_found', -32200, false],
    ['conflict', -32201, false],
    ['internal', -32300, true],
  ] as const)(
    'CL-17…CL-25 %s, thrown without another word, is %i with retryable %s',
    (kind, code, retryable) => {
      const { error } = said(fault(kind, 'Something').fault, 'closient').result;
      expect([error.code, error.data.retryable]).toEqual([code, retryable]);
    },
  );

  it('CL-25 an unexpected error of somebody else is retried with backoff too, and the difference is a loss', () => {
    const odd = heard({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } }).fault;
    const { wire, losses } = write(odd, 'closient', { id: 1, now: NOW });
    expect(wire).toMatchObject({ result: { error: { code: -32300, data: { retryable: true } } } });
    expect(losses).toEqual(['reaction', 'retryable', 'retry.when']);
    // Done is done: nobody is told to do it again.
    const done = said(fault.invalidOutput('Its answer was unusable').fault, 'closient').result.error;
    expect([done.code, done.data.retryable]).toEqual([-32300, false]);
  });

  it('CL-12 CL-13 CL-14 CL-1 the same problem document goes out over REST, and reads the same', () => {
    const said404 = fault.notFound('No product').fault;
    const problem = closientProblem(said404, NOW);
    expect(problem).toEqual(said(said404, 'closient').result.error.data);
    const http = {
      http: {
        status: 404,
        headers: { 'Content-Type': 'application/problem+json' },
        body: problem,
      },
    };
    const overRest = heard(http);
    const overMcp = heard(said(said404, 'closient'));
    expect(overRest.dialect).toBe('closient');
    // Over REST the status itself turned the request away; a tool's result proves no such thing.
    expect([overRest.fault.executed, overMcp.fault.executed]).toEqual(['no', 'maybe']);
    expect({ ...overRest.fault, native: undefined, details: undefined }).toEqual({
      ...overMcp.fault,
      executed: 'no',
      native: undefined,
    });
    const more = { http: { ...http.http, body: { ...problem, vendor_extension: 7 } } };
    // A member that nobody knows may tell of anything.
    expect(heard(more).fault).toMatchObject({ executed: 'maybe', details: { vendor_extension: 7 } });
  });

  it('reads the other REST envelope, with upper-case codes', () => {
    const body = {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'Bad GTIN',
        status: 422,
        details: [{ field: 'gtin', message: 'must be 8, 12, 13, or 14 digits' }],
      },
    };
    const { fault: got } = heard({ http: { status: 422, body } }, 'closient');
    expect(got).toMatchObject({
      kind: 'invalid_arguments',
      issues: [{ path: ['gtin'], message: 'must be 8, 12, 13, or 14 digits' }],
    });
  });

  it('CL-15 CL-33 CL-39 a success is no failure, also one with an `error` that is text or null', () => {
    for (const result of [
      { valid: true, error: null },
      { valid: false, error: 'bad check digit' },
      { content: [] },
    ]) {
      expect(read({ jsonrpc: '2.0', id: 1, result }, { from: 'closient' })).toEqual({ failure: false });
    }
  });

  it('CL-19 CL-35 CL-36 waits are whole seconds on the wire, milliseconds inside, 5 s by default', () => {
    const limited = fault.rateLimited('Slow down', { retry: { afterMs: 29_001 } }).fault;
    expect(said(limited, 'closient').result.error.data.retry_after).toBe(30);
    const wire = wireOf(-32003, { error_code: 'rate_limited', retryable: true, retry_after: 30 });
    expect(heard(wire, 'closient').fault.retry).toMatchObject({ when: 'after_wait', afterMs: 30_000 });
    expect(closientWait(heard(wire, 'closient').fault)).toBe(30_000);
    expect(closientWait(fault.rateLimited('x').fault)).toBe(5000);
    for (const [, , kind] of NINE)
      expect(said(fault(kind as Kind, 'x').fault, 'closient').result.error.data).not.toHaveProperty(
        'retry_after',
      );
  });

  it('CL-17 -32001 asks for authentication, not for a retry', () => {
    const { fault: got } = heard(
      wireOf(-32001, { error_code: 'unauthorized', retryable: false }),
      'closient',
    );
    expect(got.retry.when).toBe('after_auth');
    expect(closientWait(got)).toBeUndefined();
  });

  it('CL-21 keeps the list of fields as an extension member', () => {
    const bad = fault.invalidArguments('Bad input', {
      issues: [{ path: ['gtin'], message: 'check digit', code: 'checksum' }],
    }).fault;
    const wire = said(bad, 'closient');
    expect(wire.result.error.data.errors).toEqual([
      { field: 'gtin', message: 'check digit', code: 'checksum' },
    ]);
    expect(heard(wire).fault.issues).toEqual(bad.issues);
  });

  it('CL-26 understands codes that do not exist yet by their class', () => {
    const kinds = [-32004, -32150, -32299, -32399].map((code) => [
      classOf(code),
      heard(wireOf(code, {}), 'closient').fault.kind,
    ]);
    expect(kinds).toEqual([
      ['transport', 'forbidden'],
      ['validation', 'invalid_request'],
      ['business', 'conflict'],
      ['internal', 'internal'],
    ]);
  });

  it.each([
    [-32000, undefined],
    [-32001, 'transport'],
    [-32099, 'transport'],
    [-32100, 'validation'],
    [-32199, 'validation'],
    [-32200, 'business'],
    [-32299, 'business'],
    [-32300, 'internal'],
    [-32399, 'internal'],
    [-32400, undefined],
  ])('CL-26 %i is of the class %s', (code, family) => {
    expect(classOf(code)).toBe(family);
  });

  it('reads the other REST envelope, with its words and its issues', () => {
    const body = {
      error: {
        code: 'NOT_FOUND',
        message: 'No such product',
        status: 404,
        details: [{ path: ['gtin'], message: 'x' }],
      },
    };
    expect(heard({ http: { status: 404, headers: {}, body } }, 'closient')).toMatchObject({
      certainty: 0.8,
      evidence: [{ by: 'code', says: 'REST error not_found', dialect: 'closient', kind: 'not_found' }],
      fault: { kind: 'not_found', message: 'No such product', issues: [{ path: ['gtin'], message: 'x' }] },
    });
  });

  it('does not read a number that is none of its classes', () => {
    expect(heard(wireOf(-32500, {}), 'closient').dialect).not.toBe('closient');
  });

  it.each([
    [-32010, 'Rate limit exceeded', { limit: 1, window: 1, retry_after: 1 }],
    [-32009, 'Request timeout', { timeout_ms: 1, elapsed_ms: 2 }],
    [-32023, 'URI syntax error', undefined],
    [-32150, 'Whatever', { status: 400 }],
  ])('does not take %d of somebody else for a new code of its own', (code, message, data) => {
    const wire = { jsonrpc: '2.0', id: 1, error: { code, message, ...(data === undefined ? {} : { data }) } };
    expect(heard(wire, 'closient').dialect).not.toBe('closient');
    expect(said(heard(wire, 'closient').fault, 'closient').result.error.message).not.toBe('Forbidden');
  });

  it('CL-17…CL-25 the titles are those of the document', () => {
    expect(codes.map(({ title }) => title)).toEqual([
      'Unauthorized',
      'Forbidden',
      'Rate Limited',
      'Bad Request',
      'Validation Error',
      'Unprocessable Entity',
      'Not Found',
      'Conflict',
      'Internal Error',
    ]);
  });

  it('CL-34 CL-37 CL-38 code, problem and status are there; not_found is for the user, once', () => {
    const { fault: got } = heard(SEED);
    expect(got.native).toMatchObject({ dialect: 'closient', code: -32200 });
    expect([got.reaction, got.retry.when]).toEqual(['terminal', 'never']);
    expect(KINDS[got.kind].http).toBe(404);
  });

  it('sends isError and a text beside the error, so that standard clients see the failure', () => {
    const { result } = said(fault.notFound('No product').fault, 'closient');
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe('No product. Check the identifier; do not repeat the same call.');
  });

  it('says what exactly failed through the status of the class', () => {
    for (const [kind, status] of [
      ['timeout', 504],
      ['unavailable', 503],
      ['too_large', 413],
    ] as const) {
      const wire = said(fault(kind, 'x').fault, 'closient');
      expect(wire.result.error.data.status).toBe(status);
      expect(heard(wire).fault.kind).toBe(kind);
    }
  });
});
