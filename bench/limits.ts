/**
 * Limits: do four gateways on one Redis hold one limit, and what does counting cost? `npm run bench:limits`. `--only
 * hold,cost` runs one part, `--rounds N` sets the rounds of the second.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasRedis, type RedisServer, startRedis } from '../packages/store/test/redis-server.ts';
import { optionsOf } from './arguments.ts';
import { generate } from './gateway/load.ts';
import { startScript, stopAll, usageOf } from './gateway/processes.ts';

const values = optionsOf(import.meta.url, {
  only: { type: 'string' },
  rounds: { type: 'string', default: '7' },
});
const ROUNDS = Number(values.rounds);
const UPSTREAM_PORT = 7451;
const UPSTREAM = { url: `http://127.0.0.1:${UPSTREAM_PORT}/mcp` };
let nextPort = UPSTREAM_PORT + 1;
let isGood = true;

const body = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"track","arguments":{"order":"A-17"}}}`;

async function gateway(upstreams: object, settings: object): Promise<{ port: number; child: ChildProcess }> {
  const port = nextPort++;
  const given = [upstreams, settings].map((each) => JSON.stringify(each));
  return { port, child: await startScript('run-gateway.ts', String(port), ...given) };
}

function verdict(ok: boolean, text: string): void {
  isGood &&= ok;
  console.log(`  ${ok ? 'ok  ' : 'MISS'} ${text}`);
}

const NODES = 4;
const HOLD_MS = 11_000;

/** Each counts an upstream of its own. What is allowed in all is known to the call; a busy machine asks for more, too. */
const HELD = [
  { upstream: 'w', name: 'window, 150 in 3 s', calls: 150, per_ms: 3000, allowed: () => 150 * 4 },
  {
    upstream: 'b',
    name: 'bucket, 150 in 3 s',
    calls: 150,
    per_ms: 3000,
    algorithm: 'bucket',
    allowed: (ms: number) => 150 + (150 * ms) / 3000,
  },
  { upstream: 'm', name: 'window, 500 a minute', calls: 500, per_ms: 60_000, allowed: () => 500 },
] as const;

/** Everybody asks as fast as it goes, each gateway over connections of its own. */
async function hold({ url }: RedisServer): Promise<void> {
  console.log(`\n${NODES} gateway processes on one Redis, ${HOLD_MS / 1000} s for each limit`);
  const rates = HELD.map(({ upstream, name: _, allowed: _a, ...limit }) => ({
    ...limit,
    tools: [`${upstream}/*`],
  }));
  const upstreams = Object.fromEntries(HELD.map(({ upstream }) => [upstream, UPSTREAM]));
  const ports: number[] = [];
  while (ports.length < NODES)
    ports.push((await gateway(upstreams, { store: { url }, limits: { rates } })).port);
  for (const { upstream, name, allowed } of HELD) {
    let [passed, refused, uncounted, last] = [0, 0, 0, 0];
    const began = performance.now();
    const onAnswer = (answer: string): void => {
      last = performance.now();
      if (answer.includes('rate_limited')) refused += 1;
      else if (!answer.includes('was shipped')) uncounted += 1;
      else passed += 1;
    };
    const load = { path: `/${upstream}/mcp`, body, connections: 4, durationMs: HOLD_MS, onAnswer };
    await Promise.all(ports.map((port) => generate({ ...load, port })));
    const off = 100 * (passed / allowed(last - began) - 1);
    const late = uncounted === 0 ? '' : `, ${uncounted} not made because Redis did not answer in time`;
    const told = `${name}: ${passed} made, ${refused} refused, ${off.toFixed(2)} % off (at most 1 %)${late}`;
    verdict(Math.abs(off) <= 1, told);
  }
  stopAll();
}

const ONE = { rates: [{ calls: 1_000_000_000, per_ms: 60_000, by: ['caller'] }] };
const FOUR = {
  rates: [
    ...ONE.rates,
    { calls: 1_000_000_000, per_ms: 1000, by: ['tool'], algorithm: 'bucket' },
    { calls: 1_000_000_000, per_ms: 10_000, by: ['upstream'] },
  ],
  concurrency: [{ calls: 1_000_000, by: ['caller', 'upstream'] }],
};

const ROUND_MS = 1500;

/** Loads all of them in turns, so that a slow moment of the machine hits all; medians over the rounds. */
async function cost(redis: RedisServer | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-limits-'));
  const stores: readonly (readonly [name: string, store: object | undefined])[] = [
    ['memory', undefined],
    ['SQLite', { url: join(folder, 'mayday.db') }],
    ...(redis === undefined ? [] : [['Redis', { url: redis.url }] as const]),
  ];
  await startScript('http-upstream.ts', String(UPSTREAM_PORT));
  const targets = [{ name: 'no limits', ...(await gateway({ raw: UPSTREAM }, {})) }];
  for (const [what, limits] of [
    ['one rate', ONE],
    ['three rates, calls at a time', FOUR],
  ] as const)
    for (const [name, store] of stores)
      targets.push({ name: `${what}, ${name}`, ...(await gateway({ raw: UPSTREAM }, { store, limits })) });
  const samples = targets.map(() => ({ perSecond: [] as number[], cpuUs: [] as number[] }));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [i, { name, port, child }] of targets.entries()) {
      const before = (await usageOf(child)).cpuUs;
      const load = { port, path: '/raw/mcp', body, connections: 32, durationMs: ROUND_MS };
      const { perSecond, answers, lastAnswer } = await generate(load);
      // A quick refusal would look like a fast answer.
      if (!lastAnswer.includes('was shipped')) throw new Error(`${name}: ${lastAnswer.slice(0, 300)}`);
      if (round < 0) continue; // it is compiled first
      samples[i]?.perSecond.push(perSecond);
      samples[i]?.cpuUs.push(((await usageOf(child)).cpuUs - before) / answers);
    }
  }
  stopAll();
  rmSync(folder, { recursive: true });
  console.log('\nagainst the same gateway without limits: throughput, and processor time a call');
  const rows = samples.map(({ perSecond, cpuUs }) => ({ rate: median(perSecond), cpu: median(cpuUs) }));
  const [none = { rate: Number.NaN, cpu: Number.NaN }] = rows;
  for (const [i, { rate, cpu }] of rows.entries())
    console.log(
      `  ${(targets[i]?.name ?? '').padEnd(36)} ${rate.toFixed(0).padStart(6)} calls/s  ${(rate / none.rate).toFixed(2)} ×  ${cpu.toFixed(0).padStart(5)} µs  ${(cpu / none.cpu).toFixed(2)} ×`,
    );
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

const chosen = values.only?.split(',') ?? ['hold', 'cost'];
// As Redis is set up by default: it writes through to its disk once a second.
const redis = hasRedis ? await startRedis('--appendfsync', 'everysec') : undefined;
try {
  if (redis === undefined) console.log('There is no redis-server: what needs one is left out');
  else if (chosen.includes('hold')) {
    await startScript('http-upstream.ts', String(UPSTREAM_PORT));
    await hold(redis);
  }
  if (chosen.includes('cost')) await cost(redis);
} finally {
  stopAll();
  await redis?.stop();
}
process.exit(isGood ? 0 : 1);
