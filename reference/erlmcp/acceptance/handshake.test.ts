import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Endpoint } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import { freshFolder, type HttpReference, serveHttp, serveStdio } from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import { INITIALIZE } from '../../acceptance/wire.ts';

const folder = freshFolder();
let server: HttpReference;
let pipe: Pipe;
beforeAll(async () => {
  pipe = serveStdio('erlmcp', folder.path, ['--rate-limit', '5']);
  server = await serveHttp('erlmcp', folder.path, ['--rate-limit', '10000']);
}, SLOW);
afterAll(async () => {
  await Promise.all([server.stop(), pipe.close()]);
  folder.remove();
});

describe('before initialize', () => {
  it('ER-28: every operation is -32005, over HTTP', async () => {
    for (const method of [
      'tools/list',
      'tools/call',
      'resources/read',
      'prompts/get',
      'completion/complete',
    ]) {
      const answer = await new Endpoint(server.mcp).request(method, {});
      expect([method, answer.error]).toEqual([
        method,
        { code: -32005, message: 'Server not initialized', data: { phase: 'pre_initialization' } },
      ]);
    }
  });

  it(
    'ER-28: and on stdio',
    async () => {
      pipe.send({ jsonrpc: '2.0', id: 'early', method: 'tools/list' });
      expect((await pipe.answerTo('early', 30_000)).error).toEqual({
        code: -32005,
        message: 'Server not initialized',
        data: { phase: 'pre_initialization' },
      });
    },
    SLOW,
  );

  it('ER-28: so is what comes between initialize and notifications/initialized', async () => {
    const endpoint = new Endpoint(server.mcp);
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE };
    const { post } = await import('../../acceptance/http.ts');
    const answer = await post(server.mcp, body);
    endpoint.headers['mcp-session-id'] = String(answer.headers['mcp-session-id']);
    const early = await endpoint.request('tools/list', {});
    expect(early.error).toMatchObject({
      code: -32005,
      message: 'Server not initialized',
      data: { phase: expect.any(String) },
    });
  });
});

describe('negotiation', () => {
  it('ER-56: a version that is not supported is -32061 with both sides', async () => {
    const params = { ...INITIALIZE, protocolVersion: '2020-01-01' };
    const { error } = await new Endpoint(server.mcp).request('initialize', params);
    expect([error?.code, error?.message]).toEqual([-32061, 'Unsupported protocol version']);
    expect(error?.data).toEqual({
      requested_version: '2020-01-01',
      supported_versions: expect.arrayContaining(['2025-11-25']),
    });
  });

  it('ER-57: a version other than the agreed one is -32062', async () => {
    const endpoint = new Endpoint(server.mcp);
    await endpoint.initialize();
    endpoint.headers['mcp-protocol-version'] = '2025-06-18';
    const { error } = await endpoint.request('tools/list', {});
    expect([error?.code, error?.message]).toEqual([-32062, 'Protocol version mismatch']);
  });

  it.each([[{ sampling: 7 }], [{ elicitation: 'yes' }], [{ roots: [] }]])(
    'ER-58: capabilities %j are -32063',
    async (capabilities) => {
      const { error } = await new Endpoint(server.mcp).request('initialize', { ...INITIALIZE, capabilities });
      expect([error?.code, error?.message]).toEqual([-32063, 'Capability negotiation failed']);
    },
  );

  it('ER-27: what was not declared is -32004 with its name', async () => {
    const endpoint = new Endpoint(server.mcp);
    await endpoint.initialize();
    const { error } = await endpoint.request('logging/setLevel', { level: 'info' });
    expect(error).toEqual({
      code: -32004,
      message: 'Capability not supported',
      data: { capability: 'logging' },
    });
  });
});

describe('the rate limit', () => {
  it('ER-33: too many requests are -32010 with limit, window and retry_after', async () => {
    await pipe.initialize();
    let limited = await pipe.request('tools/list');
    for (let requests = 0; requests < 10 && limited.error?.code !== -32010; requests += 1) {
      limited = await pipe.request('tools/list');
    }
    expect([limited.error?.code, limited.error?.message]).toEqual([-32010, 'Rate limit exceeded']);
    const { limit, window, retry_after, ...more } = limited.error?.data ?? {};
    expect([limit, window, more]).toEqual([5, 60, {}]);
    expect(Number.isInteger(retry_after)).toBe(true);
    expect(retry_after).toBeGreaterThan(0);
    expect(retry_after).toBeLessThanOrEqual(60);
  });

  it('ER-33: methods that do not exist count too', async () => {
    const { error } = await pipe.request('nonexistent/method', {});
    expect(error?.code).toBe(-32010);
  });
});
