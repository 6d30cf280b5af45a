/**
 * Exactly once over gateways: `npm run bench:once`. Four gateways on one store, 10⁵ repeats of orders whose answers were
 * lost, and a gateway killed every few seconds; the upstream counts. `--small` for a minute's worth, `--retries N` for
 * another number of them, `--stores redis,sqlite`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasRedis, startRedis } from '../packages/store/test/redis-server.ts';
import { optionsOf } from './arguments.ts';
import { type OnceOptions, repeatOrders } from './state/once.ts';
import { tellWrong } from './state/tell-wrong.ts';

const values = optionsOf(import.meta.url, {
  small: { type: 'boolean', default: false },
  retries: { type: 'string' },
  stores: { type: 'string', default: 'redis,sqlite' },
  seed: { type: 'string', default: '14' },
});

const RETRIES = 5;
const size: Omit<OnceOptions, 'store'> = {
  orders: Math.ceil(Number(values.retries ?? (values.small ? 2000 : 100_000)) / RETRIES),
  retries: RETRIES,
  nodes: 4,
  atATime: 32,
  killEveryMs: 4000,
  seed: Number(values.seed),
};
let isGood = true;

async function measure(name: string, store: string): Promise<void> {
  const began = performance.now();
  const { paid, ...said } = await repeatOrders({ ...size, store });
  const seconds = (performance.now() - began) / 1000;
  console.log(`\n${size.nodes} gateway processes on ${name}, ${seconds.toFixed(0)} s`);
  console.log(
    `  ${said.orders} orders, ${said.retries} retries; ${said.lost.byServer} answers lost by the upstream, ${said.lost.byCaller} by callers that left; ${said.kills} gateways killed`,
  );
  console.log(`  ${said.answered} callers were told of their payment; ${paid.never} orders were never paid`);
  const wrong: readonly (readonly [number, string])[] = [
    [paid.twice, 'paid more than once, as the upstream counts'],
    [said.differing, 'told of two payments'],
    [said.untrue, 'told otherwise than it was'],
    [said.bugs.length, 'mistakes in the log of a gateway'],
  ];
  isGood = tellWrong(wrong, said.bugs) && isGood;
}

const stores = values.stores.split(',');
if (stores.includes('redis') && !hasRedis)
  console.log('There is no redis-server: what needs one is left out');
else if (stores.includes('redis')) {
  // As Redis is set up by default: it writes through to its disk once a second.
  const redis = await startRedis('--appendfsync', 'everysec');
  await measure('one Redis', redis.url).finally(() => redis.stop());
}
if (stores.includes('sqlite')) {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-once-'));
  await measure('one SQLite file', join(folder, 'mayday.db')).finally(() =>
    rmSync(folder, { recursive: true }),
  );
}
process.exit(isGood ? 0 : 1);
