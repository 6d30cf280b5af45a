import type { ServerResponse } from 'node:http';
import type { FaultError } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { startProvider } from '../test/platform.ts';
import { createProvider } from './provider.ts';

const RETRY = { afterMs: 1000, maxAttempts: 2, backoff: 'exponential' };
const { signal } = new AbortController();

/** What is heard of a provider that answers like this. */
async function heard(answer: (sku: string, response: ServerResponse) => void, sku = 'A/1'): Promise<unknown> {
  const run = createProvider(await startProvider(answer))(sku, signal);
  return run.catch((thrown: FaultError) => {
    const { kind, message, retry } = thrown.fault;
    return { kind, message, retry };
  });
}

const answering =
  (status: number, body: string, headers = {}) =>
  (_sku: string, response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);

describe('the provider', () => {
  it('is asked for the product, whatever is in its name', async () => {
    const asked: string[] = [];
    const counted = (sku: string, response: ServerResponse) => {
      asked.push(sku);
      response.end('{"pieces":7,"more":1}');
    };
    expect([await heard(counted), asked]).toEqual([7, ['A%2F1']]);
    expect(await heard(answering(200, '{"pieces":0}'))).toBe(0);
  });

  it.each([
    [404, '', 'not_found', 'The stock provider does not know this product', {}],
    [500, 'at Pool.query (db.js:7)', 'upstream_failed', 'The stock provider failed', RETRY],
    [500, '{"pieces":7}', 'upstream_failed', 'The stock provider failed', RETRY],
    [200, '{"pieces":-1}', 'upstream_failed', 'The stock provider failed', RETRY],
    [200, '{"pieces":1.5}', 'upstream_failed', 'The stock provider failed', RETRY],
    [200, '<html>', 'upstream_failed', 'The stock provider failed', RETRY],
  ])('QA-12 %i %j is %s: %s', async (status, body, kind, message, retry) => {
    expect(await heard(answering(status, body))).toMatchObject({ kind, message, retry });
  });

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{}, 1000],
    [{ 'retry-after': 'soon' }, 1000],
  ])('QA-11 429 with %j is waited out once', async (headers, afterMs) => {
    expect(await heard(answering(429, '', headers))).toMatchObject({
      kind: 'rate_limited',
      message: 'The rate limit of the stock provider is reached',
      retry: { afterMs, maxAttempts: 1, backoff: 'fixed' },
    });
  });

  it('QA-12 QA-17 503 is tried again when the provider asks for it', async () => {
    expect(await heard(answering(503, '', { 'retry-after': '7' }))).toMatchObject({
      kind: 'upstream_failed',
      retry: { ...RETRY, afterMs: 7000 },
    });
  });

  it('QA-12 that is gone, or stops in the middle, cannot be reached', async () => {
    const unreachable = {
      kind: 'unavailable',
      message: 'The stock provider cannot be reached',
      retry: RETRY,
    };
    expect(await heard((_sku, response) => void response.destroy())).toMatchObject(unreachable);
    const half = (_sku: string, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"pieces"');
      setImmediate(() => response.destroy());
    };
    expect(await heard(half)).toMatchObject(unreachable);
  });

  it('that was never set up is the platform’s own fault', async () => {
    await expect(createProvider(undefined)('A', signal)).rejects.toMatchObject({
      fault: { kind: 'misconfigured', message: 'Stock figures are not set up for this platform' },
    });
  });
});
