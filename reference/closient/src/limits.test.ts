import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FaultError } from '@mayday/core';
import { openCounts } from '@mayday/reference-shared';
import {
  callTool,
  connect,
  expectLawful,
  jsonOf,
  memoryLogger,
  serveHere,
  tempFolder,
} from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { callPatiently } from './client.ts';
import { createLimits, DAY } from './limits.ts';
import { createClosient } from './service.ts';
import { ANONYMOUS } from './tokens.ts';

describe('rate limits', () => {
  it('CL-19 CL-36 -32003 with retry_after, the same over REST with Retry-After and RateLimit headers', async () => {
    const { url } = await serveHere(
      createClosient({ data: tempFolder(), perMinute: 6, logger: memoryLogger() }),
    );
    const call = () => callTool(url, 'lookup_product', { gtin: '96385074' });
    const first = await Promise.all([call(), call()]);
    expect(first.map(({ result }) => result.structuredContent.found)).toEqual([true, true]);
    const { error } = (await call()).result;
    expect(error).toMatchObject({
      code: -32003,
      data: { status: 429, retryable: true, error_code: 'rate_limited' },
    });
    expect(error.data.retry_after).toSatisfy((s: number) => Number.isInteger(s) && s > 0 && s <= 60);
    const response = await fetch(new URL('/v1/products/96385074', url));
    const { headers } = response;
    expect(response.status).toBe(429);
    expect((await jsonOf(response)).retry_after).toBe(Number(headers.get('retry-after')));
    expect(headers.get('ratelimit-policy')).toBe('2;w=60, 10000;w=86400');
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['2', '0']);
    expect(Number(headers.get('ratelimit-reset'))).toBe(Number(headers.get('retry-after')));
  });

  it('CL-28 ping answers when the limit is used up and the token is bad', async () => {
    const { url } = await serveHere(
      createClosient({ data: tempFolder(), perMinute: 6, logger: memoryLogger() }),
    );
    for (let i = 0; i < 4; i++) await callTool(url, 'lookup_product', { gtin: '96385074' });
    const headers = { authorization: 'Bearer nonsense' };
    expect((await callTool(url, 'lookup_product', { gtin: '1' }, headers)).result.error.code).toBe(-32001);
    for (const given of [{}, headers]) {
      const { result } = await callTool(url, 'ping', { unexpected: true }, given);
      expect(result).toEqual({
        content: [{ type: 'text', text: '{"message":"pong"}' }],
        structuredContent: { message: 'pong' },
      });
    }
  });

  it('opens a window again when its time has passed, and counts the day as well', () => {
    const folder = tempFolder();
    let now = 0;
    const limits = createLimits(15_000, openCounts(folder, DAY.windowMs), () => now);
    const taken = (calls: number) =>
      void new DatabaseSync(join(folder, 'limits.sqlite'))
        .prepare(
          `INSERT INTO calls WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
           SELECT 'anonymous', ? FROM n`,
        )
        .run(calls, now);
    taken(4999);
    limits.take(ANONYMOUS);
    expect(() => limits.take(ANONYMOUS)).toThrow('Rate limit exceeded');
    now = 60_000;
    taken(4999);
    limits.take(ANONYMOUS);
    now = 120_000;
    expect(() => limits.take(ANONYMOUS)).toThrow('Rate limit exceeded');
    expect(limits.headers(ANONYMOUS)).toMatchObject({
      'RateLimit-Limit': '10000',
      'RateLimit-Reset': '86280',
    });
  });
});

describe('who is counted with whom', () => {
  const at = (perMinute: number) => createLimits(perMinute, openCounts(tempFolder(), DAY.windowMs), () => 0);
  const caller = (owner: string, kind: 'csb' | 'csu' | 'cpk') => ({ owner, kind, scopes: [] });
  const taken = (limits: ReturnType<typeof at>, who: Parameters<typeof limits.take>[0]) => {
    for (let n = 0; ; n++) {
      try {
        limits.take(who);
      } catch (thrown) {
        return [n, (thrown as FaultError).fault.retry.afterMs];
      }
    }
  };

  it('CL-19 each owner alone, public tokens and nobody a third of it, and nobody’s name is no owner’s', () => {
    const limits = at(7);
    expect(taken(limits, caller('ada', 'csb'))).toEqual([7, 60_000]);
    expect(taken(limits, caller('bob', 'csu'))).toEqual([7, 60_000]);
    expect(taken(limits, caller('eve', 'cpk'))).toEqual([3, 60_000]);
    expect(taken(limits, ANONYMOUS)).toEqual([3, 60_000]);
    expect(taken(limits, caller('anonymous', 'csb'))).toEqual([7, 60_000]);
  });

  it('the headers tell of the window with less left, of the shorter one where both have as much', () => {
    const ada = caller('ada', 'csb');
    expect(at(10_000).headers(ada)).toEqual({
      'RateLimit-Policy': '10000;w=60, 10000;w=86400',
      'RateLimit-Limit': '10000',
      'RateLimit-Remaining': '10000',
      'RateLimit-Reset': '60',
    });
    expect(at(10_001).headers(ada)).toMatchObject({ 'RateLimit-Limit': '10000', 'RateLimit-Reset': '86400' });
  });
});

