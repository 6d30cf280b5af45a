/**
 * What the guard costs a successful tool call, as a share of the SDK's own cost: plain and guarded servers
 * take turns in one process, round by round, and the ratio of the lower quartiles counts. Fails above the promised share.
 */
import { Client } from '@modelcontextprotocol/client';
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { guard } from '../packages/server/src/index.ts';

const PROMISED = 0.03;
const CALLS = Number(process.env['CALLS'] ?? 20_000);
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

function makeServer(guarded: boolean): McpServer {
  const plain = new McpServer({ name: 'bench', version: '1.0.0' });
  const server = guarded ? guard(plain) : plain;
  server.registerTool(
    'forecast',
    { inputSchema: z.object({ city: z.string(), days: z.number() }) },
    async ({ city, days }) => ({ content: [{ type: 'text', text: `${city}: ${days} sunny days` }] }),
  );
  return server;
}

const params = { name: 'forecast', arguments: { city: 'Bern', days: 3 } };

/** The official client and one server, in memory: the SDK's own work and no input or output. */
async function overMemory(guarded: boolean): Promise<() => Promise<void>> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await makeServer(guarded).connect(far);
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(near);
  return async () => {
    await client.callTool(params);
  };
}

/** A fresh server for each request, as stateless HTTP has it: guarding the server counts too. */
async function overHttp(guarded: boolean): Promise<() => Promise<void>> {
  const handler = createMcpHandler(() => makeServer(guarded));
  let id = 0;
  return async () => {
    const response = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'forecast',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: ++id,
          method: 'tools/call',
          params: { ...params, _meta: ENVELOPE },
        }),
      }),
    );
    await response.text();
  };
}

/** Nanoseconds of one call. */
async function time(call: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await call();
  return Number(process.hrtime.bigint() - start);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/**
 * Call by call in turns: whatever else the machine does disturbs both alike, and the calls that it
 * interrupts are not the median ones.
 */
async function compare(
  make: (guarded: boolean) => Promise<() => Promise<void>>,
  calls: number,
): Promise<[number, number, number]> {
  const [plain, guarded] = [await make(false), await make(true)];
  const times: { readonly plain: number[]; readonly guarded: number[] } = { plain: [], guarded: [] };
  for (let i = -calls / 4; i < calls; i++) {
    const first = await time(i % 2 === 0 ? plain : guarded);
    const second = await time(i % 2 === 0 ? guarded : plain);
    if (i < 0) continue; // warming up
    times.plain.push(i % 2 === 0 ? first : second);
    times.guarded.push(i % 2 === 0 ? second : first);
  }
  const [before, after] = [median(times.plain) / 1000, median(times.guarded) / 1000];
  return [before, after, after / before - 1];
}

let failed = false;
for (const [name, make] of [
  ['the official client, in memory', overMemory],
  ['stateless HTTP, a server for each request', overHttp],
] as const) {
  const [plain, guarded, share] = await compare(make, CALLS);
  const figures = `plain ${plain.toFixed(1)} µs, guarded ${guarded.toFixed(1)} µs, overhead ${(share * 100).toFixed(2)} %`;
  console.log(`${name}: ${figures} (promised: at most ${PROMISED * 100} %)`);
  if (share > PROMISED) failed = true;
}
process.exitCode = failed ? 1 : 0;
