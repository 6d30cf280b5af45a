/** Statuses at which clients send a request again by themselves, whatever it has done. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, later, open, post, upstream } from '../tools.ts';
import { RESULT } from './refusing-servers.ts';

afterEach(cleanUp);

const OPENED = { ...RESULT, serverInfo: { name: 's', version: '1' } };
const CHALLENGE = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="pay"' };

/** Words of an answer that comes after the work, by the id of the call. */
const WORDS = {
  internal: (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error' } }),
  story: (id: unknown) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32000, message: 'Payment 991 booked, but the mail failed' },
  }),
  refusal: (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32600, message: 'Invalid Request' } }),
} as const;

/** A server that pays, and answers so; with a session, where `session`. */
async function paying(status: number, words: keyof typeof WORDS, headers: object = {}) {
  let paid = 0;
  const server = await upstream((body, response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize') return json(response, 200, { jsonrpc: '2.0', id, result: OPENED });
    if (method !== 'tools/call') {
      const tools = [{ name: 'pay', inputSchema: { type: 'object' } }];
      return json(response, 200, { jsonrpc: '2.0', id, result: { tools } });
    }
    paid += 1;
    json(response, status, WORDS[words](id), headers);
  });
  const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http' } } });
  return { url: gateway.url, paid: () => paid };
}

const PLACES = [
  ['its own endpoint', 'u/mcp', 'pay'],
  ['the joined endpoint', 'mcp', 'u_pay'],
] as const;

describe.each(PLACES)('at %s', (_, path, name) => {
  it.each([408, 407, 417, 421, 425, 426])('no caller is answered %i', async (status) => {
    for (const words of ['internal', 'story', 'refusal'] as const) {
      const { url, paid } = await paying(status, words);
      const answer = await post(`${url}/${path}`, call('tools/call', { name, arguments: {} }));
      expect([words, answer.status, paid()]).toEqual([words, 200, 1]);
    }
  });

  it.each([401, 403, 404, 429])('what may be done is not answered %i', async (status) => {
    for (const words of ['internal', 'story'] as const) {
      const { url } = await paying(status, words, CHALLENGE);
      const answer = await post(`${url}/${path}`, call('tools/call', { name, arguments: {} }));
      expect([words, answer.status]).toEqual([words, 200]);
    }
  });

  const provider = { token: async () => 't', onUnauthorized: async () => {} };
  const oauth = {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => ({ client_id: 'a' }),
    tokens: () => ({ access_token: 't', token_type: 'Bearer' }),
    saveTokens() {},
    redirectToAuthorization() {},
    saveCodeVerifier() {},
    codeVerifier: () => 'x',
  };

  it.each([
    [
      'the official client',
      async (url: URL) => {
        const client = new Client({ name: 'c', version: '1' });
        await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
        return client;
      },
    ],
    [
      'the official client, v1',
      async (url: URL) => {
        const client = new ClientV1({ name: 'c', version: '1' });
        const transport = new TransportV1(url, { authProvider: oauth as never });
        await client.connect(transport as never);
        return client;
      },
    ],
  ] as const)('%s pays once', async (_client, connected) => {
    for (const status of [401, 403, 421]) {
      const { url, paid } = await paying(status, 'story', status === 421 ? {} : CHALLENGE);
      const client = await connected(new URL(`${url}/${path}`));
      later(() => client.close());
      await client.listTools();
      await client.callTool({ name, arguments: {} }).catch(() => undefined);
      expect([status, paid()]).toEqual([status, 1]);
    }
  });

  it('who is to sign in is still told so', async () => {
    const server = await upstream((body, response) => {
      const { id, method } = JSON.parse(body);
      if (method === 'tools/call') response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      else json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
    });
    const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http' } } });
    const answer = await post(`${gateway.url}/u/mcp`, call('tools/call', { name: 'pay', arguments: {} }));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

it.each([401, 421])('in a dialect of HTTP, %i is not what may be done', async (status) => {
  const { url, paid } = await paying(status, 'story');
  const asked = call('tools/call', { name: 'pay', arguments: {} });
  const answer = await post(`${url}/u/mcp`, asked, { 'mayday-dialect': 'problem' });
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect([401, 403, 408, 421, 425]).not.toContain(answer.status);
  expect(JSON.parse(answer.text)).toMatchObject({ status: answer.status });
  expect(paid()).toBe(1);
});
