import { afterEach, expect, it } from 'vitest';
import {
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  post,
  STDIO_SERVER,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const HASTY = { timeout_ms: 3000, retry: { attempts: 1 }, breaker: { failures: 2 } };

/** Calls the tool that asks, and leaves its question unanswered; then how the server is said to be. */
async function leaveAlone(gateway: { readonly url: string }, path: string) {
  const endpoint = `${gateway.url}${path}`;
  const opened = await post(endpoint, INITIALIZE);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const calls = [2, 3, 4, 5].map((id) => post(endpoint, callTool('ask', {}, id), session));
  const faults = (await Promise.all(calls)).map(faultIn);
  const status = (await (await fetch(`${gateway.url}/-/status`)).json()) as { upstreams: object[] };
  return { faults, upstream: status.upstreams[0] };
}

const UNANSWERED = {
  kind: 'timeout',
  origin: 'caller',
  executed: 'maybe',
  message: 'The client did not answer within 3 s (`timeout_ms`) what the server has asked it',
};

it.each(['/shop/mcp', '/mcp'])(
  'does not call a process silent whose client leaves a question alone, at %s',
  async (path) => {
    const gateway = await open({
      upstreams: { shop: { ...STDIO_SERVER, ...HASTY } },
      joined: { separator: '' },
    });
    const { faults, upstream: shop } = await leaveAlone(gateway, path);
    expect(faults).toMatchObject([UNANSWERED, UNANSWERED, UNANSWERED, UNANSWERED]);
    expect(shop).toMatchObject({ circuit: 'closed', troubled: [] });
    expect(shop).not.toHaveProperty('trouble');
  },
);

it('does not call a server over HTTP silent whose client leaves a question alone', async () => {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body);
    if (method === 'initialize') {
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 'x', version: '1' },
      };
      json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 'one' });
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: {"jsonrpc":"2.0","id":"q-${id}","method":"elicitation/create","params":{}}\n\n`);
  });
  const gateway = await open({ upstreams: { shop: { url, ...HASTY } } });
  const { faults, upstream: shop } = await leaveAlone(gateway, '/shop/mcp');
  expect(faults).toMatchObject([UNANSWERED, UNANSWERED, UNANSWERED, UNANSWERED]);
  expect(shop).toMatchObject({ circuit: 'closed', troubled: [] });
});

it('calls a server silent that says nothing after the answer', async () => {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body);
    if (method === undefined) {
      response.writeHead(202).end();
      return;
    }
    if (method === 'initialize') {
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 'x', version: '1' },
      };
      json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 'one' });
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}\n\n');
  });
  const gateway = await open({ upstreams: { shop: { url, ...HASTY } } });
  const endpoint = `${gateway.url}/shop/mcp`;
  const opened = await post(endpoint, INITIALIZE);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const asking = post(endpoint, callTool('ask', {}, 2), session);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await post(endpoint, { jsonrpc: '2.0', id: 'q', result: { action: 'accept' } }, session);
  expect(faultIn(await asking)).toMatchObject({
    origin: 'gateway',
    message: 'The server did not answer within 3 s (`timeout_ms`)',
  });
});
