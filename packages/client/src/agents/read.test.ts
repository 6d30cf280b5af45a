import { describe, expect, it } from 'vitest';
import { readError, readResult } from './read.ts';

const failed = (text: string): object => ({ isError: true, content: [{ type: 'text', text }] });

describe('a result', () => {
  it('CL-39 QA-24 is no failure when it is a success', () => {
    expect(readResult({ content: [{ type: 'text', text: 'rate limit is 5' }] }, 0)).toBeUndefined();
    expect(readResult({ resultType: 'input_required' }, 0)).toBeUndefined();
    expect(readResult(null, 0)).toBeUndefined();
  });

  it('QA-23 is read from its text, whatever that is', () => {
    expect(readResult(failed('Rate limit exceeded'), 0)?.fault).toMatchObject({
      kind: 'rate_limited',
      retryable: true,
    });
    expect(readResult(failed(''), 0)?.fault).toMatchObject({ kind: 'unknown', retryable: false });
    expect(readResult({ isError: true }, 0)?.fault).toMatchObject({ kind: 'unknown' });
  });

  it('CL-33 ER-81 is a failure when it holds an error', () => {
    const error = {
      code: -32200,
      message: 'No rule',
      data: { error_code: 'not_found', status: 404, retryable: false },
    };
    expect(readResult({ content: [], error }, 0)?.fault).toMatchObject({ kind: 'not_found' });
  });

  it('comes with a text for the model', () => {
    expect(readResult(failed('Rate limit exceeded'), 0)?.text).toBe(
      'Rate limit exceeded. Wait, then call again. It may have happened; check before you repeat a change.',
    );
  });

  it('warns of doing it twice, unless the tool only reads or does not ask to try again', () => {
    expect(readResult(failed('Rate limit exceeded'), 0, { readOnly: true })?.text).toBe(
      'Rate limit exceeded. Wait, then call again.',
    );
    expect(readResult(failed('Permission denied'), 0)?.text).toBe(
      'Permission denied. Ask for access; do not repeat the call without it.',
    );
  });

  it('does not say again what our own text has said', () => {
    const text =
      'Unavailable. The service is down; back off, then try again. It may have happened; check before you repeat a change.';
    expect(readResult(failed(text), 0)?.text).toBe(text);
    expect(readResult(failed(`${text} Wait at least 7 s. Reference: 7d0c-4f1e.`), 0)).toMatchObject({
      fault: { kind: 'unavailable', retry: { afterMs: 7000 } },
      text: 'Unavailable. Reference: 7d0c-4f1e. The service is down; back off, then try again. It may have happened; check before you repeat a change. Wait at least 7 s.',
    });
  });
});

describe('a value that throws while it is looked at', () => {
  const refuse = (): never => {
    throw new Error('no');
  };
  const hostile = [
    Object.defineProperty({ content: [] }, 'isError', { get: refuse }),
    Object.defineProperty({ isError: true }, '_meta', { get: refuse, enumerable: true }),
    new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse }),
    Object.defineProperty(new Error('x'), 'name', { get: refuse }),
    Object.defineProperty(new Error('x'), 'code', { get: refuse }),
    Object.defineProperty(new Error('x'), 'data', { get: refuse }),
    Object.defineProperty({ isError: true }, 'content', { get: refuse, enumerable: true }),
  ];

  it('is a failure of which nothing is known', () => {
    for (const value of hostile) {
      expect(readError(value, 0).fault).toMatchObject({ kind: 'unknown', executed: 'maybe' });
      expect(readResult(value, 0)?.fault.executed ?? 'maybe').toBe('maybe');
    }
  });
});

describe('a result that looks like an answer of the protocol layer', () => {
  const error = { code: -32601, message: 'Method not found' };
  it.each([
    { content: [], isError: true, jsonrpc: '2.0', id: 1, error },
    { content: [{ type: 'text', text: 'booked' }], jsonrpc: '2.0', error },
    { jsonrpc: '2.0', id: 1, error },
    { error },
    { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Invalid params' } },
  ])('is the tool’s word: %j', (result) => {
    expect(readResult(result, 0)?.fault.executed).toBe('maybe');
  });
});

describe('an error', () => {
  it.each([
    [new Error('Not connected'), 'disconnected', 'no'],
    [
      Object.assign(new Error('Request timed out'), { code: 'REQUEST_TIMEOUT', data: { timeout: 5 } }),
      'timeout',
      'maybe',
    ],
    [Object.assign(new Error('AbortError'), { code: 'REQUEST_TIMEOUT' }), 'cancelled', 'maybe'],
    [Object.assign(new Error('bad'), { name: 'ZodError' }), 'invalid_output', 'maybe'],
    [new SyntaxError('Unexpected token'), 'invalid_output', 'maybe'],
    [undefined, 'unknown', 'maybe'],
    [Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }), 'unavailable', 'no'],
  ])('%s is %s', (error, kind, executed) => {
    expect(readError(error, 0).fault).toMatchObject({ kind, executed });
  });

  it('warns of doing it twice where the answer was lost, and not where nothing was sent', () => {
    const cut = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
    expect(readError(cut, 0).text).toBe(
      'The connection was lost before the answer came. The connection broke: it may have happened; check before you repeat a change, otherwise try again.',
    );
    const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    expect(readError(refused, 0).text).toBe(
      'The server cannot be reached. The service is down; back off, then try again.',
    );
  });

  it('says why a fetch failed', () => {
    const reset = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
    expect(readError(reset, 0).fault.message).toBe('The connection was lost before the answer came');
  });
});

describe('an HTTP error of an SDK', () => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: 'Invalid Request' },
  });

  it.each([
    [
      'v1',
      { name: 'StreamableHTTPError', code: 400 },
      `Streamable HTTP error: Error POSTing to endpoint: ${body}`,
    ],
    ['older v1', { name: 'StreamableHTTPError', code: 400 }, `Error POSTing to endpoint (HTTP 400): ${body}`],
    [
      'v2',
      { name: 'SdkHttpError', code: 'CLIENT_HTTP_NOT_IMPLEMENTED', status: 400, data: { text: body } },
      'x',
    ],
    [
      'AI SDK',
      { name: 'MCPClientError', statusCode: 400, responseBody: body },
      `MCP HTTP Transport Error: ${body}`,
    ],
  ])('of %s is read from its body, not from the words around it', (_, members, message) => {
    const { fault, text } = readError(Object.assign(new Error(message), members), 0);
    expect(fault).toMatchObject({
      kind: 'invalid_request',
      message: 'Invalid Request',
      executed: 'maybe',
    });
    expect(text).not.toContain('jsonrpc');
  });
});

it('takes `isError` as a text for what it says', () => {
  const content = [{ type: 'text', text: 'Order 7 not found' }];
  expect(readResult({ isError: 'true', content })?.fault).toMatchObject({
    kind: 'not_found',
    executed: 'maybe',
  });
  expect(readResult({ isError: 'false', content })).toBeUndefined();
});
