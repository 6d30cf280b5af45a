/** Where the answers of calls with a key are kept. */
import { integer } from '../check.ts';
import type { Awaitable } from '../policy.ts';

/** A call that wants to be the one under its key. */
export interface KeyClaim {
  /** A digest: caller, upstream, target and the caller's key. */
  readonly key: string;
  /** The digest of what the call asks for. */
  readonly fingerprint: string;
  /** Whose key it is: what one keeps must not push out what others keep. */
  readonly owner: string;
  /** Unix time in milliseconds. */
  readonly now: number;
  /** How long the call may be under way before it is given up for lost. */
  readonly leaseMs: number;
  /** How long its answer is kept. */
  readonly ttlMs: number;
}

/** What is known about a key. */
export type KeyState =
  /** Nothing was: the call is the one, and must finish or free the key. */
  | { readonly state: 'claimed' }
  | { readonly state: 'running'; readonly fingerprint: string }
  /** It ran, or may have; this is its answer. */
  | { readonly state: 'done'; readonly fingerprint: string; readonly answer: string }
  /** It was under way, and nobody knows what became of it. */
  | { readonly state: 'lost'; readonly fingerprint: string }
  /** No further key can be kept. */
  | { readonly state: 'full' };

/** Where the answers of calls with a key are kept. Each method is atomic. */
export interface IdempotencyStore {
  claim(claim: KeyClaim): Awaitable<KeyState>;
  /** Keeps the answer of a claimed call. */
  finish(done: { readonly key: string; readonly answer: string; readonly now: number }): Awaitable<void>;
  /** Nothing was executed: the key is as it was before. */
  free(key: string): Awaitable<void>;
}

/** Bounds of what is kept. */
export interface MemoryIdempotencyOptions {
  /** Keys at a time. Default 10 000. */
  readonly maxKeys?: number | undefined;
  /** Keys at a time of one owner. Default 1000. */
  readonly maxPerOwner?: number | undefined;
  /** Characters of all answers together. Default 64 million. */
  readonly maxTotalLength?: number | undefined;
}

interface Entry extends KeyClaim {
  answer: string | undefined;
  expiresAt: number;
}

/**
 * Keeps keys in memory. When it is full, an owner's own oldest answer makes room for its next one, or one of
 * the owner's that has the most; what is under way is never forgotten.
 */
export function createMemoryIdempotency(options: MemoryIdempotencyOptions = {}): IdempotencyStore {
  return new Shelf(options);
}

class Shelf implements IdempotencyStore {
  readonly #maxKeys: number;
  readonly #maxPerOwner: number;
  readonly #maxTotalLength: number;
  readonly #byOwner = new Map<string, Map<string, Entry>>();
  readonly #owners = new Map<string, string>();
  #length = 0;

  constructor(options: MemoryIdempotencyOptions) {
    this.#maxKeys = integer('maxKeys', options.maxKeys, 10_000, 1);
    this.#maxPerOwner = integer('maxPerOwner', options.maxPerOwner, 1000, 1);
    this.#maxTotalLength = integer('maxTotalLength', options.maxTotalLength, 64_000_000, 1);
  }

  claim(claim: KeyClaim): KeyState {
    const known = this.#find(claim.key);
    if (known !== undefined && known.expiresAt > claim.now) return stateOf(known, claim.now);
    if (known !== undefined) this.#drop(known);
    if (this.#owners.size >= this.#maxKeys) this.#sweep(claim.now);
    const { owner, key } = claim;
    const ofOwner = this.#byOwner.get(owner)?.size ?? 0;
    const isFull = this.#owners.size >= this.#maxKeys || ofOwner >= this.#maxPerOwner;
    if (isFull && !this.#makeRoom(owner) && !this.#makeRoom(this.#greediest())) return { state: 'full' };
    const own = this.#byOwner.get(owner) ?? new Map<string, Entry>();
    this.#byOwner.set(owner, own);
    this.#owners.set(key, owner);
    const expiresAt = claim.now + Math.max(claim.ttlMs, claim.leaseMs);
    own.set(key, { ...claim, answer: undefined, expiresAt });
    return { state: 'claimed' };
  }

  finish({
    key,
    answer,
    now,
  }: {
    readonly key: string;
    readonly answer: string;
    readonly now: number;
  }): void {
    const entry = this.#find(key);
    if (entry === undefined || entry.answer !== undefined) return;
    entry.answer = answer;
    entry.expiresAt = now + entry.ttlMs;
    this.#length += answer.length;
    while (
      this.#length > this.#maxTotalLength &&
      (this.#makeRoom(entry.owner) || this.#makeRoom(this.#greediest()))
    );
  }

  free(key: string): void {
    const entry = this.#find(key);
    if (entry !== undefined && entry.answer === undefined) this.#drop(entry);
  }

  #find(key: string): Entry | undefined {
    const owner = this.#owners.get(key);
    return owner === undefined ? undefined : this.#byOwner.get(owner)?.get(key);
  }

  #drop(entry: Entry): void {
    this.#length -= entry.answer?.length ?? 0;
    this.#owners.delete(entry.key);
    const own = this.#byOwner.get(entry.owner);
    own?.delete(entry.key);
    if (own?.size === 0) this.#byOwner.delete(entry.owner);
  }

  /** In the order of their claims, so the old ones come first. */
  #sweep(now: number): void {
    for (const own of this.#byOwner.values()) {
      for (const entry of own.values()) {
        if (entry.expiresAt > now) break;
        this.#drop(entry);
      }
    }
  }

  /** Makes room by the oldest answer of this owner. */
  #makeRoom(owner: string): boolean {
    for (const entry of this.#byOwner.get(owner)?.values() ?? []) {
      if (entry.answer === undefined) continue;
      this.#drop(entry);
      return true;
    }
    return false;
  }

  #greediest(): string {
    let [greedy, most] = ['', 0];
    for (const [owner, { size }] of this.#byOwner) if (size > most) [greedy, most] = [owner, size];
    return greedy;
  }
}

function stateOf({ fingerprint, answer, now: claimedAt, leaseMs }: Entry, now: number): KeyState {
  if (answer !== undefined) return { state: 'done', fingerprint, answer };
  return now - claimedAt < leaseMs ? { state: 'running', fingerprint } : { state: 'lost', fingerprint };
}
