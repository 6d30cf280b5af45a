/** Where calls wait for a person's word. */
import { integer, lifetime, type OptionNames, onlyKnown } from '../check.ts';
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
  /** A call that took a consent and never reported back is given up after this; its consent is used up. Default 24 h. */
  readonly leaseMs?: number | undefined;
  readonly newId?: (() => string) | undefined;
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

const KNOWN: OptionNames<MemoryApprovalsOptions> = {
  maxOpen: true,
  maxPerCaller: true,
  leaseMs: true,
  newId: true,
  clock: true,
};

interface Entry {
  readonly id: string;
  readonly request: ApprovalRequest;
  state: 'waiting' | 'approved' | 'rejected' | 'claimed';
  expiresAt: number;
  /** Once it is claimed. */
  leasedUntil: number;
}

/** Keeps approvals in memory. What is full refuses; nothing that waits is pushed out. */
export function createMemoryApprovals(options: MemoryApprovalsOptions = {}): MemoryApprovals {
  onlyKnown('`createMemoryApprovals`', options, KNOWN);
  return new Desk(options);
}

class Desk implements MemoryApprovals {
  readonly #maxOpen: number;
  readonly #maxPerCaller: number;
  readonly #leaseMs: number;
  readonly #newId: () => string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byFingerprint = new Map<string, Entry>();
  readonly #byId = new Map<string, Entry>();

  constructor(options: MemoryApprovalsOptions) {
    this.#maxOpen = integer('maxOpen', options.maxOpen, 1000, 1);
    this.#maxPerCaller = integer('maxPerCaller', options.maxPerCaller, 100, 1);
    this.#leaseMs = lifetime('leaseMs', options.leaseMs, 86_400_000);
    this.#newId = options.newId ?? (() => crypto.randomUUID());
    this.#clock = options.clock ?? systemClock;
  }

  claim(request: ApprovalRequest): Approval {
    this.#sweep(request.now);
    const known = this.#byFingerprint.get(request.fingerprint);
    if (known === undefined) return this.#ask(request);
    const { id, state } = known;
    if (state === 'claimed') return { state: 'taken', id };
    if (state !== 'approved') return { state, id };
    known.state = 'claimed';
    known.leasedUntil = request.now + this.#leaseMs;
    return { state: 'claimed', id };
  }

  confirm(id: string): void {
    const entry = this.#byId.get(id);
    if (entry?.state === 'claimed') this.#drop(entry);
  }

  release(id: string): void {
    const entry = this.#byId.get(id);
    if (entry?.state === 'claimed') entry.state = 'approved';
  }

  waiting(): readonly WaitingApproval[] {
    this.#sweep(this.#clock.now());
    return [...this.#byId.values()]
      .filter(({ state }) => state === 'waiting')
      .map(({ id, expiresAt, request: { now: askedAt, ttlMs: _, ...rest } }) => ({
        ...rest,
        id,
        askedAt,
        expiresAt,
      }));
  }

  approve(id: string): boolean {
    return this.#decide(id, 'approved');
  }

  reject(id: string): boolean {
    return this.#decide(id, 'rejected');
  }

  #ask(request: ApprovalRequest): Approval {
    if (this.#isFull(request.caller)) return { state: 'full' };
    const expiresAt = request.now + request.ttlMs;
    const entry: Entry = { id: this.#newId(), request, state: 'waiting', expiresAt, leasedUntil: 0 };
    this.#byFingerprint.set(request.fingerprint, entry);
    this.#byId.set(entry.id, entry);
    return { state: 'waiting', id: entry.id };
  }

  #decide(id: string, state: 'approved' | 'rejected'): boolean {
    const now = this.#clock.now();
    this.#sweep(now);
    const entry = this.#byId.get(id);
    if (entry?.state !== 'waiting') return false;
    entry.state = state;
    entry.expiresAt = now + entry.request.ttlMs;
    return true;
  }

  #isFull(caller: string | undefined): boolean {
    if (this.#byId.size >= this.#maxOpen) return true;
    let own = 0;
    for (const { request } of this.#byId.values()) if (request.caller === caller) own += 1;
    return own >= this.#maxPerCaller;
  }

  /** A claimed one stays, however old its consent is, while its call may be under way. */
  #sweep(now: number): void {
    for (const entry of this.#byId.values()) {
      const until = entry.state === 'claimed' ? entry.leasedUntil : entry.expiresAt;
      if (until <= now) this.#drop(entry);
    }
  }

  #drop(entry: Entry): void {
    this.#byFingerprint.delete(entry.request.fingerprint);
    this.#byId.delete(entry.id);
  }
}
