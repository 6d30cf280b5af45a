/**
 * Killed in the middle of its work: `npm run bench:kills`. Two gateways on one store make and revoke keys, take and use
 * consents, keep answers and write their audit log, and one of them is killed (`kill -9`) a hundred times. `--small` kills ten
 * times, `--stores sqlite,redis`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasRedis, startRedis } from '../packages/store/test/redis-server.ts';
import { optionsOf } from './arguments.ts';
import { killAmidWork } from './state/kills.ts';
import { tellWrong } from './state/tell-wrong.ts';

const values = optionsOf(import.meta.url, {
  small: { type: 'boolean', default: false },
  stores: { type: 'string', default: 'sqlite,redis' },
  seed: { type: 'string', default: '14' },
});

const kills = values.small ? 10 : 100;
let isGood = true;

async function measure(name: string, store: string): Promise<void> {
  const said = await killAmidWork({ store, kills, seed: Number(values.seed) });
  const { keys, approvals, records, audit } = said;
  console.log(`\n${name}: ${said.kills} times killed, ${said.cutOff} questions cut off by it`);
  for (const [why, count] of said.refused) console.log(`       ${count} refused: ${why}`);
  const wrong: readonly (readonly [number, string])[] = [
    [keys.wrong, `of ${keys.made} keys made, ${keys.revoked} of them revoked, are otherwise than was said`],
    [
      approvals.lost,
      `of ${approvals.granted} consents, ${approvals.used} of them used before the end, are lost`,
    ],
    [approvals.twice, 'consents were used twice'],
    [records.lost, `of ${records.kept} answers to calls with a key are lost`],
    [records.twice, 'calls with a key were made twice'],
    [audit.lost, `rows of acknowledged changes are missing from the audit log of ${audit.rows}`],
    [audit.isWhole ? 0 : 1, 'audit log is not as it was written'],
    [said.bugs.length, 'mistakes in the log of a gateway'],
  ];
  isGood = tellWrong(wrong, said.bugs) && isGood;
}

const stores = values.stores.split(',');
if (stores.includes('sqlite')) {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-kills-'));
  await measure('SQLite', join(folder, 'mayday.db')).finally(() => rmSync(folder, { recursive: true }));
}
if (stores.includes('redis') && !hasRedis)
  console.log('There is no redis-server: what needs one is left out');
else if (stores.includes('redis')) {
  const redis = await startRedis();
  await measure('Redis, which goes on and writes everything through', redis.url).finally(() => redis.stop());
}
process.exit(isGood ? 0 : 1);
