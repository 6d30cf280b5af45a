/**
 * What the guard costs a successful tool call, as a share of the SDK's own cost. A plain and a guarded server run in processes
 * of their own, as servers do: in one, each makes the SDK's code slower for the other. They take turns, call by call, and the
 * medians count. Two processes of one program differ by more than the guard costs, so that it is measured in several
 * pairs, of which the median counts again. Fails above the promised share.
 */
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
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
/** Before them come a quarter as many that nobody measures: a server answers most of its calls with warm code. */
const CALLS = Number(process.env['CALLS'] ?? 16_000);
/** How many pairs are measured, one after another. Odd, so that one of them is the median. */
const PAIRS = Number(process.env['PAIRS'] ?? 7);

/** What this file is started with where it measures once. */
const ONCE = 'once';
/** What this file is started with where it calls a server in its own process. */
const WORK = 'work';
/** What this file is started with where it is a server. */
const STDIO = 'serve-stdio';
const HTTP = 'serve-http';
const PLAIN = 'plain';
const GUARDED = 'guarded';

const startedAs = (...args: readonly string[]): string[] => [
  '--conditions=@mayday/source',
  fileURLToPath(import.meta.url),
  ...args,
];

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
  const args = startedAs(STDIO, guarded ? GUARDED : PLAIN);
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  await client.listTools();
  return async () => {
    await client.callTool(params);
  };
}

/** The official client over loopback HTTP. */
async function overHttp(guarded: boolean): Promise<() => Promise<void>> {
  const args = startedAs(HTTP, guarded ? GUARDED : PLAIN);
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => server.kill());
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${String(port).trim()}/mcp`)),
  );
  return async () => {
    await client.callTool(params);
  };
}

/** A fresh server for each request, so that guarding it counts too. */
function serveHttp(guarded: boolean): void {
  const handle = toNodeHandler(createMcpHandler(() => makeServer(guarded)));
  const server = createServer((request, response) => void handle(request as never, response));
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
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

type Timings = readonly [plain: number, guarded: number];

/**
 * Call by call in turns: whatever else the machine does disturbs both alike, and the calls that it
 * interrupts are not the median ones. Microseconds.
 */
async function inTurns(calls: readonly (() => Promise<void>)[], count: number): Promise<readonly number[]> {
  const times = calls.map((): number[] => []);
  for (let i = -count / 4; i < count; i++)
    for (let turn = 0; turn < calls.length; turn++) {
      const at = (i + calls.length * count + turn) % calls.length;
      const took = await time(calls[at] as () => Promise<void>);
      if (i >= 0) times[at]?.push(took); // warm
    }
  return times.map((each) => median(each) / 1000);
}

/** Several at a time, in processes of their own that wait for one another. */
async function inBatches(name: string, count: number): Promise<readonly number[]> {
  const workers = [PLAIN, GUARDED].map((kind) =>
    fork(fileURLToPath(import.meta.url), [WORK, name, kind], { execArgv: startedAs().slice(0, 1) }),
  );
  const times = workers.map((): number[] => []);
  for (let done = -count / 4; done < count; done += BATCH)
    for (const [at, worker] of workers.entries()) {
      worker.send(BATCH);
      const [took] = (await once(worker, 'message')) as [readonly number[]];
      if (done >= 0) times[at]?.push(...took); // warm
    }
  for (const worker of workers) worker.kill();
  return times.map((each) => median(each) / 1000);
}

const BATCH = 100;

/** Makes as many calls as it is asked for, and tells how long each took. */
async function work(make: Make, kind: string): Promise<void> {
  const call = await make(kind === GUARDED);
  process.on('message', async (count: number) => {
    const took: number[] = [];
    while (took.length < count) took.push(await time(call));
    process.send?.(took);
  });
}

type Make = (guarded: boolean) => Promise<() => Promise<void>>;

const WAYS: {
  readonly [name: string]: { readonly make: Make; readonly calls: number; readonly isHere?: boolean };
} = {
  'in memory': { make: overMemory, calls: CALLS, isHere: true },
  'over stdio': { make: overStdio, calls: CALLS / 2 },
  'over loopback HTTP': { make: overHttp, calls: CALLS / 4 },
};

/** The figures are all that it prints: each pair is measured in a process that has done nothing yet. */
async function measureOnce(name: string): Promise<never> {
  const { make, calls, isHere } = WAYS[name] as (typeof WAYS)[string];
  const times =
    isHere === true
      ? await inBatches(name, calls)
      : await inTurns([await make(false), await make(true)], calls);
  console.log(JSON.stringify(times));
  process.exit();
}

function pairOf(name: string): Timings {
  return JSON.parse(execFileSync(process.execPath, startedAs(ONCE, name), { encoding: 'utf8' })) as Timings;
}

const shareOf = ([plain, guarded]: Timings): number => guarded / plain - 1;

function measure(name: string): void {
  const runs = Array.from({ length: PAIRS }, () => pairOf(name)).sort(
    (one, other) => shareOf(one) - shareOf(other),
  );
  const percent = (run: Timings | undefined): string => (shareOf(run as Timings) * 100).toFixed(2);
  const [plain, guarded] = runs[Math.floor(runs.length / 2)] as Timings;
  const share = shareOf([plain, guarded]);
  const range = `${percent(runs[0])} to ${percent(runs.at(-1))} in ${runs.length} pairs`;
  const figures = `plain ${plain.toFixed(1)} µs, guarded ${guarded.toFixed(1)} µs, overhead ${percent([plain, guarded])} % (${range})`;
  console.log(`the official client, ${name}: ${figures}; promised: at most ${PROMISED * 100} %`);
  if (share > PROMISED) process.exitCode = 1;
}

const [role, which = '', kind = which] = process.argv.slice(2);
if (role === STDIO) await makeServer(kind === GUARDED).connect(new StdioServerTransport());
else if (role === HTTP) serveHttp(kind === GUARDED);
else if (role === WORK) await work((WAYS[which] as (typeof WAYS)[string]).make, kind);
else if (role === ONCE) await measureOnce(which);
else for (const name of Object.keys(WAYS)) measure(name);
