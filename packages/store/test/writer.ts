/**
 * Uses up what was approved beforehand, one after the other, and says each time what is done: `node writer.ts <url>`. To be
 * killed at any moment.
 */
import { openStore } from '@mayday/store';

const store = await openStore(process.argv[2] as string);
const say = (what: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${what}\n`, () => resolve()));

for (const { id, fingerprint } of JSON.parse(process.argv[3] as string)) {
  const request = { fingerprint, caller: 'ada', upstream: 'bank', target: 'pay', arguments: {} };
  const found = await store.approvals.claim({ ...request, now: 0, ttlMs: 3_600_000 });
  if (found.state === 'claimed' && found.id === id) await say(`used ${id}`);
  const { key, record } = await store.keys.create({ principal: 'ada' });
  await say(`key ${record.id} ${key.length}`);
  const call = { key: id, fingerprint: 'f', owner: 'ada', now: 0, leaseMs: 3_600_000, ttlMs: 3_600_000 };
  const claimed = await store.idempotency.claim(call);
  if (claimed.state === 'claimed') await say(`began ${id}`);
  await store.idempotency.finish({ key: id, answer: `answer ${id}`, now: 0 });
  if (claimed.state === 'claimed') await say(`record ${id}`);
  const { seq, hash } = await store.audit.append({ actor: 'ada', action: 'pay', target: id });
  await say(`audit ${seq} ${hash}`);
  await store.approvals.confirm(id);
}
await say('end');
