/** A refusal that names the address it was posted to tells nothing new; one that names another may be somebody else's. */
import { expect, it } from 'vitest';
import { read } from '../src/index.ts';

const AT = 'https://shop.example/tenants/7/mcp';
const TIME = '2026-11-19T10:00:00.000+00:00';
const spring = (status: number, error: string, path: string): string =>
  JSON.stringify({ timestamp: TIME, status, error, path });
const problem = (title: string, instance: string): string =>
  JSON.stringify({ type: 'about:blank', title, status: 429, instance });

function executed(status: number, body: string, askedAt: string | undefined = AT): string {
  const headers = { 'content-type': 'application/json' };
  const reading = read({ http: { status, headers, body, askedAt } });
  return reading.failure ? reading.fault.executed : 'success';
}

it.each([
  [429, spring(429, 'Too Many Requests', '/tenants/7/mcp')],
  [429, spring(429, 'Too Many Requests', '/mcp')],
  // A proxy takes away what leads to the server.
  [429, spring(429, 'Too Many Requests', '/7/mcp')],
  [429, problem('Too Many Requests', '/tenants/7/mcp')],
  [429, '{"error":{"message":"Too many requests","path":"/tenants/7/mcp"}}'],
  [401, spring(401, 'Unauthorized', '/tenants/7/mcp')],
  [403, spring(403, 'Forbidden', '/tenants/7/mcp')],
  [415, spring(415, 'Unsupported Media Type', '/tenants/7/mcp')],
])('under %i, %s', (status, body) => {
  expect(executed(status, body)).toBe('no');
});

it.each([
  [429, spring(429, 'Too Many Requests', '/mail/mcp')],
  [429, spring(429, 'Too Many Requests', '/orders/991')],
  [429, spring(429, 'Too Many Requests', '/tenants/7/mcp?order=991')],
  [429, problem('Too Many Requests', '/orders/991')],
  [429, '{"message":"Too many requests","path":"/tenants/7/mcp","path":"/orders/991"}'],
  [429, '{"message":"Too many requests","path":"/tenants/7/mcp","order":"/tenants/7/mcp"}'],
])('under %i, not %s', (status, body) => {
  expect(executed(status, body)).toBe('maybe');
});

it('nobody knows an address that nobody has told', () => {
  expect(executed(429, spring(429, 'Too Many Requests', '/shop/mcp'), '')).toBe('maybe');
});
