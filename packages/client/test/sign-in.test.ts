/** The SDKs sign in after a 401 and send the request again by themselves: only after a refusal that is one. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it } from 'vitest';
import * as v2 from '../src/index.ts';
import * as v1 from '../src/v1.ts';

type Refusal = readonly [status: number, body: string, challenge: string];

const json = (response: ServerResponse, body: unknown, headers: object = {}): void => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** An MCP server with an authorization server beside it. It refuses a call once, then makes it. */
async function signing([status, body, challenge]: Refusal) {
  let calls = 0;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const metadata = `${base}/.well-known/oauth-protected-resource`;
    if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true)
      return json(response, { resource: `${base}/mcp`, authorization_servers: [base] });
    if (request.url?.startsWith('/.well-known/') === true)
      return json(response, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        grant_types_supported: ['refresh_token', 'authorization_code'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    if (request.url === '/token')
      return json(response, { access_token: 'new', token_type: 'bearer', refresh_token: 'r' });
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'initialize') {
      const serverInfo = { name: 'signing', version: '1.0.0' };
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      return json(response, { jsonrpc: '2.0', id, result });
    }
    calls += 1;
    if (calls > 1) return json(response, { jsonrpc: '2.0', id, result: { content: [] } });
    const header = `Bearer ${challenge}resource_metadata="${metadata}"`;
    return response.writeHead(status, { 'www-authenticate': header }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function provider() {
  let tokens = { access_token: 'old', token_type: 'bearer', refresh_token: 'r' };
  return {
    redirectUrl: 'http://127.0.0.1:1/callback',
    clientMetadata: { redirect_uris: ['http://127.0.0.1:1/callback'] },
    clientInformation: () => ({ client_id: 'agent' }),
    tokens: () => tokens,
    saveTokens(given: object) {
      tokens = given as typeof tokens;
    },
    redirectToAuthorization: () => undefined,
    saveCodeVerifier: () => undefined,
    codeVerifier: () => 'verifier',
  };
}

const INFO = { name: 'agent', version: '1.0.0' };
const CLIENTS: readonly [string, (url: string) => Pick<v2.ResilientClient, 'connect' | 'call' | 'close'>][] =
  [
    [
      'v1',
      (url) =>
        v1.resilient(new ClientV1(INFO), {
          transport: () => v1.httpTransport(url, { authProvider: provider() }),
        }) as never,
    ],
    [
      'v2',
      (url) =>
        v2.resilient(new ClientV2(INFO), {
          transport: () => v2.httpTransport(url, { authProvider: provider() }),
        }),
    ],
  ];

const SCOPE = 'error="insufficient_scope", scope="mail", ';

async function calling(make: (typeof CLIENTS)[number][1], refusal: Refusal, extras?: v2.CallExtras) {
  await using server = await signing(refusal);
  const client = make(server.url);
  await client.connect();
  const outcome = await client.call({ name: 'pay', arguments: {} }, extras);
  await client.close();
  return { outcome, calls: server.calls() };
}

/** As the gateway and a guarded server refuse. */
const DECLARED = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: -32_603,
    message: 'A key of this gateway is needed',
    data: {
      kind: 'unauthenticated',
      reaction: 'permission',
      retryable: false,
      executed: 'no',
      origin: 'caller',
      correlation_id: '4f2a',
      advice: 'Sign in or renew the credentials, then call again.',
    },
  },
});

it.each(
  CLIENTS.flatMap(([name, make]) =>
    [
      ['', ''],
      [DECLARED, ''],
      ['', 'error="invalid_token", error_description="The token has been revoked", '],
    ].map(([body = '', challenge = '']) => [name, body, challenge, make] as const),
  ),
)('signs in after a refusal, and calls: %s %s %s', async (_, body, challenge, make) => {
  const { outcome, calls } = await calling(make, [401, body, challenge]);
  expect(outcome).toMatchObject({ ok: true });
  expect(calls).toBe(2);
});

it.each(
  CLIENTS.flatMap(([name, make]) =>
    [
      [401, 'payment captured; then token expired', ''] as const,
      [401, '{"orderId":7}', ''] as const,
      [403, 'payment captured; mail needs another scope', SCOPE] as const,
      [401, '', 'error="invalid_token", error_description="payment captured", '] as const,
      [401, '', 'error="invalid_token", error_description="payment is complete", '] as const,
      [401, '', 'error="invalid_token", error_description="coupon has been redeemed", '] as const,
    ].map((refusal) => [name, refusal, make] as const),
  ),
)('does not send a call again that may have been done: %s %o', async (_, refusal, make) => {
  const { outcome, calls } = await calling(make, refusal);
  expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  expect(calls).toBe(1);
});

it.each(
  CLIENTS.flatMap(([name, make]) =>
    [[401, '', ''] as const, [403, '', SCOPE] as const].map((refusal) => [name, refusal, make] as const),
  ),
)('sends a call once that is to be sent once: %s %o', async (_, refusal, make) => {
  const { outcome, calls } = await calling(make, refusal, { once: true });
  expect(outcome).toMatchObject({ ok: false, attempts: 1 });
  expect(calls).toBe(1);
});
