/** Where the answers of calls with a key are kept. */
import { integer, type OptionNames, onlyKnown } from '../check.ts';
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
  /** Milliseconds of this process that only go forward, for a store of this process; `now`, if absent. */
  readonly steadyMs?: number | undefined;
  /** How long the call may be under way, and nobody renew the claim, before it is given up for lost. */
  readonly leaseMs: number;
  /** How long its answer is kept. */
  readonly ttlMs: number;
  /** Names this claim among all of its key, so that a late end of one that was given up ends no other. */
  readonly token?: string | undefined;
}

/** The end of a call that had the key. */
export interface KeyEnd {
  readonly key: string;
  readonly answer: string;
  /** Unix time in milliseconds. */
  readonly now: number;
  /** As in `KeyClaim`. */
  readonly steadyMs?: number | undefined;
  /** The token of the claim that ends; with another, nothing is kept. Absent: whichever holds the key. */
  readonly token?: string | undefined;
}

/** What is known about a key. */
export type KeyState =
  /** Nothing was: the call is the one, and must finish or free the key. */
  | { readonly state: 'claimed' }
  | { readonly state: 'running'; readonly fingerprint: string }
  /** It was made elsewhere, and whoever made it cannot report back for now. */
  | { readonly state: 'unheard'; readonly fingerprint: string }
  /** It ran, or may have; this is its answer. */
  | { readonly state: 'done'; readonly fingerprint: string; readonly answer: string }
  /** It was under way, and nobody knows what became of it. */
  | { readonly state: 'lost'; readonly fingerprint: string }
  /** Something is kept under the key, and nobody can read it: a call may have been made. */
  | { readonly state: 'unreadable' }
  /** Nothing is kept under the key, and no further one can be. */
  | { readonly state: 'full' };

/** Where the answers of calls with a key are kept. Each method is atomic. */
export interface IdempotencyStore {
  claim(claim: KeyClaim): Awaitable<KeyState>;
  /** Keeps the answer of a claimed call. */
  finish(done: KeyEnd): Awaitable<void>;
  /** Nothing was executed: the key is as it was before. With a token, only if its claim had it. */
  free(key: string, token?: string): Awaitable<void>;
  /**
   * The call is still under way: its lease begins anew. A store that outlives its processes needs it, or a claim whose process
   * died looks like one at work for as long as any call may take.
   */
  renew?(claim: KeyRenewal): Awaitable<void>;
}

/** A claim whose call is still under way. With another token than the claim's, nothing is renewed. */
export type KeyRenewal = Pick<KeyClaim, 'key' | 'token' | 'leaseMs'>;

/** Bounds of what is kept. */
export interface MemoryIdempotencyOptions {
  /** Keys at a time, with their answer or without. Default 1 million. */
  readonly maxKeys?: number | undefined;
  /** Keys at a time of one owner. Default 100 000. */
  readonly maxPerOwner?: number | undefined;
  /** Answers at a time. Default 10 000. */
  readonly maxAnswers?: number | undefined;
  /** Answers at a time of one owner. Default 1000. */
  readonly maxAnswersPerOwner?: number | undefined;
  /** Characters of all answers together. Default 64 million. */
  readonly maxTotalLength?: number | undefined;
}

const MEMORY_OPTIONS: OptionNames<MemoryIdempotencyOptions> = {
  maxKeys: true,
  maxPerOwner: true,
  maxAnswers: true,
  maxAnswersPerOwner: true,
  maxTotalLength: true,
};

/** A call that was made. */
interface Kept {
  readonly fingerprint: string;
  readonly expiresAt: number;
  /** Empty when there was no room for it any longer. */
  readonly answer: string;
}

/** By owner, then by key; the oldest first. */
type Shelf = Map<string, Map<string, Kept>>;

/**
 * Keeps keys in memory. When there is no room for answers, the oldest one goes, of an owner that has too many or
 * of the owner that has most; its key stays, so that a repeat is told that the call was made. No key is forgotten
 * within its time: when there is no room for further ones, further ones are refused.
 */
export function createMemoryIdempotency(options: MemoryIdempotencyOptions = {}): IdempotencyStore {
  onlyKnown('`createMemoryIdempotency`', options, MEMORY_OPTIONS);
  return new MemoryStore(options);
}

/** Looking through everybody's keys for old ones takes time, and soon after there are none. */
const SWEEP_MS = 1000;

