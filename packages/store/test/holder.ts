/** Holds one of everything, says so, and waits to be killed: `node holder.ts <url>[#prefix]`. */
import { openStore } from '@mayday/store';

const [url = '', prefix] = (process.argv[2] as string).split('#');
const store = await openStore({ url, prefix, placeLeaseMs: 500 });
const shared = { caller: 'ada', upstream: 'bank', target: 'pay', arguments: {} };
await store.places.acquire({ key: 'held', limit: 1, queue: 0 });
await store.places.acquireAll(['one', 'two'].map((key) => ({ key, limit: 1 })));
const call = { key: 'held', fingerprint: 'f', owner: 'ada', now: 0, leaseMs: 60_000, ttlMs: 60_000 };
await store.idempotency.claim(call);
await store.approvals.claim({ ...shared, fingerprint: 'held', now: 0, ttlMs: 60_000 });
process.stdout.write('ready\n');
setInterval(() => undefined, 1000);
