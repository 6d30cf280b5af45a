/**
 * Goodput: a simulated day of 200 agents against a server that fails in every usual way, once for each way to
 * retry. `npm run bench:goodput` prints the table and draws docs/goodput.svg; `-- --seed 7` takes another day.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chart } from './goodput/chart.ts';
import { DAY_MS, type PlannedCall, planDay } from './goodput/day.ts';
import { type CallRecord, type Figures, measure, type ServerReport } from './goodput/measure.ts';
import { type MakeCall, STRATEGIES, type Strategy } from './goodput/strategies.ts';
import { table, verdicts } from './goodput/table.ts';

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
const seed = Number(values.seed);

async function startServer(): Promise<{ url: string; stop(): void }> {
  const path = fileURLToPath(new URL('./goodput/server.ts', import.meta.url));
  const child = spawn(process.execPath, [path, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}

async function post<T>(url: string): Promise<T> {
  return (await (await fetch(url, { method: 'POST' })).json()) as T;
}

/** Starts each call at its time, whatever became of those before it. */
async function liveThrough(day: readonly PlannedCall[], make: MakeCall): Promise<readonly CallRecord[]> {
  const begin = performance.now();
  const running: Promise<CallRecord>[] = [];
  for (const call of day) {
    const early = call.at - (performance.now() - begin);
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    const startedAt = performance.now() - begin;
    const record = (ok: boolean): CallRecord => ({
      call,
      ok,
      startedAt,
      tookMs: performance.now() - begin - startedAt,
    });
    running.push(
      make(call).then(
        () => record(true),
        () => record(false),
      ),
    );
  }
  return Promise.all(running);
}

async function runStrategy(strategy: Strategy, day: readonly PlannedCall[]): Promise<Figures> {
  const server = await startServer();
  try {
    const { call, close } = await strategy.prepare(`${server.url}/mcp`, seed);
    await post(`${server.url}/start`);
    const records = await liveThrough(day, call);
    const report = await post<ServerReport>(`${server.url}/report`);
    await close();
    return measure(strategy.name, records, report);
  } finally {
    server.stop();
  }
}

const day = planDay(seed);
console.log(`${day.length} calls by 200 agents in ${DAY_MS / 1000} s, seed ${seed}\n`);
const all: Figures[] = [];
for (const strategy of STRATEGIES) {
  process.stderr.write(`${strategy.name} …\n`);
  all.push(await runStrategy(strategy, day));
}
console.log(table(all));
console.log('');
for (const { name, settings } of STRATEGIES) console.log(`${name}: ${settings}`);
console.log('');
const results = verdicts(all);
for (const { goal, got, met } of results) console.log(`${met ? 'met   ' : 'MISSED'}  ${goal}: ${got}`);
await writeFile(new URL('../docs/goodput.svg', import.meta.url), chart(all));
process.exitCode = results.every(({ met }) => met) ? 0 : 1;
