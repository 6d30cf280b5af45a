/** Servers that stream messages one to a line, as JSON, where others send events. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, JSON_TYPES, json, later, open, upstream } from '../tools.ts';

afterEach(cleanUp);

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Tells of changed tools as long as somebody listens; of a call, how far it is. */
async function server() {
  return upstream((body, response) => {
    const { id, method, params } = JSON.parse(body);
    const line = (message: object): boolean =>
      response.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const meta = { _meta: { 'io.modelcontextprotocol/subscriptionId': String(id) } };
    if (method === 'server/discover') {
      const capabilities = { tools: { listChanged: true } };
      const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities };
      json(response, 200, { jsonrpc: '2.0', id, result });
    } else if (method === 'tools/list') {
      const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
      json(response, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', tools } });
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (method === 'tools/call') {
        const { progressToken } = params._meta;
        line({ method: 'notifications/progress', params: { progressToken, progress: 0.5 } });
        response.end(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[]}}`);
        return;
      }
      const { notifications } = params;
      line({ method: 'notifications/subscriptions/acknowledged', params: { ...meta, notifications } });
      setTimeout(() => line({ method: 'notifications/tools/list_changed', params: meta }), 100);
    }
  });
}

/** All that comes in answer until `last` has. */
async function said(url: string, message: object, last: string): Promise<string> {
  const ender = new AbortController();
  later(() => ender.abort());
  const { method, params } = message as { method: string; params: { name?: string } };
  const headers = { ...JSON_TYPES, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  const named = params.name === undefined ? {} : { 'mcp-name': params.name };
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...named },
    body: JSON.stringify(message),
    signal: ender.signal,
  });
  let text = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString('utf8');
    if (text.includes(last)) break;
  }
  return text;
}

it.each(['/u/mcp', '/mcp'])(
  'a subscription is told what there is to tell, as it comes, at %s',
  async (path) => {
    const { url } = await server();
    const gateway = await open({ upstreams: { u: { url } } });
    const params = { _meta: ENVELOPE, notifications: { toolsListChanged: true } };
    const listen = { jsonrpc: '2.0', id: 'mine', method: 'subscriptions/listen', params };
    const told = said(gateway.url + path, listen, 'list_changed');
    const text = await Promise.race([told, pause(5000, 'silence', { ref: false })]);
    expect(text).toContain('notifications/subscriptions/acknowledged');
    expect(text).toContain('notifications/tools/list_changed');
    expect(text).toContain('"io.modelcontextprotocol/subscriptionId":"mine"');
  },
);

it.each([
  ['/u/mcp', 'look'],
  ['/mcp', 'u_look'],
])('a call is told how far it is, and answered, at %s', async (path, name) => {
  const { url } = await server();
  const gateway = await open({ upstreams: { u: { url } } });
  const asked = callTool(name, {}) as { params: object };
  const call = { ...asked, id: 7, params: { ...asked.params, _meta: { ...ENVELOPE, progressToken: 'p' } } };
  const text = await said(gateway.url + path, call, '"result"');
  expect(text).toContain('"progressToken":"p"');
  expect(text).toMatch(/"id":7,"result":\{[^\n]*"content":\[\]/);
});
