/** State in this process alone: gone with it, and shared with nobody. */
import {
  type Clock,
  createMemoryApprovals,
  createMemoryIdempotency,
  createMemoryPlaces,
  createMemoryRateStore,
  type IdempotencyStore,
  type RateLedger,
  systemClock,
} from '@mayday/policy';
import { credentialsOver } from '../credentials.ts';
import { newDigestKey } from '../held-consents.ts';
import { keysOver } from '../keys.ts';
import type { Approvals, Store } from '../ports.ts';
import { type Bounds, type Limits, limitsOf, timeOf } from '../settings.ts';
import { StoreError } from '../store-error.ts';
import { memoryAudit } from './audit.ts';
import { memoryCredentialRows } from './credentials.ts';
import { memoryFaults } from './faults.ts';
import { memoryKeyRows, memorySessions } from './records.ts';

/** How a store in memory is made. */
export interface MemoryOptions extends Bounds {
  readonly clock?: Pick<Clock, 'now'> | undefined;
  readonly secret?: string | undefined;
}

/** The time of a store; refuses when the store is closed. */
export type Now = () => number;

/** Opens a store in memory. */
export function openMemory(options: MemoryOptions = {}): Store {
  const limits = limitsOf(options);
  const { clock = systemClock } = options;
  let isOpen = true;
  const now: Now = () => {
    if (isOpen) return timeOf(clock);
    throw new StoreError('closed', 'The store is closed; open it again');
  };
  /** The same by a count that nobody sets. */
  const steady: Now = () => {
    const at = now();
    return options.clock === undefined ? Math.floor(performance.timeOrigin + performance.now()) : at;
  };
  const places = createMemoryPlaces();
  return {
    engine: 'memory',
    rates: rates(steady),
    places: {
      acquire(wish) {
        now();
        return places.acquire(wish);
      },
      acquireAll(wishes) {
        now();
        return places.acquireAll(wishes);
      },
    },
    approvals: approvals(() => Math.max(now(), steady()), limits),
    idempotency: idempotency(now, limits),
    keys: keysOver(memoryKeyRows(now)),
    credentials: credentialsOver(memoryCredentialRows(now), options.secret),
    faults: memoryFaults(now, limits),
    sessions: memorySessions(now),
    audit: memoryAudit(now),
    health: async () => ({
      ok: isOpen,
      problem: isOpen ? undefined : 'The store is closed',
      warnings: [],
    }),
    close: async () => {
      isOpen = false;
    },
  };
}

function rates(now: Now): RateLedger {
  const store = createMemoryRateStore();
  return {
    take: (wish) => store.take({ ...wish, now: now() }),
    takeAll(wishes) {
      const at = now();
      return store.takeAll(wishes.map((wish) => ({ ...wish, now: at })));
    },
  };
}

function approvals(now: Now, limits: Limits): Approvals {
  const { maxApprovals: maxOpen, maxApprovalsPerCaller: maxPerCaller, approvalLeaseMs: leaseMs } = limits;
  const digestKey = newDigestKey();
  const desk = createMemoryApprovals({ maxOpen, maxPerCaller, leaseMs, clock: { now } });
  return {
    // What was asked is kept as it was, whatever the caller does with it afterwards.
    claim: (request) => desk.claim({ ...request, arguments: copied(request.arguments), now: now() }),
    confirm: (id) => desk.confirm(id),
    release: (id) => desk.release(id),
    waiting: () => desk.waiting(),
    approve: (id) => desk.approve(id),
    reject: (id) => desk.reject(id),
    digestKey: () => {
      now();
      return digestKey;
    },
  };
}

function copied(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value) ?? 'null');
}

function idempotency(now: Now, { maxKeysPerOwner, maxAnswersPerOwner }: Limits): IdempotencyStore {
  const store = createMemoryIdempotency({ maxPerOwner: maxKeysPerOwner, maxAnswersPerOwner });
  const moment = () => ({ now: now(), steadyMs: undefined });
  return {
    claim: (claim) => store.claim({ ...claim, ...moment() }),
    finish: (end) => store.finish({ ...end, ...moment() }),
    free: (key, token) => store.free(key, token),
  };
}
