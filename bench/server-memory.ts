/**
 * Memory over 100,000 failing calls on one connection, and over as many stateless ones: the heap after
 * garbage collection must not grow. Run with `--expose-gc`.
 */
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { guard, rateLimit } from '../packages/server/src/index.ts';

const CALLS = Number(process.env['CALLS'] ?? 100_000);
const ALLOWED_MB = 4;
const collect = (globalThis as { gc?: () => void }).gc;
if (collect === undefined) throw new Error('Expected `--expose-gc`, so that what is left is what is kept');

const guards = [rateLimit({ limit: 10, windowMs: 60_000, per: (call) => `caller ${call.id}` })];

function makeServer(): McpServer {
  const server = guard(new McpServer({ name: 'memory', version: '1' }), { guards });
  server.registerTool('fails', {}, async () => {
    throw new Error('postgres://svc:hunter2@10.0.0.5/prod');
  });
  return server;
}

async function onOneConnection(): Promise<(id: number) => Promise<void>> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await makeServer().connect(far);
  let answered: () => void = () => {};
  near.onmessage = () => answered();
  await near.start();
  return (id) =>
    new Promise((resolve) => {
      answered = resolve;
      void near.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'fails' } });
    });
}

async function stateless(): Promise<(id: number) => Promise<void>> {
  const handler = createMcpHandler(makeServer);
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'fails',
  };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return async (id) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'fails', _meta: meta },
    });
    await (await handler.fetch(new Request('http://localhost/', { method: 'POST', headers, body }))).text();
  };
}

/** Twice, with a pause: streams and requests are cleaned up by callbacks that run after the first. */
async function heap(): Promise<number> {
  collect?.();
  await new Promise((resolve) => setTimeout(resolve, 100));
  collect?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

let failed = false;
for (const [name, make, calls] of [
  ['one connection', onOneConnection, CALLS],
  ['stateless HTTP', stateless, CALLS / 5],
] as const) {
  const call = await make();
  // The limiter's table fills up to its bound first.
  for (let id = 0; id < 12_000; id++) await call(id);
  const before = await heap();
  for (let id = 0; id < calls; id++) await call(12_000 + id);
  const grown = (await heap()) - before;
  console.log(
    `${name}: ${before.toFixed(1)} MiB before, ${grown >= 0 ? '+' : ''}${grown.toFixed(2)} MiB after ${calls} failing calls (allowed ${ALLOWED_MB})`,
  );
  if (grown > ALLOWED_MB) failed = true;
}
process.exitCode = failed ? 1 : 0;