class MemoryStore implements IdempotencyStore {
  readonly #maxKeys: number;
  readonly #maxPerOwner: number;
  readonly #maxAnswers: number;
  readonly #maxAnswersPerOwner: number;
  readonly #maxTotalLength: number;
  readonly #running = new Map<string, KeyClaim>();
  readonly #answered: Shelf = new Map();
  /** Calls whose answer had to go. */
  readonly #made: Shelf = new Map();
  readonly #keysOf = new Map<string, number>();
  #keys = 0;
  #answers = 0;
  #length = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(options: MemoryIdempotencyOptions) {
    this.#maxKeys = integer('maxKeys', options.maxKeys, 1_000_000, 1);
    this.#maxPerOwner = integer('maxPerOwner', options.maxPerOwner, 100_000, 1);
    this.#maxAnswers = integer('maxAnswers', options.maxAnswers, 10_000, 1);
    this.#maxAnswersPerOwner = integer('maxAnswersPerOwner', options.maxAnswersPerOwner, 1000, 1);
    this.#maxTotalLength = integer('maxTotalLength', options.maxTotalLength, 64_000_000, 1);
  }

  claim(claim: KeyClaim): KeyState {
    const { key, owner } = claim;
    const now = momentOf(claim);
    const running = this.#running.get(key);
    if (running !== undefined && lostAt(running) > now) return stateOf(running, now);
    if (running !== undefined) this.#forget(running, key);
    for (const shelf of [this.#answered, this.#made]) {
      const kept = shelf.get(owner)?.get(key);
      if (kept === undefined) continue;
      const { fingerprint, answer } = kept;
      if (kept.expiresAt > now) return { state: 'done', fingerprint, answer };
      this.#take(shelf, owner, key);
      this.#count(owner, -1);
    }
    if (!this.#hasRoom(owner, now)) return { state: 'full' };
    this.#running.set(key, claim);
    this.#count(owner, 1);
    return { state: 'claimed' };
  }

  finish(done: KeyEnd): void {
    const { key, answer } = done;
    const claim = this.#running.get(key);
    if (claim === undefined || (done.token ?? claim.token) !== claim.token) return;
    this.#running.delete(key);
    const { owner, fingerprint, ttlMs } = claim;
    put(this.#answered, owner, key, { fingerprint, answer, expiresAt: momentOf(done) + ttlMs });
    this.#answers += 1;
    this.#length += answer.length;
    while ((this.#answered.get(owner)?.size ?? 0) > this.#maxAnswersPerOwner) this.#dropAnswer(owner);
    while (this.#answers > this.#maxAnswers || this.#length > this.#maxTotalLength)
      this.#dropAnswer(this.#greediest());
  }

  free(key: string, token?: string): void {
    const claim = this.#running.get(key);
    if (claim !== undefined && (token ?? claim.token) === claim.token) this.#forget(claim, key);
  }

  #forget({ owner }: KeyClaim, key: string): void {
    this.#running.delete(key);
    this.#count(owner, -1);
  }

  #hasRoom(owner: string, now: number): boolean {
    const isFull = (): boolean =>
      this.#keys >= this.#maxKeys || (this.#keysOf.get(owner) ?? 0) >= this.#maxPerOwner;
    if (isFull()) this.#sweepOwner(owner, now);
    if (isFull() && now - this.#sweptAt >= SWEEP_MS) this.#sweep(now);
    return !isFull();
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [key, claim] of this.#running) {
      if (lostAt(claim) > now) break;
      this.#forget(claim, key);
    }
    for (const owner of [...this.#keysOf.keys()]) this.#sweepOwner(owner, now);
  }

  /** In the order in which they ended, so the old ones come first. */
  #sweepOwner(owner: string, now: number): void {
    for (const shelf of [this.#answered, this.#made]) {
      for (const [key, { expiresAt }] of shelf.get(owner) ?? []) {
        if (expiresAt > now) break;
        this.#take(shelf, owner, key);
        this.#count(owner, -1);
      }
    }
  }

  /** The oldest answer of this owner goes; that the call was made stays known. */
  #dropAnswer(owner: string): void {
    const [oldest] = this.#answered.get(owner) ?? [];
    if (oldest === undefined) return;
    const [key, kept] = oldest;
    this.#take(this.#answered, owner, key);
    put(this.#made, owner, key, { ...kept, answer: '' });
  }

  #take(shelf: Shelf, owner: string, key: string): void {
    const own = shelf.get(owner);
    if (shelf === this.#answered) {
      this.#answers -= 1;
      this.#length -= own?.get(key)?.answer.length ?? 0;
    }
    own?.delete(key);
    if (own?.size === 0) shelf.delete(owner);
  }

  #count(owner: string, by: 1 | -1): void {
    this.#keys += by;
    const keys = (this.#keysOf.get(owner) ?? 0) + by;
    if (keys === 0) this.#keysOf.delete(owner);
    else this.#keysOf.set(owner, keys);
  }

  #greediest(): string {
    let [greedy, most] = ['', 0];
    for (const [owner, { size }] of this.#answered) if (size > most) [greedy, most] = [owner, size];
    return greedy;
  }
}

function put(shelf: Shelf, owner: string, key: string, kept: Kept): void {
  const own = shelf.get(owner) ?? new Map<string, Kept>();
  shelf.set(owner, own.set(key, kept));
}

/** A clock that is set, by an hour or by two days, makes nobody forget what was done. */
function momentOf({ now, steadyMs }: Pick<KeyClaim, 'now' | 'steadyMs'>): number {
  return steadyMs ?? now;
}

/** From then on nothing is known of a call that never ended. */
function lostAt(claim: KeyClaim): number {
  return momentOf(claim) + Math.max(claim.ttlMs, claim.leaseMs);
}

function stateOf(claim: KeyClaim, now: number): KeyState {
  const { fingerprint, leaseMs } = claim;
  return now - momentOf(claim) < leaseMs ? { state: 'running', fingerprint } : { state: 'lost', fingerprint };
}
