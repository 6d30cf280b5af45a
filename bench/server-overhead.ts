/**
 * What the guard costs a successful tool call, as a share of the SDK's own cost: a plain and a guarded server take turns, call
 * by call, and the medians count. Two processes of one program differ by more than the guard costs, so that it is
 * measured in several, of which the median counts again. Fails above the promised share.
 */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { guard } from '../packages/server/src/index.ts';

const PROMISED = 0.03;
const CALLS = Number(process.env['CALLS'] ?? 8000);
/** How many processes measure, one after another. Odd, so that one of them is the median. */
const PROCESSES = Number(process.env['PROCESSES'] ?? 7);

/** What this file is started with where it measures once. */
const ONCE = 'once';
/** What this file is started with where it is the server of {@link overStdio}. */
const PLAIN = 'serve-plain';
const GUARDED = 'serve-guarded';

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
  await client.listTools();
  return async () => {
    await client.callTool(params);
  };
}

/** The official client and a server in a process of its own, as most servers run. */
async function overStdio(guarded: boolean): Promise<() => Promise<void>> {
  const args = ['--conditions=@mayday/source', fileURLToPath(import.meta.url), guarded ? GUARDED : PLAIN];
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  await client.listTools();
  return async () => {
    await client.callTool(params);
  };
}

/** The official client over loopback HTTP; a fresh server for each request, so that guarding it counts too. */
async function overHttp(guarded: boolean): Promise<() => Promise<void>> {
  const handle = toNodeHandler(createMcpHandler(() => makeServer(guarded)));
  const server = createServer((request, response) => void handle(request as never, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
  return async () => {
    await client.callTool(params);
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

const WAYS = {
  'in memory': { make: overMemory, calls: CALLS },
  'over stdio': { make: overStdio, calls: CALLS / 4 },
  'over loopback HTTP': { make: overHttp, calls: CALLS / 4 },
} as const;

type Way = keyof typeof WAYS;

/** In this process; the figures are all that it prints. */
async function measureOnce(way: Way): Promise<never> {
  const { make, calls } = WAYS[way];
  console.log(JSON.stringify(await compare(make, calls)));
  process.exit();
}

function measure(way: Way): void {
  const own = ['--conditions=@mayday/source', fileURLToPath(import.meta.url), ONCE, way];
  const runs = Array.from(
    { length: PROCESSES },
    () => JSON.parse(execFileSync(process.execPath, own, { encoding: 'utf8' })) as [number, number, number],
  ).sort((one, other) => one[2] - other[2]);
  const percent = (share: number): string => (share * 100).toFixed(2);
  const [plain, guarded, share] = runs[Math.floor(runs.length / 2)] as [number, number, number];
  const range = `${percent(runs[0]?.[2] as number)} to ${percent(runs.at(-1)?.[2] as number)} in ${runs.length} processes`;
  const figures = `plain ${plain.toFixed(1)} µs, guarded ${guarded.toFixed(1)} µs, overhead ${percent(share)} % (${range})`;
  console.log(`the official client, ${way}: ${figures}; promised: at most ${PROMISED * 100} %`);
  if (share > PROMISED) process.exitCode = 1;
}

const [role, way] = process.argv.slice(2);
if (role === PLAIN || role === GUARDED)
  await makeServer(role === GUARDED).connect(new StdioServerTransport());
else if (role === ONCE) await measureOnce(way as Way);
else for (const each of Object.keys(WAYS)) measure(each as Way);
