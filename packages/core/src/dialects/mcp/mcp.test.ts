import { describe, expect, it } from 'vitest';
import { heard, said } from '../../../test/helpers.ts';
import { fault } from '../../index.ts';

const error = (code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

describe('MCP, reading', () => {
  it.each([
    [error(-32700, 'Parse error'), 'parse_error', undefined],
    [error(-32600, 'Invalid Request'), 'invalid_request', undefined],
    [error(-32601, 'Method not found'), 'unsupported', 'method'],
    [error(-32602, 'Unknown tool: nope'), 'not_found', 'tool'],
    [error(-32602, 'Tool nope not found'), 'not_found', 'tool'],
    [error(-32602, 'Prompt greet not found'), 'not_found', 'prompt'],
    [error(-32602, 'Resource x://y not found', { uri: 'x://y' }), 'not_found', 'resource'],
    [error(-32602, 'Invalid cursor'), 'invalid_arguments', 'cursor'],
    [
      error(-32602, 'Unsupported protocol version', { supported: ['2025-11-25'], requested: '1.0.0' }),
      'unsupported',
      'protocol_version',
    ],
    [error(-32020, 'Header mismatch', { mismatch: { header: 'a', body: 'b' } }), 'invalid_request', 'header'],
    [error(-32021, 'Missing', { requiredCapabilities: { elicitation: {} } }), 'unsupported', 'capability'],
    [
      error(-32022, 'Unsupported', { supported: ['2026-07-28'], requested: '2099-01-01' }),
      'unsupported',
      'protocol_version',
    ],
    [error(-32002, 'Resource not found', { uri: 'x://y' }), 'not_found', 'resource'],
    [error(-32042, 'URL elicitation required', { elicitations: [] }), 'input_required', 'elicitation'],
    [error(-32603, 'Internal error'), 'internal', undefined],
  ] as const)('%o', (wire, kind, subject) => {
    const { fault: got } = heard(wire);
    expect([got.kind, got.subject?.type]).toEqual([kind, subject]);
  });

  it('takes identifiers from data and from the SDK’s sentences', () => {
    expect(heard(error(-32602, 'Tool nope not found')).fault.subject).toEqual({ type: 'tool', id: 'nope' });
    expect(heard(error(-32022, 'x', { supported: [], requested: '2099-01-01' })).fault.subject).toEqual({
      type: 'protocol_version',
      id: '2099-01-01',
    });
  });

  it('reads input_required as a request for input', () => {
    expect(
      heard({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests: {} } }).fault
        .kind,
    ).toBe('input_required');
  });

  it('reads the draft registry', () => {
    expect(heard(error(-32023, 'Slow down', { retryAfterMs: 1500 }))).toMatchObject({
      dialect: 'mcp@draft',
      fault: { kind: 'rate_limited', retry: { afterMs: 1500 } },
    });
    expect(
      heard(error(-32024, 'Busy', { reason: 'overloaded', retryAfterMs: 10, notProcessed: true })).fault,
    ).toMatchObject({ kind: 'overloaded', executed: 'no' });
    expect(heard(error(-32026, 'Old', { kind: 'cursor', reason: 'expired' })).fault).toMatchObject({
      kind: 'expired',
      subject: { type: 'cursor' },
    });
  });

  it('keeps the kind that its own text names', () => {
    const { result } = said(fault.quotaExhausted('Out of credits').fault, 'mcp');
    expect(heard({ result }).fault).toMatchObject({ kind: 'quota_exhausted', message: 'Out of credits' });
  });
});

describe('MCP, writing', () => {
  it('puts tool failures in the result and what the request got wrong in the error', () => {
    expect(said(fault.conflict('Already shipped').fault, 'mcp').result).toMatchObject({
      isError: true,
      resultType: 'complete',
    });
    expect(said(fault.notFound('Gone', { subject: { type: 'tool', id: 'x' } }).fault, 'mcp').error).toEqual({
      code: -32602,
      message: 'Unknown tool: x',
    });
    expect(
      said(fault.invalidArguments('Bad', { issues: [{ path: ['a'], message: 'Required' }] }).fault, 'mcp')
        .result.content[0].text,
    ).toBe('Bad: a: Required. Correct the arguments, then call again.');
  });

  it('answers every method but tools/call with an error', () => {
    expect(said(fault.rateLimited('Slow').fault, 'mcp', { method: 'resources/read' }).error.code).toBe(
      -32603,
    );
    expect(said(fault.rateLimited('Slow').fault, 'mcp', { method: 'tools/call' }).result.isError).toBe(true);
  });

  it('follows the revision: resource not found', () => {
    const missing = fault.notFound('No such resource', { subject: { type: 'resource', id: 'x://y' } }).fault;
    expect(said(missing, 'mcp').error).toEqual({
      code: -32602,
      message: 'No such resource',
      data: { uri: 'x://y' },
    });
    expect(said(missing, 'mcp@2025-11-25').error).toEqual({
      code: -32002,
      message: 'No such resource',
      data: { uri: 'x://y' },
    });
    expect(said(missing, 'mayday', { revision: '2025-11-25' }).error.code).toBe(-32002);
  });

  it('follows the revision: protocol versions, capabilities, headers', () => {
    const version = fault.unsupported('No', {
      subject: { type: 'protocol_version', id: '9' },
      details: { supported: ['2026-07-28'] },
    }).fault;
    expect(said(version, 'mcp').error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '9' },
    });
    expect(said(version, 'mcp@2025-11-25').error.code).toBe(-32602);
    const capability = fault.unsupported('No', {
      subject: { type: 'capability', id: 'sampling' },
      details: { requiredCapabilities: { sampling: {} } },
    }).fault;
    expect(said(capability, 'mcp').error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
    const header = fault.invalidRequest('No', { subject: { type: 'header', id: 'Mcp-Name' } }).fault;
    expect([said(header, 'mcp').error.code, said(header, 'mcp@2025-11-25').error.code]).toEqual([
      -32020, -32600,
    ]);
  });

  it('writes the draft registry, and leaves failures inside a tool with the tool', () => {
    const limited = fault.rateLimited('Slow', { retry: { afterMs: 1500 } });
    expect(said(limited.fault, 'mcp@draft').error).toEqual({
      code: -32023,
      message: 'Slow',
      data: { retryAfterMs: 1500 },
    });
    expect(said({ ...limited.fault, origin: 'upstream' }, 'mcp@draft').result.isError).toBe(true);
  });

  it('stamps results of every dialect for a session that demands it, and leaves them alone otherwise', () => {
    const conflict = fault.conflict('Already shipped').fault;
    for (const to of ['closient', 'onx', 'qaqnuz', 'platica', 'mcp', 'tool-failure', 'mayday'] as const) {
      expect(said(conflict, to, { revision: '2026-07-28' }).result.resultType).toBe('complete');
    }
    expect(said(conflict, 'platica').result).not.toHaveProperty('resultType');
    expect(said(conflict, 'mayday', { revision: '2025-11-25' }).result).not.toHaveProperty('resultType');
  });

  it('never sends id: null', () => {
    for (const to of ['mcp', 'mcp@2025-11-25', 'mcp@draft', 'mayday', 'tool-failure'] as const) {
      expect(said(fault.parseError('x').fault, to, { id: null })).not.toHaveProperty('id');
    }
  });
});
