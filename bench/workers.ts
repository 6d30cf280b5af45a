/**
 * What a second worker is worth, in one run: `npm run bench:workers`. One gateway has one worker, another one two; they
 * are loaded in turns. The load generator and the upstream are as cheap as they can be, but they share the cores with the
 * workers: where there are no more cores than workers, calls a second say less than what the workers could do. So both are
 * told: calls a second, and calls for each second of the processor that the busiest process of a gateway has used. Run it
 * on a quiet machine: where others take the cores, they take them from one worker more than from the other.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { optionsOf } from './arguments.ts';
import { generate } from './gateway/load.ts';
import { startProgram, startScript, stopAll } from './gateway/processes.ts';

const values = optionsOf(import.meta.url, { rounds: { type: 'string', default: '9' } });
const ROUNDS = Number(values.rounds);
const ROUND = { durationMs: 2000 };
/** So many calls that every worker is compiled. */
const WARM_UP = { durationMs: 30_000, maxCalls: 30_000 };
const CONNECTIONS = 32;
const UPSTREAM = 7461;
const MAYDAY = fileURLToPath(new URL('../packages/cli/bin/mayday.js', import.meta.url));
/** As `getconf CLK_TCK` says on every Linux there is. */
const TICKS = 100;

const track = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"track","arguments":{"order":"A-17"}}}`;
const fail = (id: number): string => track(id).replace('track', 'fail').replace('A-17', `A-${id}`);

const LOADS = { 'calls that succeed': track, 'calls that fail, each in words of its own': fail };

interface Gateway {
  readonly port: number;
  readonly pids: readonly number[];
}

async function start(port: number, workers: number): Promise<Gateway> {
  const upstream = `http://127.0.0.1:${UPSTREAM}/mcp`;
  const args = [MAYDAY, 'gateway', '--quiet', '--workers', String(workers), '--port', String(port), upstream];
  const { pid = 0 } = await startProgram(port, process.execPath, args);
  // The port is open before all workers are there: one that is left out would look as if it cost nothing.
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/-/status`);
    const { workers: living = [] } = (await answer.json()) as { workers?: readonly { pid: number }[] };
    if (workers === 1 || living.length === workers)
      return { port, pids: [pid, ...living.map((worker) => worker.pid)] };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Processor time of a process so far, in seconds. */
function processorOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

interface Sample {
  readonly perSecond: number;
  /** What the workers use for a call, and what the load generator and the upstream do, in microseconds. */
  readonly ownUs: number;
  readonly othersUs: number;
  /** The share of the busiest process, in percent: 50 where two workers have the same to do. */
  readonly busiest: number;
  /** Calls for each second of the busiest process. */
  readonly perProcessor: number;
}

async function load(
  { port, pids }: Gateway,
  body: (id: number) => string,
  until: { readonly durationMs: number; readonly maxCalls?: number },
): Promise<Sample> {
  const others = [process.pid, upstreamPid];
  const before = [...pids, ...others].map(processorOf);
  const measured = await generate({ port, path: '/mcp', body, connections: CONNECTIONS, ...until });
  if (!/^HTTP\/1\.1 200 [\s\S]*"result"/.test(measured.lastAnswer))
    throw new Error(`no answer: ${measured.lastAnswer.slice(0, 300)}`);
  const used = [...pids, ...others].map((pid, i) => processorOf(pid) - (before[i] ?? 0));
  const own = used.slice(0, pids.length);
  const sum = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0);
  return {
    perSecond: measured.perSecond,
    perProcessor: measured.answers / Math.max(...own),
    busiest: (Math.max(...own) / sum(own)) * 100,
    ownUs: (sum(own) / measured.answers) * 1e6,
    othersUs: (sum(used.slice(pids.length)) / measured.answers) * 1e6,
  };
}

function median(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
}

let isMet = true;
let upstreamPid = 0;

try {
  upstreamPid = (await startScript('cheap-upstream.ts', String(UPSTREAM))).pid ?? 0;
  const gateways = [await start(7462, 1), await start(7463, 2)] as const;
  console.log(
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), which the load generator and the upstream share; ${CONNECTIONS} connections, medians of ${ROUNDS} rounds in turns`,
  );
  for (const [name, body] of Object.entries(LOADS)) {
    for (const gateway of gateways) await load(gateway, body, WARM_UP);
    const samples: [Sample[], Sample[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, gateway] of gateways.entries())
        samples[i as 0 | 1].push(await load(gateway, body, ROUND));
    const of = (which: 0 | 1, pick: keyof Sample): number => median(samples[which].map((one) => one[pick]));
    const ratio = (pick: keyof Sample): number => of(1, pick) / of(0, pick);
    console.log(`\n${name}`);
    for (const [which, label] of [
      [0, 'one worker'],
      [1, 'two workers'],
    ] as const)
      console.log(
        `  ${label.padEnd(12)} ${of(which, 'perSecond').toFixed(0).padStart(6)} calls/s  ${of(which, 'perProcessor').toFixed(0).padStart(6)} calls for each processor second of its busiest process`,
      );
    const capacity = ratio('perProcessor');
    isMet &&= capacity >= 1.6;
    const us = (pick: 'ownUs' | 'othersUs', which: 0 | 1): string => `${of(which, pick).toFixed(0)} µs`;
    console.log(
      `       ${ratio('perSecond').toFixed(2)} × the calls a second on these cores: a call takes ${us('othersUs', 1)} of them beside the gateway`,
    );
    console.log(
      `       a call takes ${us('ownUs', 0)} in one worker, ${us('ownUs', 1)} in two; the busier of the two has ${of(1, 'busiest').toFixed(0)} % of it`,
    );
    console.log(
      `  ${capacity >= 1.6 ? 'ok  ' : 'MISS'} two workers do ${capacity.toFixed(2)} × of what one does (at least 1.60)`,
    );
  }
} finally {
  stopAll();
}
process.exitCode = isMet ? 0 : 1;
process.exit();
