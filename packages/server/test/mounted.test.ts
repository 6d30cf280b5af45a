/** Servers of one name under mounted routers: what is cut off the path that a server sees still tells them apart. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEY } from './till.ts';
import { type Child, messageIn, runChild, textOf } from './wire.ts';

// A process of its own: under the conditions of this one Express loads half of itself as modules, and fails.
let child: Child;
let port: unknown;
beforeAll(async () => {
  child = runChild(new URL('mounted-server.ts', import.meta.url));
  ({ port } = (await child.next()) as unknown as { readonly port: unknown });
});
afterAll(() => child.kill());

async function order(path: string): Promise<string> {
  const params = { name: 'send', arguments: {}, _meta: { [KEY]: 'order-1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
  return textOf({ message: messageIn(await response.text()) });
}

it.each([
  ['a router of Express, v2 on the SDK’s listener', '/sdk/router'],
  ['a router of Express, v2 on our listener', '/ours/router'],
  ['a router of Express, v1', '/v1/router'],
  ['a path of Express of which nothing is left, v2 on the SDK’s listener', '/sdk/whole'],
  ['a path of Express of which nothing is left, v2 on our listener', '/ours/whole'],
  ['a path of Express of which nothing is left, v1', '/v1/whole'],
  ['a prefix cut off by hand, v2 on the SDK’s listener', '/sdk/cut'],
  ['a prefix cut off by hand, v2 on our listener', '/ours/cut'],
  ['a prefix cut off by hand, v1', '/v1/cut'],
  ['a mount of Hono', '/hono/mount'],
])('%s', async (_what, at) => {
  expect(await order(`${at}/letters/mcp`)).toBe('order 1 of letters');
  expect(await order(`${at}/parcels/mcp`)).toBe('order 1 of parcels');
  // Made anew for each request, and still the same server.
  expect(await order(`${at}/letters/mcp`)).toBe('order 1 of letters');
  expect(await order(`${at}/parcels/mcp/`)).toBe('order 1 of parcels');
});
