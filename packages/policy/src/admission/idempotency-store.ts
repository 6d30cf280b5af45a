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
  const maxKeys = integer('maxKeys', options.maxKeys, 10_000, 1);
  const maxPerOwner = integer('maxPerOwner', options.maxPerOwner, 1000, 1);
  const maxTotalLength = integer('maxTotalLength', options.maxTotalLength, 64_000_000, 1);
  const byOwner = new Map<string, Map<string, Entry>>();
  const owners = new Map<string, string>();
  let length = 0;

  function drop(entry: Entry): void {
    length -= entry.answer?.length ?? 0;
    owners.delete(entry.key);
    const own = byOwner.get(entry.owner);
    own?.delete(entry.key);
    if (own?.size === 0) byOwner.delete(entry.owner);
  }

  function find(key: string): Entry | undefined {
    const owner = owners.get(key);
    return owner === undefined ? undefined : byOwner.get(owner)?.get(key);
  }

  /** In the order of their claims, so the old ones come first. */
  function sweep(now: number): void {
    for (const own of byOwner.values()) {
      for (const entry of own.values()) {
        if (entry.expiresAt > now) break;
        drop(entry);
      }
    }
  }

  /** Makes room by the oldest answer of this owner. */
  function makeRoom(owner: string): boolean {
    for (const entry of byOwner.get(owner)?.values() ?? []) {
      if (entry.answer === undefined) continue;
      drop(entry);
      return true;
    }
    return false;
  }

  function greediest(): string {
    let [greedy, most] = ['', 0];
    for (const [owner, { size }] of byOwner) if (size > most) [greedy, most] = [owner, size];
    return greedy;
  }

  return {
    claim(claim) {
      const known = find(claim.key);
      if (known !== undefined && known.expiresAt > claim.now) return stateOf(known, claim.now);
      if (known !== undefined) drop(known);
      if (owners.size >= maxKeys) sweep(claim.now);
      const isFull = owners.size >= maxKeys || (byOwner.get(claim.owner)?.size ?? 0) >= maxPerOwner;
      if (isFull && !makeRoom(claim.owner) && !makeRoom(greediest())) return { state: 'full' };
      const own = byOwner.get(claim.owner) ?? new Map<string, Entry>();
      byOwner.set(claim.owner, own);
      owners.set(claim.key, claim.owner);
      const expiresAt = claim.now + Math.max(claim.ttlMs, claim.leaseMs);
      own.set(claim.key, { ...claim, answer: undefined, expiresAt });
      return { state: 'claimed' };
    },
    finish({ key, answer, now }) {
      const entry = find(key);
      if (entry === undefined || entry.answer !== undefined) return;
      entry.answer = answer;
      entry.expiresAt = now + entry.ttlMs;
      length += answer.length;
      while (length > maxTotalLength && (makeRoom(entry.owner) || makeRoom(greediest())));
    },
    free(key) {
      const entry = find(key);
      if (entry !== undefined && entry.answer === undefined) drop(entry);
    },
  };
}

function stateOf({ fingerprint, answer, now: claimedAt, leaseMs }: Entry, now: number): KeyState {
  if (answer !== undefined) return { state: 'done', fingerprint, answer };
  return now - claimedAt < leaseMs ? { state: 'running', fingerprint } : { state: 'lost', fingerprint };
}
