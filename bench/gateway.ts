/**
 * What the gateway costs, next to what else one could put there, in one run: `npm run bench:gateway`.
 * `--only http,telemetry,stdio,streams,memory,start` runs some parts; `--calls N` sets the calls of the memory part.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generate, type Measured, openSession, openStreams } from './gateway/load.ts';
import { nginx, npmPeers } from './gateway/peers.ts';
import { startProgram, startScript, stopAll, usageOf } from './gateway/processes.ts';
import type { Usage } from './gateway/usage.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    calls: { type: 'string', default: '3000000' },
    rounds: { type: 'string', default: '5' },
  },
});
const ROUNDS = Number(values.rounds);
const ROUND_MS = 2000;
const CONNECTIONS = 32;
const MAYDAY = fileURLToPath(new URL('../packages/cli/bin/mayday.js', import.meta.url));
const STDIO_UPSTREAM = fileURLToPath(new URL('./gateway/stdio-upstream.ts', import.meta.url));

const succeed = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"track","arguments":{"order":"A-17"}}}`;
const fail = (id: number): string => succeed(id).replace('track', 'fail');
const failAnew = (id: number): string => fail(id).replace('A-17', `A-${id}`);

interface Target {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly body: (id: number) => string;
  readonly headers?: { readonly [name: string]: string };
  /** Processor time that the program has used so far, in microseconds. */
  readonly cpu?: () => Promise<number>;
}

interface Row {
  readonly name: string;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuUs: number | undefined;
}

/** Loads the targets in turns, so that a slow moment of the machine hits all of them; medians over the rounds. */
async function race(targets: readonly Target[]): Promise<readonly Row[]> {
  const samples = targets.map(() => [] as { measured: Measured; cpu: number | undefined }[]);
  for (const target of targets) await load(target, 3000);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, target] of targets.entries()) {
      const before = await target.cpu?.();
      const measured = await load(target, ROUND_MS);
      const after = await target.cpu?.();
      const cpu =
        before === undefined || after === undefined ? undefined : (after - before) / measured.answers;
      samples[i]?.push({ measured, cpu });
    }
  }
  return targets.map(({ name }, i) => {
    const of = (pick: (sample: { measured: Measured; cpu: number | undefined }) => number): number =>
      median((samples[i] ?? []).map(pick));
    const cpuUs = of(({ cpu }) => cpu ?? Number.NaN);
    return {
      name,
      perSecond: of(({ measured }) => measured.perSecond),
      p50: of(({ measured }) => measured.p50),
      p99: of(({ measured }) => measured.p99),
      cpuUs: Number.isNaN(cpuUs) ? undefined : cpuUs,
    };
  });
}

