/** Failures at a fixed pace: is every call answered, and every failure in the journal, or its loss told? */
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '@mayday/store';
import { freePort } from '../../scripts/free-port.ts';
import { generate } from '../gateway/load.ts';
import { startScript, usageOf } from '../gateway/processes.ts';
import { startNode } from './nodes.ts';

/** How much of it. */
export interface FloodOptions {
  readonly store: string;
  readonly perMinute: number;
  readonly seconds: number;
}

/** What came of it. */
export interface FloodResult {
  readonly sent: number;
  readonly perMinute: number;
  /** Calls that got no answer, or one that is no failure. */
  readonly dropped: number;
  readonly journalled: number;
  /** Failures that the gateway says it could not journal. */
  readonly toldLost: number;
  readonly groups: number;
  /** Half of the calls, and 99 of 100, took no longer. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the gateway for one failure, its journalling included, in microseconds. */
  readonly cpuUs: number;
}

/** So long is a step of the pace. */
const STEP_MS = 200;
const CONNECTIONS = 16;
const LAST_WORDS_MS = 30_000;

/** What fails is called by these, one after the other. */
const WORDS = ['customer', 'invoice', 'parcel', 'refund', 'voucher', 'address', 'shelf', 'desk'] as const;

function body(id: number): string {
  const order = `${id} of the ${WORDS[id % WORDS.length]}`;
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"fail","arguments":{"order":"${order}"}}}`;
}

/** Runs it. */
export async function floodWithFaults({ store, perMinute, seconds }: FloodOptions): Promise<FloodResult> {
  const port = await freePort();
  const upstream = await startScript('http-upstream.ts', String(port));
  const node = await startNode({ store, upstreams: { shop: { url: `http://127.0.0.1:${port}/mcp` } } });
  const steps: { readonly p50: number; readonly p99: number }[] = [];
  let [sent, failed] = [0, 0];
  const usedBefore = (await usageOf(node.child)).cpuUs;
  const total = Math.round((perMinute / 60) * seconds);
  const began = performance.now();
  while (sent < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - began + STEP_MS) / 60_000) * perMinute));
    const maxCalls = Math.min(due - sent, Math.ceil(perMinute / 60));
    const load = {
      port: Number(new URL(node.url).port),
      path: '/shop/mcp',
      body,
      firstId: sent + 1,
      maxCalls,
    };
    const step = await generate({
      ...load,
      connections: CONNECTIONS,
      durationMs: 60_000,
      onAnswer(answer) {
        if (answer.includes('dev.mayday/fault')) failed += 1;
      },
    });
    sent += maxCalls;
    steps.push(step);
    await pause(Math.max(0, (sent / perMinute) * 60_000 - STEP_MS - (performance.now() - began)));
  }
  const minutes = Math.max(performance.now() - began, seconds * 1000) / 60_000;

  const journal = await openStore(store);
  const counted = async (): Promise<readonly number[]> =>
    (await journal.faults.groups({ limit: 10_000 })).map(({ count }) => count);
  const until = performance.now() + LAST_WORDS_MS;
  let counts = await counted();
  while (sum(counts) < sent && performance.now() < until) {
    await pause(100);
    counts = await counted();
  }
  const cpuUs = ((await usageOf(node.child)).cpuUs - usedBefore) / sent;
  await journal.close();
  await node.stop();
  upstream.kill();
  return {
    sent,
    perMinute: sent / minutes,
    dropped: sent - failed,
    journalled: sum(counts),
    toldLost: sum(node.told.map((line) => Number(/(\d+) faults were not journalled/.exec(line)?.[1] ?? 0))),
    groups: counts.length,
    p50: median(steps.map(({ p50 }) => p50)),
    p99: median(steps.map(({ p99 }) => p99)),
    cpuUs,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
