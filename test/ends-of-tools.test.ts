/** A tool that ends with an error by which others agree on a revision is run once, whoever stands in between, and its caller is told that it was begun. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpTransport, resilient } from '@mayday/client';
import { resolveSettings, startGateway } from '@mayday/gateway';
import { guard } from '@mayday/server';
import { Client } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let runs = 0;
let thrown: readonly [code: number, message: string, data?: object] = [0, ''];

function made(): Server {
  return new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
}

function serving(server: Server): Server {
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'pay', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler('tools/call', () => {
    runs += 1;
    throw new ProtocolError(...thrown);
  });
  return server;
}

const closers: (() => unknown)[] = [];
const urls: { [where: string]: string } = {};

async function served(make: () => Server): Promise<string> {
  const http = createServer(toNodeHandler(createMcpHandler(() => serving(make()))) as RequestListener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closers.push(() => http.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

beforeAll(async () => {
  const plain = await served(made);
  const guarded = await served(() => guard(made()));
  const upstreams = { plain: { url: plain }, guarded: { url: guarded } };
  const gateway = await startGateway(resolveSettings({ listen: { port: 0 }, upstreams }).settings);
  closers.push(() => gateway.close(200));
  Object.assign(urls, {
    'a plain server': plain,
    'a guarded server': guarded,
    'a gateway before a plain server': `${gateway.url}/plain/mcp`,
    'a gateway before a guarded server': `${gateway.url}/guarded/mcp`,
  });
});
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe.each([
  'a plain server',
  'a guarded server',
  'a gateway before a plain server',
  'a gateway before a guarded server',
])('%s', (where) => {
  it.each<[code: number, message: string, data: object | undefined]>([
    [-32020, 'Header mismatch', undefined],
    [-32020, 'Header mismatch', { payment_id: 'pay_991' }],
    [-32020, 'Payment booked as pay_991, receipt mail: header mismatch', undefined],
    [-32021, 'Missing required client capability', { requiredCapabilities: {} }],
    [-32022, 'Unsupported protocol version', undefined],
    [-32022, 'Unsupported protocol version', { supported: ['2025-11-25'], requested: '2026-07-28' }],
  ])('%i %s %j', async (code, message, data) => {
    runs = 0;
    thrown = data === undefined ? [code, message] : [code, message, data];
    const sdk = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const client = resilient(sdk, { transport: () => httpTransport(urls[where] as string) });
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: 'pay', arguments: {} });
    await client.close();
    expect([runs, outcome.ok || outcome.fault.executed]).toEqual([1, 'maybe']);
  });
});