async function load(target: Target, durationMs: number): Promise<Measured> {
  const measured = await generate({ ...target, connections: CONNECTIONS, durationMs });
  // A quick refusal would look like a fast answer.
  if (!/^HTTP\/1\.1 200 [\s\S]*"result"/.test(measured.lastAnswer)) {
    throw new Error(`${target.name} did not answer: ${measured.lastAnswer.slice(0, 300)}`);
  }
  return measured;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function print(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  for (const { name, perSecond, p50, p99, cpuUs } of rows) {
    const cpu = cpuUs === undefined ? '' : `  ${cpuUs.toFixed(0).padStart(5)} µs of processor a call`;
    console.log(
      `  ${name.padEnd(22)} ${perSecond.toFixed(0).padStart(6)} calls/s  p50 ${p50.toFixed(2).padStart(6)} ms  p99 ${p99.toFixed(2).padStart(7)} ms${cpu}`,
    );
  }
}

const verdicts: { readonly text: string; readonly ok: boolean }[] = [];

function verdict(ok: boolean, text: string): void {
  verdicts.push({ ok, text });
  console.log(`  ${ok ? 'ok  ' : 'MISS'} ${text}`);
}

async function http(): Promise<void> {
  await startScript('http-upstream.ts', '7401');
  const bare = await startScript('bare-proxy.ts', '7402', '7401');
  const gateway = await startScript(
    'run-gateway.ts',
    '7403',
    JSON.stringify({ raw: { url: 'http://127.0.0.1:7401/mcp' } }),
  );
  const targets: Target[] = [
    { name: 'no proxy', port: 7401, path: '/mcp', body: succeed },
    {
      name: 'bare Node proxy',
      port: 7402,
      path: '/mcp',
      body: succeed,
      cpu: async () => (await usageOf(bare)).cpuUs,
    },
    {
      name: 'gateway',
      port: 7403,
      path: '/raw/mcp',
      body: succeed,
      cpu: async () => (await usageOf(gateway)).cpuUs,
    },
    {
      name: 'gateway, failing',
      port: 7403,
      path: '/raw/mcp',
      body: fail,
      cpu: async () => (await usageOf(gateway)).cpuUs,
    },
    {
      name: 'gateway, failing anew',
      port: 7403,
      path: '/raw/mcp',
      body: failAnew,
      cpu: async () => (await usageOf(gateway)).cpuUs,
    },
  ];
  const server = nginx(7404, 7401);
  if (server === undefined) console.log('nginx is not installed: left out');
  else {
    await startProgram(7404, server.command, server.args);
    targets.push({ name: 'nginx', port: 7404, path: '/mcp', body: succeed });
  }
  const rows = await race(targets);
  print('HTTP upstream', rows);
  const of = (name: string): Row => rows.find((row) => row.name === name) as Row;
  const ratio = of('gateway').perSecond / of('bare Node proxy').perSecond;
  verdict(ratio >= 1.2, `throughput ${ratio.toFixed(2)} × of the bare Node proxy (at least 1.20)`);
  const tail = of('gateway').p99 / of('bare Node proxy').p99;
  verdict(tail <= 1, `p99 ${tail.toFixed(2)} × of the bare Node proxy (at most 1.00)`);
  const cost = of('gateway').perSecond / of('gateway, failing').perSecond;
  verdict(cost <= 1.3, `a failing answer costs ${cost.toFixed(2)} × of a successful one (at most 1.30)`);
  const anew = of('gateway').perSecond / of('gateway, failing anew').perSecond;
  console.log(`       ${anew.toFixed(2)} × where each failure has words of its own`);
  if (server !== undefined)
    console.log(`       ${(of('gateway').perSecond / of('nginx').perSecond).toFixed(2)} × of nginx`);
}

/** The same gateway, told more and more of. */
async function telemetry(): Promise<void> {
  await startScript('http-upstream.ts', '7451');
  await startScript('otlp-sink.ts', '7452');
  const upstreams = JSON.stringify({ raw: { url: 'http://127.0.0.1:7451/mcp' } });
  const otlp = { endpoint: 'http://127.0.0.1:7452' };
  const levels: readonly (readonly [string, object])[] = [
    ['no telemetry', {}],
    ['metrics', { telemetry: { metrics: 'operators' } }],
    ['and one trace in 20', { telemetry: { otlp, sample: 0.05 } }],
    ['and all traces', { telemetry: { otlp } }],
  ];
  const targets: Target[] = [];
  for (const [i, [name, more]] of levels.entries()) {
    const port = 7453 + i;
    const gateway = await startScript('run-gateway.ts', String(port), upstreams, JSON.stringify(more));
    const cpu = async (): Promise<number> => (await usageOf(gateway)).cpuUs;
    targets.push({ name, port, path: '/raw/mcp', body: succeed, cpu });
  }
  const rows = await race(targets);
  print('telemetry', rows);
  const [off] = rows;
  for (const { name, perSecond, cpuUs } of rows.slice(1)) {
    const throughput = (perSecond / (off?.perSecond ?? Number.NaN)).toFixed(2);
    const processor = ((cpuUs ?? Number.NaN) / (off?.cpuUs ?? Number.NaN)).toFixed(2);
    console.log(`       ${throughput} × of the throughput, ${processor} × of the processor time: ${name}`);
  }
}

async function stdio(): Promise<void> {
  const command = process.execPath;
  const gateway = await startScript(
    'run-gateway.ts',
    '7411',
    JSON.stringify({ raw: { command, args: [STDIO_UPSTREAM] } }),
  );
  const targets: Target[] = [
    {
      name: 'gateway',
      port: 7411,
      path: '/raw/mcp',
      body: succeed,
      cpu: async () => (await usageOf(gateway)).cpuUs,
    },
  ];
  const peers = npmPeers();
  if (peers === undefined) console.log('mcp-proxy and supergateway cannot be fetched: left out');
  else {
    await startProgram(7412, command, [
      peers.mcpProxy,
      '--port',
      '7412',
      '--host',
      '127.0.0.1',
      '--server',
      'stream',
      '--',
      command,
      STDIO_UPSTREAM,
    ]);
    await startProgram(7413, command, [
      peers.supergateway,
      '--stdio',
      `${command} ${STDIO_UPSTREAM}`,
      '--outputTransport',
      'streamableHttp',
      '--stateful',
      '--port',
      '7413',
      '--logLevel',
      'none',
    ]);
    targets.push({ name: 'mcp-proxy', port: 7412, path: '/mcp', body: succeed });
    targets.push({ name: 'supergateway', port: 7413, path: '/mcp', body: succeed });
  }
  const withSessions = await Promise.all(
    targets.map(async (target) => ({ ...target, headers: await openSession(target.port, target.path) })),
  );
  const rows = await race(withSessions);
  print('stdio upstream', rows);
  const own = rows[0]?.perSecond ?? Number.NaN;
  for (const { name, perSecond } of rows.slice(1)) {
    verdict(own / perSecond >= 4, `throughput ${(own / perSecond).toFixed(2)} × of ${name} (at least 4.00)`);
  }
}

async function streams(): Promise<void> {
  await startScript('http-upstream.ts', '7421');
  const gateway = await startScript(
    'run-gateway.ts',
    '7422',
    JSON.stringify({ raw: { url: 'http://127.0.0.1:7421/mcp' } }),
  );
  const before = (await usageOf(gateway, 'collection')).rssMb;
  const close = await openStreams(7422, '/raw/mcp', 1000);
  const after = (await usageOf(gateway, 'collection')).rssMb;
  console.log(`\n1,000 open streams: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB with them`);
  verdict(after <= 300, `${after.toFixed(0)} MB with 1,000 open streams (at most 300)`);
  close();
}

/** What is remembered is thrown away when it is too much, so that the heap goes up and down: of a tenth, the median counts. */
const READINGS = 9;
const LONGEST_MS = 600_000;

/** So many different sessions, tools, resources and error texts are seen again and again. */
const DISTINCT = 100_000;

/** A call that is never quite the same: one in ten fails, one in ten reads a resource. */
function varied(id: number): string {
  const n = id % DISTINCT;
  if (id % 10 === 0) return succeed(id).replace('track', 'fail').replace('A-17', `E-${n}`);
  if (id % 10 === 1)
    return `{"jsonrpc":"2.0","id":${id},"method":"resources/read","params":{"uri":"order://${n}"}}`;
  return succeed(id).replace('track', `track_${n}`);
}

async function memory(): Promise<void> {
  const calls = Number(values.calls);
  await startScript('http-upstream.ts', '7431');
  const gateway = await startScript(
    'run-gateway.ts',
    '7432',
    JSON.stringify({ raw: { url: 'http://127.0.0.1:7431/mcp' } }),
  );
  console.log(
    `\nmemory over ${calls.toLocaleString('en')} calls, every tenth failing, ${DISTINCT.toLocaleString('en')} sessions, names, URIs and texts`,
  );
  const heaps: number[] = [];
  let made = 0;
  for (let tenth = 0; tenth < 10; tenth++) {
    const readings: Usage[] = [];
    for (let part = 0; part < READINGS; part++) {
      const chunk = await generate({
        port: 7432,
        path: '/raw/mcp',
        firstId: made + 1,
        body: varied,
        headersFor: (id) => ({ 'mcp-session-id': `session-${id % DISTINCT}` }),
        connections: CONNECTIONS,
        durationMs: LONGEST_MS,
        maxCalls: Math.ceil(calls / 10 / READINGS),
      });
      made += chunk.answers;
      readings.push(await usageOf(gateway, 'collection'));
    }
    const heap = median(readings.map(({ heapMb }) => heapMb));
    heaps.push(heap);
    const resident = median(readings.map(({ rssMb }) => rssMb));
    console.log(
      `  ${made.toLocaleString('en').padStart(10)} calls  heap ${heap.toFixed(1)} MB  resident ${resident.toFixed(0)} MB`,
    );
  }
  // The first tenth fills caches and compiles; from then on it must not grow.
  const growth = ((heaps.at(-1) ?? Number.NaN) / (heaps[0] ?? Number.NaN) - 1) * 100;
  verdict(growth <= 5, `the heap grew by ${growth.toFixed(1)} % after the first tenth (at most 5 %)`);
}

async function start(): Promise<void> {
  if (!existsSync(fileURLToPath(new URL('../packages/gateway/dist', import.meta.url)))) {
    console.log('\nstart: left out, because it measures what is built; run `npm run build` first');
    return;
  }
  const times: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < 5; round++) {
    const port = 7441 + round;
    const began = performance.now();
    await startProgram(port, process.execPath, [
      MAYDAY,
      'gateway',
      '--port',
      String(port),
      '--',
      process.execPath,
      STDIO_UPSTREAM,
    ]);
    await openSession(port, '/mcp');
    times.push(performance.now() - began);
    const alone = performance.now();
    await startScript('first-answer.ts', STDIO_UPSTREAM);
    own.push(performance.now() - alone);
  }
  const beyond = median(times) - median(own);
  console.log(
    `\nstart: ${median(times).toFixed(0)} ms to the first answer, ${median(own).toFixed(0)} ms without the gateway`,
  );
  verdict(beyond <= 700, `${beyond.toFixed(0)} ms beyond the upstream's own start (at most 700)`);
}

const PARTS = { http, telemetry, stdio, streams, memory, start };
const chosen = values.only?.split(',') ?? Object.keys(PARTS);
try {
  for (const name of chosen) {
    await PARTS[name as keyof typeof PARTS]?.();
    stopAll();
  }
} finally {
  stopAll();
}
process.exitCode = verdicts.every(({ ok }) => ok) ? 0 : 1;
process.exit();
