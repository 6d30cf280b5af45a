/** Where calls wait for a person's word. */
import { integer } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Awaitable } from '../policy.ts';

/** A call that needs a person's consent. */
export interface ApprovalRequest {
  /** The digest of caller, target and arguments: consent to one call is consent to no other. */
  readonly fingerprint: string;
  readonly caller: string | undefined;
  readonly upstream: string;
  readonly target: string;
  readonly arguments: unknown;
  /** Unix time in milliseconds. */
  readonly now: number;
  /** A request or a consent that is older counts no longer. */
  readonly ttlMs: number;
}

/** What is known about a call's approval. */
export type Approval =
  | { readonly state: 'waiting' | 'rejected'; readonly id: string }
  /** Approved, and from now on taken by this call alone, until it is confirmed or released. */
  | { readonly state: 'claimed'; readonly id: string }
  /** Another call has taken it and is under way. */
  | { readonly state: 'taken'; readonly id: string }
  /** Nobody can be asked: too many requests are open. */
  | { readonly state: 'full' };

/** Where approvals are kept. Each method is atomic. */
export interface ApprovalStore {
  /** Finds the request for exactly this call, or opens one; takes the consent, if there is one. */
  claim(request: ApprovalRequest): Awaitable<Approval>;
  /** The call was made, or may have been: the consent is used up. */
  confirm(id: string): Awaitable<void>;
  /** The call was certainly not executed: the consent stands. */
  release(id: string): Awaitable<void>;
}

/** A call that waits, as a person sees it. */
export interface WaitingApproval extends Omit<ApprovalRequest, 'now' | 'ttlMs'> {
  readonly id: string;
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** Approvals in memory, and what decides them. */
export interface MemoryApprovals extends ApprovalStore {
  /** The calls that wait. */
  waiting(): readonly WaitingApproval[];
  /** Consents; `false` when nothing waits under this id any more. Good for `ttlMs` from now on. */
  approve(id: string): boolean;
  reject(id: string): boolean;
}

/** Bounds of what is kept. */
export interface MemoryApprovalsOptions {
  /** Requests at a time. Default 1000. */
  readonly maxOpen?: number | undefined;
  /** Requests at a time of one caller, so that none can keep others from asking. Default 100. */
  readonly maxPerCaller?: number | undefined;
  readonly newId?: (() => string) | undefined;
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

interface Entry {
  readonly id: string;
  readonly request: ApprovalRequest;
  state: 'waiting' | 'approved' | 'rejected' | 'claimed';
  expiresAt: number;
}

/** Keeps approvals in memory. What is full refuses; nothing that waits is pushed out. */
export function createMemoryApprovals(options: MemoryApprovalsOptions = {}): MemoryApprovals {
  const maxOpen = integer('maxOpen', options.maxOpen, 1000, 1);
  const maxPerCaller = integer('maxPerCaller', options.maxPerCaller, 100, 1);
  const { newId = () => crypto.randomUUID(), clock = systemClock } = options;
  const byFingerprint = new Map<string, Entry>();
  const byId = new Map<string, Entry>();

  function drop(entry: Entry): void {
    byFingerprint.delete(entry.request.fingerprint);
    byId.delete(entry.id);
  }

  /** A claimed one stays, however old: its call is under way. */
  function sweep(now: number): void {
    for (const entry of byId.values()) if (entry.state !== 'claimed' && entry.expiresAt <= now) drop(entry);
  }

  function isFull(caller: string | undefined): boolean {
    if (byId.size >= maxOpen) return true;
    let own = 0;
    for (const { request } of byId.values()) if (request.caller === caller) own += 1;
    return own >= maxPerCaller;
  }

  function decide(id: string, state: 'approved' | 'rejected'): boolean {
    const now = clock.now();
    sweep(now);
    const entry = byId.get(id);
    if (entry?.state !== 'waiting') return false;
    entry.state = state;
    entry.expiresAt = now + entry.request.ttlMs;
    return true;
  }

  return {
    claim(request) {
      sweep(request.now);
      const known = byFingerprint.get(request.fingerprint);
      if (known === undefined) {
        if (isFull(request.caller)) return { state: 'full' };
        const expiresAt = request.now + request.ttlMs;
        const entry: Entry = { id: newId(), request, state: 'waiting', expiresAt };
        byFingerprint.set(request.fingerprint, entry);
        byId.set(entry.id, entry);
        return { state: 'waiting', id: entry.id };
      }
      const { id, state } = known;
      if (state === 'claimed') return { state: 'taken', id };
      if (state !== 'approved') return { state, id };
      known.state = 'claimed';
      return { state: 'claimed', id };
    },
    confirm(id) {
      const entry = byId.get(id);
      if (entry?.state === 'claimed') drop(entry);
    },
    release(id) {
      const entry = byId.get(id);
      if (entry?.state === 'claimed') entry.state = 'approved';
    },
    waiting() {
      sweep(clock.now());
      return [...byId.values()]
        .filter(({ state }) => state === 'waiting')
        .map(({ id, expiresAt, request: { now: askedAt, ttlMs: _, ...rest } }) => ({
          ...rest,
          id,
          askedAt,
          expiresAt,
        }));
    },
    approve: (id) => decide(id, 'approved'),
    reject: (id) => decide(id, 'rejected'),
  };
}
