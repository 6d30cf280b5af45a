import { describe, expect, test } from 'vitest';
import { read } from './index.ts';

const SAID = 'Card was charged, receipt failed';
const toolError = (body: unknown) => ({
  result: { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] },
});
const structured = (body: unknown) => ({
  result: { isError: true, content: [{ type: 'text', text: 'failed' }], structuredContent: body },
});
const http = (status: number, body: unknown) => ({
  http: { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
});
const rpc = (data: unknown) => ({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: SAID, data } });

/** Whether the same call may be made again, of what is read as a failure. */
const mayRetry = (wire: unknown): unknown => {
  const reading = read(wire);
  return reading.failure && reading.fault.retryable;
};

describe('a server that says that nobody is to try again', () => {
  const shapes: Array<[string, (code: number, flag: object) => object]> = [
    ['error beside code', (code, flag) => ({ error: SAID, code, ...flag })],
    ['error beside status', (code, flag) => ({ error: SAID, status: code, ...flag })],
    ['message beside code', (code, flag) => ({ message: SAID, code, ...flag })],
    ['inside of error', (code, flag) => ({ error: { message: SAID, code, ...flag } })],
    ['outside of error', (code, flag) => ({ error: { message: SAID, code }, ...flag })],
  ];
  const flags = [{ retryable: false }, { retry: false }, { isRetryable: false }, { should_retry: false }];
  const statuses = [429, 500, 503, 504];
  test.each(shapes)('is believed, whatever the status is and wherever it stands: %s', (_name, shape) => {
    const overruled = statuses.flatMap((code) =>
      flags.flatMap((flag) => {
        const body = shape(code, flag);
        return [toolError(body), structured(body), rpc(body), http(code, body)].filter(mayRetry);
      }),
    );
    expect(overruled).toEqual([]);
  });

  test('is told from one that says nothing of it', () => {
    expect(mayRetry(toolError({ error: 'Service unavailable', code: 503 }))).toBe(true);
    expect(mayRetry(http(503, { error: { message: 'x', code: 503, retryable: true } }))).toBe(true);
  });
});

describe('an error beside a status of 500', () => {
  test.each([
    ['Invalid API key', 'unauthenticated'],
    ['User 5 not found', 'not_found'],
    ['Do not retry: duplicate order', 'conflict'],
  ])('is what its words say, where they say it surely: %s', (error, kind) => {
    expect(read(toolError({ error, code: 500 }))).toMatchObject({ fault: { kind, retryable: false } });
  });

  test.each(['Boom', 'Internal server error'])('is the status, where they do not: %s', (error) => {
    expect(read(toolError({ error, code: 500 }))).toMatchObject({
      fault: { kind: 'internal', retryable: true },
    });
  });
});
