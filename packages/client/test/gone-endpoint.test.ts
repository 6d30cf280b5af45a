/** A server whose endpoint is gone: what a client is told that had a session there, or wants to open one. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { FLAVOURS } from './flavours.ts';
import { answer, scriptedHttp } from './scripted-http.ts';

/** Opens one session, and answers everything else with a bare 404 from then on. */
async function opensOnce(isGone = false) {
  let isOpen = false;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    if (isGone || isOpen || method !== 'initialize') return void response.writeHead(404).end();
    isOpen = true;
    const serverInfo = { name: 'once', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's-1' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const file = (name: string): Buffer =>
  readFileSync(new URL(`../../gateway/test/certificates/${name}`, import.meta.url));

/** The port of a server with TLS, or without it. */
async function listening(isSecure: boolean) {
  const server = isSecure
    ? createSecureServer({ key: file('first.key.pem'), cert: file('first.cert.pem') })
    : createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.each(FLAVOURS)('$name', ({ http }) => {
  it('is told of the endpoint where its session has expired and cannot be opened anew', async () => {
    await using server = await opensOnce();
    const client = http(server.url, { attempts: 2 });
    await client.connect();
    const outcome = await client.call({ name: 'pay' });
    expect(outcome).toMatchObject({
      fault: { kind: 'unavailable', executed: 'no', retry: { when: 'backoff' } },
      text: expect.stringContaining('The endpoint of the server is not there (HTTP 404)'),
    });
    await client.close();
  });

  it.each([
    ['Cannot POST /mcp', 'no', 3],
    ['{"error":"Not Found","path":"/mcp"}', 'no', 3],
    ['Cannot POST /mail/mcp', 'maybe', 1],
    ['{"error":"Not Found","path":"/mail/mcp"}', 'maybe', 1],
    ['{"statusCode":404,"message":"Cannot POST /mail/mcp","error":"Not Found"}', 'maybe', 1],
  ])('answered 404 %s it may have been executed: %s; it is sent %i times', async (body, executed, times) => {
    await using server = await scriptedHttp((_, response) => answer(response, body, 404));
    const client = http(server.url, { attempts: 3 });
    await client.connect();
    const outcome = await client.call({ name: 'pay' });
    await client.close();
    expect(outcome).toMatchObject({ ok: false, fault: { executed } });
    expect(server.heard.filter(({ method }) => method === 'tools/call')).toHaveLength(times);
  });

  it.each([
    ['/tenants/7/mcp', 'no', 2],
    ['/mail/mcp', 'maybe', 1],
  ])(
    'answered 429 about %s it may have been executed: %s; it is sent %i times',
    async (path, executed, times) => {
      const body = {
        timestamp: '2026-11-19T10:00:00.000+00:00',
        status: 429,
        error: 'Too Many Requests',
        path,
      };
      await using server = await scriptedHttp((_, response) =>
        answer(response, body, 429, { 'retry-after': '0' }),
      );
      const client = http(server.url.replace('/mcp', '/tenants/7/mcp'), { attempts: 2 });
      await client.connect();
      const outcome = await client.call({ name: 'pay' });
      await client.close();
      expect(outcome).toMatchObject({ ok: false, fault: { executed } });
      expect(server.heard.filter(({ method }) => method === 'tools/call')).toHaveLength(times);
    },
  );

  it('is told that nothing was done where nothing could be opened', async () => {
    await using server = await opensOnce(true);
    const client = http(server.url, { attempts: 1 });
    await expect(client.connect()).rejects.toMatchObject({
      fault: { kind: 'unavailable', executed: 'no' },
    });
  });

  it.each([
    ['http', true, 'disconnected', 'has to begin with https://'],
    ['https', false, 'misconfigured', 'may have to begin with http://'],
  ])('is told of the address that begins with %s, and should not', async (scheme, isSecure, kind, says) => {
    await using server = await listening(isSecure);
    const client = http(`${scheme}://127.0.0.1:${server.port}/mcp`, { attempts: 1 });
    const thrown = await client.connect().catch((error: unknown) => error);
    expect(thrown).toMatchObject({ fault: { kind, executed: 'no' } });
    expect(JSON.stringify((thrown as { fault: unknown }).fault)).toContain(says);
  });
});
