import { describe, expect, it } from 'vitest';
import { heard, NOW, said } from '../../../test/helpers.ts';
import { fault, write } from '../../index.ts';

describe('mayday', () => {
  const limited = fault.rateLimited('Too many look-ups', {
    retry: { afterMs: 30_000 },
    correlationId: 'c-1',
  }).fault;

  it('is a tool result with an instruction for the model and the document for machines', () => {
    expect(said(limited, 'mayday')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [{ type: 'text', text: 'Too many look-ups. Wait, then call again. Wait at least 30 s.' }],
        isError: true,
        resultType: 'complete',
        _meta: {
          'dev.mayday/fault': {
            kind: 'rate_limited',
            reaction: 'retryable',
            retryable: true,
            retry: { when: 'after_wait', after_ms: 30_000 },
            executed: 'no',
            origin: 'server',
            message: 'Too many look-ups',
            correlation_id: 'c-1',
          },
        },
      },
    });
  });

  it('keeps the specification’s code and data for a protocol failure', () => {
    const { error } = said(
      fault.notFound('No such resource', { subject: { type: 'resource', id: 'x://y' } }).fault,
      'mayday',
    );
    expect(error).toMatchObject({
      code: -32602,
      message: 'No such resource',
      data: { uri: 'x://y', kind: 'not_found', subject: { type: 'resource', id: 'x://y' } },
    });
  });

  it('is recognised with full certainty', () => {
    expect(heard(said(limited, 'mayday'))).toMatchObject({ dialect: 'mayday', certainty: 1, fault: limited });
  });
});

describe('tool-failure', () => {
  it('classifies in `_meta`', () => {
    const { result } = said(
      fault.rateLimited('Slow', { retry: { afterMs: 2000 }, correlationId: 'c-1' }).fault,
      'tool-failure',
    );
    expect(result._meta['io.modelcontextprotocol/toolFailure']).toEqual({
      class: 'reliability',
      code: 'rate_limited',
      retryable: true,
      retryNotBefore: NOW + 2000,
      correlationId: 'c-1',
      agentGuidance: 'Wait, then call again. Wait at least 2 s.',
    });
  });

  it('uses the baseline vocabulary where it has a word', () => {
    const codeOf = (thrown: ReturnType<typeof fault>) =>
      said(thrown.fault, 'tool-failure').result._meta['io.modelcontextprotocol/toolFailure'];
    expect(codeOf(fault.unauthenticated('x'))).toMatchObject({ class: 'governance', code: 'auth_required' });
    expect(codeOf(fault.invalidArguments('x'))).toMatchObject({ class: 'capability', code: 'invalid_input' });
    expect(codeOf(fault.notFound('x'))).toMatchObject({ class: 'capability', code: 'resource_not_found' });
    expect(codeOf(fault.unauthenticated('x'))).not.toHaveProperty('retryable');
  });

  it('reads a foreign code by its class', () => {
    const wire = (failure: object) => ({
      result: {
        isError: true,
        content: [{ type: 'text', text: 'x' }],
        _meta: { 'io.modelcontextprotocol/toolFailure': failure },
      },
    });
    expect(
      heard(wire({ class: 'governance', code: 'policy_blocked', correlationId: 'c' })).fault,
    ).toMatchObject({ kind: 'forbidden', correlationId: 'c' });
    expect(
      heard(wire({ class: 'reliability', code: 'odd', retryable: true, correlationId: 'c' })).fault,
    ).toMatchObject({ kind: 'not_ready', retryable: true });
    expect(
      heard(wire({ class: 'capability', code: 'odd', retryable: true, correlationId: 'c' })).fault.retryable,
    ).toBe(false);
  });
});

describe('problem', () => {
  it('is an HTTP response with the whole fault', () => {
    expect(write(fault.rateLimited('Slow', { retry: { afterMs: 1500 } }).fault, 'problem').wire).toEqual({
      http: {
        status: 429,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '2' },
        body: {
          type: 'https://mayday.dev/faults/rate_limited',
          title: 'Rate limited',
          status: 429,
          detail: 'Slow',
          kind: 'rate_limited',
          reaction: 'retryable',
          retryable: true,
          retry: { when: 'after_wait', after_ms: 1500 },
          executed: 'no',
          origin: 'server',
        },
      },
    });
    expect(write(fault.unauthenticated('x').fault, 'problem').wire).toMatchObject({
      http: { status: 401, headers: { 'www-authenticate': 'Bearer' } },
    });
  });

  it('reads foreign problem documents', () => {
    const body = {
      type: 'https://example.com/probs/out-of-credit',
      title: 'You do not have enough credit.',
      status: 403,
      detail: 'Balance is 30, it costs 50.',
    };
    expect(heard(body)).toMatchObject({
      dialect: 'problem',
      fault: { kind: 'forbidden', message: 'Balance is 30, it costs 50.' },
    });
    const invalid = {
      title: 'Invalid',
      status: 400,
      errors: [{ detail: 'must be positive', pointer: '/age' }],
    };
    expect(
      heard({ http: { status: 400, headers: { 'content-type': 'application/problem+json' }, body: invalid } })
        .fault,
    ).toMatchObject({
      kind: 'invalid_arguments',
      issues: [{ path: ['age'], message: 'must be positive' }],
    });
  });
});
