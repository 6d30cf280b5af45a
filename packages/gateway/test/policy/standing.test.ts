/** Whoever loses a key loses what still runs under it; what an HTTP server says under its status reaches every endpoint. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, resolveSettings, startGateway } from '../../src/index.ts';

let upstream: Server;
let gateway: Gateway | undefined;
let calls = 0;

/** A stream for whoever asks with GET; a tool call is refused with the status that its argument names. */
beforeAll(async () => {
  upstream = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body) as {
        id?: number;
        method: string;
        params?: { arguments?: { status?: number } };
      };
      const json = { 'content-type': 'application/json' };
      const answer = (result: object): unknown =>
        response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (id === undefined) response.writeHead(202).end();
      else if (method === 'initialize')
        answer({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'u', version: '1' },
        });
      else if (method === 'tools/list') answer({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
      else {
        calls += 1;
        const status = params?.arguments?.status ?? 200;
        const challenge = { 'www-authenticate': 'Bearer resource_metadata="https://example.com/meta"' };
        const error = { code: -32000, message: 'Rate limited' };
        response
          .writeHead(status, { ...json, ...(status === 401 ? challenge : {}), 'retry-after': '1' })
          .end(status === 401 ? '' : JSON.stringify({ jsonrpc: '2.0', id, error }));
      }
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await gateway?.close(100);
  upstream.closeAllConnections();
  upstream.close();
});

const settings = (...keys: readonly string[]): ReturnType<typeof resolveSettings>['settings'] =>
  resolveSettings({
    listen: { port: 0 },
    keys: keys.map((name) => ({ name, key: `${name}-key-0123456789abcdef` })),
    upstreams: { u: { url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp` } },
  }).settings;

const as = (name: string): { [header: string]: string } => ({
  authorization: `Bearer ${name}-key-0123456789abcdef`,
});

it('cuts the streams of a key that is taken away, and no others', async () => {
  gateway = await startGateway(settings('anna', 'bert'));
  const open = async (name: string): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
    const answer = await fetch(`${gateway?.url}/u/mcp`, {
      headers: { ...as(name), accept: 'text/event-stream' },
    });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    return reader;
  };
  const [anna, bert] = [await open('anna'), await open('bert')];
  const annas = anna.read().then(
    ({ done }) => `ended: ${done}`,
    () => 'cut',
  );
  const berts = bert.read().then(
    () => 'ended',
    () => 'cut',
  );
  gateway.reload(settings('bert'));
  expect(await annas).toBe('cut');
  expect(await Promise.race([berts, new Promise((resolve) => setTimeout(resolve, 200, 'open'))])).toBe(
    'open',
  );
  await bert.cancel();
});

it.each(['/u/mcp', '/mcp'])('tells a refusal by its status at %s', async (path) => {
  gateway ??= await startGateway(settings('bert'));
  gateway.reload(settings('bert'));
  const post = async (message: object): Promise<Response> =>
    fetch(`${gateway?.url}${path}`, {
      method: 'POST',
      headers: {
        ...as('bert'),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
  const pay = (status: number): Promise<Response> =>
    post({
      method: 'tools/call',
      params: { name: path === '/mcp' ? 'u_pay' : 'pay', arguments: { status } },
    });
  const challenged = await pay(401);
  expect([challenged.status, challenged.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer resource_metadata="https://example.com/meta"',
  ]);
  await challenged.text();
  calls = 0;
  const limited = (await (await pay(429)).json()) as { result?: object; error?: object };
  expect(JSON.stringify(limited)).toContain('"executed":"no"');
  // Its own limit refused it before anything was done: it is asked again when the limit says so.
  expect(calls).toBe(3);
});
