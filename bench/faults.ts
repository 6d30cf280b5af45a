/**
 * Many failures: `npm run bench:faults`. A gateway fails 10⁵ times a minute, with words of its own each time; every call has to
 * be answered, and every failure to be in the journal, or told as lost. `--small` for ten seconds, `--stores sqlite,redis`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasRedis, startRedis } from '../packages/store/test/redis-server.ts';
import { optionsOf } from './arguments.ts';
import { floodWithFaults } from './state/flood.ts';

const values = optionsOf(import.meta.url, {
  small: { type: 'boolean', default: false },
  stores: { type: 'string', default: 'sqlite,redis' },
  'per-minute': { type: 'string', default: '100000' },
});

const perMinute = Number(values['per-minute']);
const seconds = values.small ? 10 : 60;
let isGood = true;

function verdict(ok: boolean, text: string): void {
  isGood &&= ok;
  console.log(`  ${ok ? 'ok  ' : 'MISS'} ${text}`);
}

async function measure(name: string, store: string): Promise<void> {
  // A little faster: starting and ending belong to the minute too.
  const said = await floodWithFaults({ store, perMinute: perMinute * 1.02, seconds });
  const { sent, dropped, journalled, toldLost, groups, p50, p99, cpuUs } = said;
  console.log(
    `\n${name}: ${sent} failures in ${((sent / said.perMinute) * 60).toFixed(0)} s, half of the calls within ${p50.toFixed(1)} ms, 99 of 100 within ${p99.toFixed(1)} ms`,
  );
  verdict(
    said.perMinute >= perMinute,
    `${said.perMinute.toFixed(0)} failures a minute (at least ${perMinute})`,
  );
  console.log(
    `       ${cpuUs.toFixed(0)} µs of processor a failure: ${((100 * cpuUs * perMinute) / 60e6).toFixed(0)} % of one core at that pace`,
  );
  verdict(dropped === 0, `${dropped} calls without an answer (at most 0)`);
  verdict(
    journalled + toldLost === sent,
    `${journalled} journalled in ${groups} groups, ${toldLost} told as lost; ${sent - journalled - toldLost} missing (at most 0)`,
  );
}

const stores = values.stores.split(',');
if (stores.includes('sqlite')) {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-faults-'));
  await measure('SQLite', join(folder, 'mayday.db')).finally(() => rmSync(folder, { recursive: true }));
}
if (stores.includes('redis') && !hasRedis)
  console.log('There is no redis-server: what needs one is left out');
else if (stores.includes('redis')) {
  // As Redis is set up by default: it writes through to its disk once a second.
  const redis = await startRedis('--appendfsync', 'everysec');
  await measure('Redis', redis.url).finally(() => redis.stop());
}
process.exit(isGood ? 0 : 1);