describe('the sample client', () => {
  const waits: number[] = [];
  const options = { attempts: 3, sleep: async (ms: number) => waits.push(ms) };

  it('CL-34 CL-35 waits as long as retry_after says, 5 seconds when it says nothing, then tries again', async () => {
    const answers = [
      {
        error: {
          code: -32003,
          message: 'Rate Limited',
          data: { error_code: 'rate_limited', retryable: true, retry_after: 30 },
        },
      },
      {
        error: {
          code: -32300,
          message: 'Internal Error',
          data: { error_code: 'internal_error', retryable: true },
        },
      },
      { structuredContent: { found: false } },
    ];
    const client = { callTool: async () => answers.shift() as object as { [member: string]: unknown } };
    waits.length = 0;
    expect(await callPatiently(client, 'lookup_product', {}, options)).toEqual({ payload: { found: false } });
    expect(waits).toEqual([30_000, 5000]);
  });

  it('CL-37 CL-38 tells the user at once what no retry can mend, with its status class', async () => {
    const { url } = await serveHere(createClosient({ data: tempFolder(), logger: memoryLogger() }));
    const client = await connect('v2', { url });
    waits.length = 0;
    const outcome = await callPatiently(client, 'resolve_gtin', { gtin: '00614141123452' }, options);
    expect(outcome).toMatchObject({
      tellTheUser: 'No product found for GTIN 00614141123452',
      fault: { kind: 'not_found', native: { code: -32200 } },
    });
    expect(await callPatiently(client, 'generate_qr_url', { gtin: '1' }, options)).toMatchObject({
      fault: { kind: 'unauthenticated', retry: { when: 'after_auth' } },
    });
    expect(waits).toEqual([]);
  });

  it('tries three times, unless it is told otherwise, and gives the content of what has no structure', async () => {
    let calls = 0;
    const busy = { error: { code: -32003, message: 'Rate Limited', data: { error_code: 'rate_limited' } } };
    const failing = { callTool: async () => ({ n: ++calls, isError: true, ...busy }) };
    const { sleep } = options;
    await callPatiently(failing, 'lookup_product', {}, { sleep });
    expect(calls).toBe(3);
    const content = [{ type: 'text', text: 'pong' }];
    expect(await callPatiently({ callTool: async () => ({ content }) }, 'ping', {})).toEqual({
      payload: content,
    });
  });

  it('CL-35 a wait of more than a day is the end, and the user is told', async () => {
    let calls = 0;
    const data = { error_code: 'rate_limited', retryable: true, retry_after: 1e10 };
    const error = { code: -32003, message: 'Rate Limited', data };
    const outcome = await callPatiently(
      { callTool: async () => ({ n: ++calls, error }) },
      'lookup_product',
      {},
    );
    expect(outcome).toMatchObject({
      tellTheUser: 'Rate Limited\nThe server asks to wait 115,741 days: call again then.',
    });
    expect(calls).toBe(1);
  });

  it('gives up after its attempts', async () => {
    const { url } = await serveHere(
      createClosient({ data: tempFolder(), perMinute: 6, logger: memoryLogger() }),
    );
    const client = await connect('v1', { url });
    for (let i = 0; i < 2; i++) await callTool(url, 'lookup_product', { gtin: '96385074' });
    waits.length = 0;
    const outcome = await callPatiently(client, 'lookup_product', { gtin: '96385074' }, options);
    expect(outcome).toMatchObject({ fault: { kind: 'rate_limited' } });
    expect(waits).toHaveLength(2);
    expect(
      expectLawful(
        {
          result: await client.callTool({ name: 'lookup_product', arguments: { gtin: '96385074' } }),
        } as never,
        'closient',
      ).retry,
    ).toMatchObject({ when: 'after_wait' });
  });
});
