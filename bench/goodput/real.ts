/** The day in real time, against a process on loopback: the same story, told by the network. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { PlannedCall } from './day.ts';
import { type CallRecord, type Figures, measure, type ServerReport } from './measure.ts';
import type { MakeCall, Strategy } from './strategies.ts';

/** Lives through a day with a strategy. */
export async function realDay(
  strategy: Strategy,
  day: readonly PlannedCall[],
  seed: number,
  knowsKeys: boolean,
): Promise<Figures> {
  const server = await startServer(seed, knowsKeys);
  try {
    const { call, close } = await strategy.prepare(`${server.url}/mcp`);
    await post(`${server.url}/start`);
    const records = await liveThrough(day, call);
    const report = await post<ServerReport>(`${server.url}/report`);
    await close();
    return measure(strategy.name, records, report);
  } finally {
    server.stop();
  }
}

async function startServer(seed: number, knowsKeys: boolean): Promise<{ url: string; stop(): void }> {
  const path = fileURLToPath(new URL('./server.ts', import.meta.url));
  const args = [path, String(seed), ...(knowsKeys ? ['keys'] : [])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
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
