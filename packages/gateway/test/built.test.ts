/** What only goes wrong in the built package: the thread that reads documents is a file of its own there. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const DIST = new URL('../dist/index.js', import.meta.url);
const DOCUMENT = fileURLToPath(new URL('shop.openapi.yaml', import.meta.url));

const PROGRAM = `
import { resolveSettings, startGateway } from ${JSON.stringify(DIST.href)};
const upstreams = { shop: { openapi: ${JSON.stringify(DOCUMENT)} } };
const gateway = await startGateway(resolveSettings({ listen: { port: 0 }, upstreams }).settings);
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const answer = await fetch(gateway.url + '/shop/mcp', { method: 'POST', headers, body });
const { result } = await answer.json();
console.log(result.tools.map(({ name }) => name).join());
await gateway.close(0);
`;

it.skipIf(!existsSync(DIST))('reads an OpenAPI document', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  expect(stdout).toBe('getOrder,cancelOrder,createOrder\n');
});
