/**
 * What policy costs: `npm run bench:policy-cost`. Throughput with keys of the store, rules, a rate for each caller, exactly once
 * and the journal, against the same calls through a gateway that has none of it, in turns. Every tenth call has an idempotency
 * key, and every tenth fails. `--rounds N` sets the rounds, `--small` is short for three of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@mayday/store';
import { hasRedis, startRedis } from '../packages/store/test/redis-server.ts';
import { freePort } from '../scripts/free-port.ts';
import { optionsOf } from './arguments.ts';
import { generate, type Load } from './gateway/load.ts';
import { startScript, stopAll, usageOf } from './gateway/processes.ts';
import { type Node, startNode } from './state/nodes.ts';

const values = optionsOf(import.meta.url, {
  small: { type: 'boolean', default: false },
  rounds: { type: 'string' },
});
const ROUNDS = Number(values.rounds ?? (values.small ? 3 : 11));
const ROUND_MS = 1500;

const POLICIES = {
  access: {
    rules: [
      { deny: ['raw/delete_*', 'raw/drop_*'], callers: ['guest-*'] },
      { deny: ['bank/*'], tenants: ['partner-*'] },
      { allow: ['raw/admin_*'], scopes: ['raw:admin'] },
      { approve: ['raw/pay'] },
      { allow: ['raw/*'] },
    ],
  },
  limits: { rates: [{ calls: 1_000_000_000, per_ms: 60_000, by: ['caller'] }] },
};

interface Target {
  readonly name: string;
  readonly node: Node;
  readonly key: string;
  /** At least this share of the throughput without. */
  readonly atLeast: number | undefined;
  readonly perSecond: number[];
  readonly cpuUs: number[];
}

let nextId = 1;

function body(id: number): string {
  const name = id % 10 === 3 ? 'fail' : 'track';
  const key = id % 10 === 7 ? `,"_meta":{"dev.mayday/idempotency-key":"k${id}"}` : '';
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{"order":"A-${id}"}${key}}}`;
}

async function target(name: string, store: string, upstream: string, atLeast: number): Promise<Target> {
  const opened = await openStore(store);
  const { key } = await opened.keys.create({ principal: 'ann', tenant: 'acme' });
  await opened.close();
  const node = await startNode({ ...POLICIES, store, upstreams: { raw: { url: upstream } } });
  return { name, node, key, atLeast, perSecond: [], cpuUs: [] };
}

async function load({ name, node, key, perSecond, cpuUs }: Target, isMeasured: boolean): Promise<void> {
  const before = (await usageOf(node.child)).cpuUs;
  let strange = '';
  const one: Load = {
    port: Number(new URL(node.url).port),
    path: '/raw/mcp',
    headers: { authorization: `Bearer ${key}` },
    body,
    firstId: nextId,
    connections: 32,
    durationMs: ROUND_MS,
    // A quick refusal would look like a fast answer.
    onAnswer(answer) {
      if (!answer.includes('was shipped') && !answer.includes('was not found')) strange = answer;
    },
  };
  const measured = await generate(one);
  nextId += measured.answers + 100;
  if (strange !== '') throw new Error(`${name}: ${strange.slice(0, 500)}`);
  if (!isMeasured) return; // it is compiled first
  perSecond.push(measured.perSecond);
  cpuUs.push(((await usageOf(node.child)).cpuUs - before) / measured.answers);
}

const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-policy-'));
const redis = hasRedis ? await startRedis('--appendfsync', 'everysec') : undefined;
let isGood = true;
try {
  const port = await freePort();
  await startScript('http-upstream.ts', String(port));
  const upstream = `http://127.0.0.1:${port}/mcp`;
  const bare = await startNode({ upstreams: { raw: { url: upstream } } });
  const none: Target = {
    name: 'none of it',
    node: bare,
    key: 'unread',
    atLeast: undefined,
    perSecond: [],
    cpuUs: [],
  };
  const targets = [none, await target('SQLite', join(folder, 'mayday.db'), upstream, 0.85)];
  if (redis !== undefined) targets.push(await target('Redis', redis.url, upstream, 0.65));
  else console.log('There is no redis-server: what needs one is left out');
  // Each has its turn, so that a slow moment of the machine hits all; who is first changes.
  for (let round = -1; round < ROUNDS; round += 1) {
    const at = (round + 1) % targets.length;
    for (const one of [...targets.slice(at), ...targets.slice(0, at)]) await load(one, round >= 0);
  }
  console.log(
    `\nkeys, rules, a rate for each caller, exactly once and the journal; medians of ${ROUNDS} rounds`,
  );
  for (const { name, perSecond, cpuUs, atLeast } of targets) {
    // Round by round against the one without beside it: the machine is not the same in all of them.
    const share = median(perSecond.map((one, i) => one / (none.perSecond[i] ?? Number.NaN)));
    const cost = median(cpuUs.map((one, i) => one / (none.cpuUs[i] ?? Number.NaN)));
    const ok = atLeast === undefined || share >= atLeast;
    isGood &&= ok;
    const wanted = atLeast === undefined ? '' : ` (at least ${atLeast.toFixed(2)})`;
    console.log(
      `  ${ok ? 'ok  ' : 'MISS'} ${name.padEnd(12)} ${median(perSecond).toFixed(0).padStart(6)} calls/s  throughput ${share.toFixed(2)} ×${wanted}  processor time a call ${cost.toFixed(2)} ×`,
    );
  }
  for (const { node } of targets) await node.stop();
} finally {
  stopAll();
  await redis?.stop();
  rmSync(folder, { recursive: true });
}
process.exit(isGood ? 0 : 1);

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
