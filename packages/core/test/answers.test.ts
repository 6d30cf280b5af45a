import { describe, expect, it } from 'vitest';
import { type Executed, read } from '../src/index.ts';

/** What a client of an SDK throws for a JSON-RPC error of the server. */
function answers(code: number | string, message: string, data?: unknown): readonly object[] {
  return [
    Object.assign(new Error(`MCP error ${code}: ${message}`), { name: 'McpError', code, data }),
    Object.assign(new Error(message), { name: 'ProtocolError', code, data }),
    Object.assign(new Error(message), { name: 'MCPClientError', code, data, cause: { code, message, data } }),
  ];
}

function ownAttempt(thrown: unknown): Executed | 'success' {
  const reading = read(thrown, { began: false, now: 0 });
  return reading.failure ? reading.fault.executed : 'success';
}

describe('an error that the server answered with', () => {
  it.each([
    [-32603, 'Not connected', undefined],
    [-32000, 'Not connected', undefined],
    [-32602, 'Not connected', undefined],
    [1, 'Not connected', undefined],
    [-32000, 'MCP error -32000: Not connected', undefined],
    ['NOT_CONNECTED', 'x', undefined],
    [-32603, 'x', { code: 'NOT_CONNECTED' }],
    [-32603, 'x', { code: 'ECONNREFUSED' }],
    [-32603, 'x', { status: 404 }],
    [-32603, 'x', { statusCode: 403 }],
    [1, 'x', { status: 401, text: '' }],
    [-32603, 'x', { text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params"}}' }],
    [-32603, 'x', { response: { status: 404 } }],
  ])('is no failure of our own connection or transport: %s %s', (code, message, data) => {
    expect(answers(code, message, data).map(ownAttempt)).toEqual(['maybe', 'maybe', 'maybe']);
  });

  it('is told apart from what the SDKs throw themselves', () => {
    expect(ownAttempt(new Error('Not connected'))).toBe('no');
    expect(ownAttempt(Object.assign(new Error('x'), { name: 'SdkError', code: 'NOT_CONNECTED' }))).toBe('no');
    const failed = { name: 'SdkHttpError', code: 'CLIENT_HTTP_NOT_IMPLEMENTED', data: { status: 404 } };
    expect(ownAttempt(Object.assign(new Error('Not found'), failed))).toBe('no');
    expect(
      ownAttempt(Object.assign(new Error('Unauthorized'), { name: 'MCPClientError', statusCode: 401 })),
    ).toBe('no');
  });
});
