import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heard, said } from '../../../test/helpers.ts';
import { type Fault, fault, read, write } from '../../index.ts';
import { restError as platicaError } from './index.ts';

const SEED = {
  jsonrpc: '2.0',
  id: 7,
  result: {
    isError: true,
    content: [{ type: 'text', text: '{"code":404,"error":"Client not found","details":"..."}' }],
    structuredContent: { code: 404, error: 'Client not found' },
  },
};

function execution(body: object): object {
  return {
    jsonrpc: '2.0',
    id: 7,
    result: {
      isError: true,
      content: [{ type: 'text', text: JSON.stringify(body) }],
      structuredContent: body,
    },
  };
}

describe('Platica execution errors', () => {
  it('PL-13 writes the document’s example back to the letter', () => {
    expect(said(heard(SEED).fault, 'platica', { id: 7 })).toEqual(SEED);
  });

  it('PL-2 PL-10 reads the example', () => {
    expect(heard(SEED)).toMatchObject({
      dialect: 'platica',
      placement: 'tool',
      fault: { kind: 'not_found', message: 'Client not found', subject: { type: 'client' } },
    });
  });

  it.each([
    ['PL-6', 400, 'invalid_arguments', false],
    ['PL-8', 401, 'unauthenticated', false],
    ['PL-9', 403, 'forbidden', false],
    ['PL-10', 404, 'not_found', false],
    ['PL-4', 409, 'conflict', false],
    ['PL-11', 422, 'conflict', false],
    ['PL-4', 429, 'rate_limited', true],
    ['PL-12', 500, 'internal', true],
    ['PL-4', 502, 'upstream_failed', true],
    ['PL-4', 503, 'unavailable', true],
    ['PL-4', 504, 'timeout', true],
  ] as const)('%s status %i is %s', (_id, code, kind, retryable) => {
    const { fault: got } = heard(execution({ code, error: 'Message' }));
    expect([got.kind, got.retryable]).toEqual([kind, retryable]);
  });

  it('PL-6 takes the flagged fields from errors[]', () => {
    const { fault: got } = heard(
      execution({ code: 400, error: 'Bad', errors: [{ field: 'name', message: 'is too long' }] }),
    );
    expect(got.issues).toEqual([{ path: ['name'], message: 'is too long' }]);
  });

  it('PL-7 a multi-workspace key without a workspace is told what to pass', () => {
    const { fault: got } = heard(
      execution({ code: 400, error: 'Must specify a valid workspace for this key' }),
    );
    expect(got).toMatchObject({
      kind: 'invalid_arguments',
      issues: [{ path: ['workspace'] }],
      advice: 'Pass workspace: "<id>" in the arguments.',
    });
  });

  it('PL-4 every answer that is not 2xx becomes an execution error', () => {
    for (const status of [300, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504]) {
      const got = platicaError(status, '{}');
      expect(said(got as NonNullable<typeof got>, 'platica').result.isError).toBe(true);
    }
    expect([200, 201, 204].map((status) => platicaError(status, '{}'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('PL-5 PL-14 passes the raw body on, and the parsed one if it is an object', () => {
    const write = (body: string) => said(platicaError(500, body) as never, 'platica').result;
    const spaced = '{ "code": 500,\n "error": "boom" }';
    expect(write(spaced)).toEqual({
      isError: true,
      content: [{ type: 'text', text: spaced }],
      structuredContent: { code: 500, error: 'boom' },
    });
    expect(write('<html>')).toEqual({ isError: true, content: [{ type: 'text', text: '<html>' }] });
    expect(write('')).toEqual({ isError: true, content: [{ type: 'text', text: '' }] });
    expect(write('["a"]')).not.toHaveProperty('structuredContent');
    fc.assert(
      fc.property(fc.string(), (body) => {
        expect(write(body).content[0].text).toBe(body);
      }),
    );
  });

  it('leaves structuredContent out for clients that choke on it', () => {
    expect(said(heard(SEED).fault, 'platica', { structuredContent: false }).result).not.toHaveProperty(
      'structuredContent',
    );
  });

  it('PL-20 PL-21 PL-22 PL-23 invalid arguments list every issue, as text and in Zod’s form', () => {
    const bad = fault.invalidArguments('Bad input', {
      issues: [
        { path: ['name'], message: 'Required', code: 'invalid_type' },
        { path: ['tags', 0], message: 'Too long', code: 'too_big' },
        { path: [], message: 'Unrecognized key' },
      ],
    }).fault;
    const wire = said(bad, 'platica');
    expect(wire).not.toHaveProperty('error');
    expect(wire.result.content[0].text).toBe('name: Required\ntags.0: Too long\nUnrecognized key');
    expect(wire.result.structuredContent.issues).toEqual([
      { path: ['name'], message: 'Required', code: 'invalid_type' },
      { path: ['tags', 0], message: 'Too long', code: 'too_big' },
      { path: [], message: 'Unrecognized key', code: 'custom' },
    ]);
    expect(heard(wire).fault).toMatchObject({
      kind: 'invalid_arguments',
      issues: wire.result.structuredContent.issues,
    });
  });

  it('tells the caller of another system what to do in `details`', () => {
    const body = JSON.parse(
      said(fault.quotaExhausted('Out of credits').fault, 'platica').result.content[0].text,
    );
    expect(body).toEqual({
      code: 429,
      error: 'Out of credits',
      details: 'The quota is used up; do not retry, tell the user.',
    });
    expect(heard(execution(body)).fault.kind).toBe('quota_exhausted');
  });
});

describe('Platica protocol errors', () => {
  it.each([
    ['PL-16', -32001, 'unauthenticated', false],
    ['PL-17', -32000, 'unsupported', false],
    ['PL-18', -32602, 'invalid_request', false],
    ['PL-19', -32603, 'internal', true],
  ] as const)('%s PL-1 PL-3 %i is %s', (_id, code, kind, retryable) => {
    const wire = { jsonrpc: '2.0', id: 1, error: { code, message: 'Some message' } };
    const { fault: got, placement } = heard(wire, 'platica');
    expect([got.kind, got.retryable, placement]).toEqual([kind, retryable, 'protocol']);
    expect(said(got, 'platica')).toEqual(wire);
  });

  it('PL-16 recognises its own -32001, and sends that sentence', () => {
    const message = 'Unauthorized: missing or invalid Authorization header';
    expect(heard({ jsonrpc: '2.0', id: 1, error: { code: -32001, message } }).dialect).toBe('platica');
    expect(said(fault.unauthenticated('No key').fault, 'platica', { placement: 'protocol' }).error).toEqual({
      code: -32001,
      message,
    });
  });

  it('PL-15 what cannot run at all is a protocol error', () => {
    expect(said(fault.invalidRequest('params is no object').fault, 'platica').error.code).toBe(-32602);
    expect(
      said(fault.unsupported('GET', { subject: { type: 'method', id: 'GET' } }).fault, 'platica').error.code,
    ).toBe(-32000);
  });
});

it('says what stands beside no text at all', () => {
  const error = { code: -32003, message: 'Rate Limited', data: { title: 'Too many', status: 429 } };
  const reading = read({ jsonrpc: '2.0', id: 1, result: { content: [], error } }, { from: 'platica' });
  const { wire } = write((reading as { fault: Fault }).fault, 'platica', { id: 1, method: 'tools/call' });
  expect(wire).toMatchObject({
    result: { isError: true, structuredContent: { code: 429, error: 'Too many' } },
  });
});
