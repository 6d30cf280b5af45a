import {
  callTool,
  jsonOf,
  killWhileWriting,
  memoryLogger,
  serveHere,
  start,
  tempFolder,
} from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { checkDigit } from './gtin.ts';
import { createClosient } from './service.ts';
import { openStore } from './store.ts';
import { mintToken } from './tokens.ts';

/** Different GTINs, as many as you like. */
function gtin(n: number): string {
  const digits = `950700${String(n).padStart(6, '0')}`;
  return `${digits}${checkDigit(digits)}`;
}

describe('what was acknowledged', () => {
  it('survives kill -9 in the middle of writes', async () => {
    const data = tempFolder();
    const store = openStore(data);
    const owner = { authorization: `Bearer ${mintToken(store, 'maker', ['gtin:claim'])}` };
    const rival = { authorization: `Bearer ${mintToken(store, 'rival', ['gtin:claim'])}` };
    const first = await start('closient', ['--data', data]);
    const acknowledged = await killWhileWriting(first, async (n) => {
      const { result } = await callTool(first.url, 'claim_gtin', { gtin: gtin(n) }, owner);
      return result.structuredContent.gtin;
    });
    const second = await start('closient', ['--data', data]);
    const codes = acknowledged.map(
      async (held) => (await callTool(second.url, 'claim_gtin', { gtin: held }, rival)).result.error.code,
    );
    expect(new Set(await Promise.all(codes))).toEqual(new Set([-32201]));
  });

  it('CL-25 CL-2 a broken database is -32300, worth another try, and says nothing of itself', async () => {
    const data = tempFolder();
    const logger = memoryLogger();
    const server = await serveHere(createClosient({ data, logger }));
    openStore(data).exec('DROP TABLE products');
    const { result } = await callTool(server.url, 'lookup_product', { gtin: '96385074' });
    expect(result.error).toMatchObject({
      code: -32300,
      data: { status: 500, error_code: 'internal_error', retryable: true, detail: 'Internal error' },
    });
    expect(JSON.stringify(result)).not.toMatch(/table|products|sqlite/i);
    expect(logger.lines[0]?.fields).toMatchObject({ err: { message: 'no such table: products' } });
    const response = await fetch(new URL('/v1/products/96385074', server.url));
    expect([response.status, (await jsonOf(response)).retryable]).toEqual([500, true]);
    expect((await callTool(server.url, 'resolve_gtin', { gtin: '9506000134352' })).result).not.toHaveProperty(
      'error',
    );
    expect((await callTool(server.url, 'ping', {})).result).not.toHaveProperty('error');
  });
});
