/** Every bound and every time can be set, its least value too; what is wrong with one is said in a sentence. */
import { expect, it } from 'vitest';
import { type Call, startCall } from '../call.ts';
import { approvalDesk } from './approval.ts';
import { type ApprovalRequest, createMemoryApprovals } from './approval-store.ts';
import { concurrency } from './concurrency.ts';
import { idempotency } from './idempotency.ts';
import { createMemoryIdempotency, type KeyClaim } from './idempotency-store.ts';
import type { PlaceWish } from './places.ts';
import { createMemoryRateStore } from './rate-store.ts';

const INTEGER = 'a positive integer, got 0';
const store = createMemoryApprovals();

it.each<readonly [name: string, make: () => unknown, wanted: string]>([
  ['maxOpen', () => createMemoryApprovals({ maxOpen: 0 }), INTEGER],
  ['maxPerCaller', () => createMemoryApprovals({ maxPerCaller: 0 }), INTEGER],
  ['maxKeys', () => createMemoryRateStore({ maxKeys: 0 }), INTEGER],
  ['maxKeys', () => createMemoryIdempotency({ maxKeys: 0 }), INTEGER],
  ['maxPerOwner', () => createMemoryIdempotency({ maxPerOwner: 0 }), INTEGER],
  ['maxAnswers', () => createMemoryIdempotency({ maxAnswers: 0 }), INTEGER],
  ['maxAnswersPerOwner', () => createMemoryIdempotency({ maxAnswersPerOwner: 0 }), INTEGER],
  ['maxTotalLength', () => createMemoryIdempotency({ maxTotalLength: 0 }), INTEGER],
  ['maxAnswerLength', () => idempotency({ maxAnswerLength: 0 }), INTEGER],
  ['queue', () => concurrency({ limit: 1, queue: -1 }), 'an integer of at least 0, got -1'],
  ['graceMs', () => concurrency({ limit: 1, graceMs: -1 }), 'a number of milliseconds, got -1'],
  ['waitMs', () => concurrency({ limit: 1, waitMs: -1 }), 'a number of milliseconds, got -1'],
  ['ttlMs', () => approvalDesk({ targets: [], store, ttlMs: -1 }), 'a number of milliseconds, got -1'],
])('%s is checked: %o', (name, make, wanted) => {
  expect(make).toThrow(new TypeError(`Expected \`${name}\` to be ${wanted}`));
});

it('every option is known, at its least value', () => {
  const clock = { now: () => 0, timer: () => () => undefined };
  const kept = { maxKeys: 1, maxPerOwner: 1, maxAnswers: 1, maxAnswersPerOwner: 1, maxTotalLength: 1 };
  createMemoryIdempotency(kept);
  createMemoryApprovals({ maxOpen: 1, maxPerCaller: 1, newId: () => 'a', clock });
  createMemoryRateStore({ maxKeys: 1 });
  concurrency({ limit: 1, queue: 0, graceMs: 0, waitMs: 0 });
  approvalDesk({ targets: [], store, ttlMs: 0 });
  const times = { ttlMs: 1, leaseMs: 1, maxAnswerLength: 1 };
  const codec = { encode: () => '', decode: () => undefined };
  idempotency({ store: createMemoryIdempotency(), fingerprint: () => '', codec, clock, ...times });
});

/** What a store says that has no room. */
function noted<T>(list: T[], one: T): { readonly state: 'full' } {
  list.push(one);
  return { state: 'full' };
}

it('an approval is asked for an hour long, of a call that may have no target', () => {
  const asked: ApprovalRequest[] = [];
  const full = { claim: (one: ApprovalRequest) => noted(asked, one) };
  const desk = { confirm: () => undefined, release: () => undefined, ...full };
  const ask = approvalDesk({ targets: () => true, store: desk, clock: { now: () => 7 } });
  const call: Call = startCall({ upstream: 'bank' });
  void ask(call);
  void ask({ ...call, method: 'prompts/get' });
  expect(asked).toMatchObject([
    { upstream: 'bank', target: 'tools/call', now: 7, ttlMs: 3_600_000 },
    { target: 'prompts/get' },
  ]);
});

it('a key is kept for a day, and its call waited for an hour', async () => {
  const claims: KeyClaim[] = [];
  const keys = { finish: () => undefined, free: () => undefined };
  const claim = (one: KeyClaim) => noted(claims, one);
  const handle = idempotency({ store: { ...keys, claim } })(async () => ({ ok: true, value: 1 }));
  await handle(startCall({ upstream: 'bank', idempotencyKey: 'k' }));
  expect(claims).toMatchObject([{ owner: '', ttlMs: 86_400_000, leaseMs: 3_600_000 }]);
});

it('calls are counted together and nobody stands in line, unless it is said', async () => {
  const wishes: PlaceWish[] = [];
  const places = { acquire: (wish: PlaceWish) => void wishes.push(wish) };
  const handle = concurrency({ limit: 3, store: places })(async () => ({ ok: true, value: 1 }));
  await handle(startCall({ upstream: 'bank' }));
  expect(wishes).toMatchObject([{ key: '', limit: 3, queue: 0 }]);
});
