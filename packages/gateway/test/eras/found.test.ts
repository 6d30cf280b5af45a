/** How a server is spoken to is found out once, and is not for one caller to decide. */
import { afterEach, expect, it } from 'vitest';
import { cleanUp, json, later, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const ANN = { authorization: 'Bearer ann-key-0001' };
const BOB = { authorization: 'Bearer bob-key-0001' };
const STATELESS = {
  resultType: 'complete',
  supportedVersions: ['2025-06-18', '2026-07-28'],
  capabilities: {},
};
const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x', arguments: {} } };

function initialize(clientInfo: object): object {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

interface Both {
  /** Whom it opens a session for. */
  readonly opens: boolean;
  /** What it says of itself. */
  readonly discovered?: unknown;
  /** Has the stream of 2024-11-05 beside. */
  readonly hasStream?: boolean;
}

/** A server with sessions that wants clients to have names, and what it was asked. */
async function serve({ opens, discovered, hasStream }: Both) {
  const server = await upstream((body, response, request) => {
    if (request.method === 'GET' && hasStream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages\n\n');
      later(() => response.end());
      return;
    }
    if (request.method !== 'POST') return void response.writeHead(request.method === 'GET' ? 405 : 204).end();
    const { id, method, params } = JSON.parse(body);
    if (method === 'initialize') {
      const isRefused = !opens || params.clientInfo.name === undefined;
      const refusal = { code: -32602, message: 'clientInfo.name is required' };
      const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's' } };
      if (isRefused) json(response, 400, { jsonrpc: '2.0', id, error: refusal });
      else json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 'own' });
    } else if (method === 'server/discover' && discovered !== undefined)
      json(response, 200, { jsonrpc: '2.0', id, result: discovered });
    else if (id === undefined) response.writeHead(202).end();
    else if (method !== 'tools/call')
      json(response, 404, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    else {
      const text = `in session ${request.headers['mcp-session-id']}`;
      json(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
    }
  });
  const gateway = await open({
    keys: [
      { name: 'ann', key: 'ann-key-0001' },
      { name: 'bob', key: 'bob-key-0001' },
    ],
    upstreams: { u: { url: server.url } },
  });
  return { url: `${gateway.url}/u/mcp`, joined: `${gateway.url}/mcp`, seen: server.seen };
}

it.each([
  ['that also speaks 2026-07-28', { opens: true, discovered: STATELESS }],
  ['that also has the stream of 2024-11-05', { opens: true, hasStream: true }],
])('refuses one caller whom a server refuses, and goes on as before with one %s', async (_, both) => {
  const { url } = await serve(both);
  const refused = await post(url, initialize({}), ANN);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('clientInfo.name is required');
  const opened = await post(url, initialize({ name: 'bob', version: '1' }), BOB);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const { message } = await post(url, CALL, { ...BOB, ...session });
  expect(message.result).toMatchObject({ content: [{ text: 'in session own' }] });
});

it('does the same at /mcp', async () => {
  const { joined } = await serve({ opens: true, discovered: STATELESS });
  await post(joined, initialize({}), ANN);
  const opened = await post(joined, initialize({ name: 'bob', version: '1' }), BOB);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const { message } = await post(
    joined,
    { ...CALL, params: { name: 'u_x', arguments: {} } },
    { ...BOB, ...session },
  );
  expect(message.result).toMatchObject({ content: [{ text: 'in session own' }] });
});

it('ends the session that it opened to find out', async () => {
  const { url, seen } = await serve({ opens: true, discovered: STATELESS });
  await post(url, initialize({}), ANN);
  await expect.poll(() => seen.filter(({ headers }) => headers['mcp-session-id'] === 'own')).toHaveLength(1);
});

it.each([[{}], [{ supportedVersions: null }], [{ supportedVersions: ['2025-06-18'] }]])(
  'does not take a server for one of 2026-07-28 that says %j of itself',
  async (discovered) => {
    const { url } = await serve({ opens: false, discovered });
    const { status, text } = await post(url, initialize({ name: 'bob', version: '1' }), BOB);
    expect(status).toBe(400);
    expect(text).toContain('clientInfo.name is required');
  },
);
