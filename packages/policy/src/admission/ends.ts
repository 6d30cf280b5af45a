/** How the end of a call reaches the store, whatever the store does: fails, fails once, or never answers. */
import { type Clock, sleep, steady } from '../clock.ts';
import { addLast, dropOldest } from '../newest.ts';
import type { IdempotencyStore } from './idempotency-store.ts';

/** What a call under a key came to. */
export interface End {
  readonly fingerprint: string;
  /** Absent when nothing was executed, or it may be made again: the key is to be as it was before. */
  readonly answer: string | undefined;
  /** Of the claim that ends. */
  readonly token: string;
}

interface Held extends End {
  readonly expiresAt: number;
  /** The store is being told; one at a time, so that no late message undoes a later one. */
  telling: Promise<void> | undefined;
}

/** More than this are not held: what the store never takes must not fill the memory. */
const MAX_HELD = 10_000;

/** How long the store is asked again before it is left alone until somebody wants to know. */
const PATIENCE_MS = 1000;
const FIRST_PAUSE_MS = 20;

/** So many calls that were made are known here, and so many characters of their answers. */
const MAX_MADE = 10_000;
const MAX_MADE_LENGTH = 4_000_000;

/** Of a call with a longer answer it is known that it was made. */
const MAX_ANSWER_LENGTH = 64_000;

/** What the calls of this process came to, for the day on which the store has forgotten it or cannot be asked. */
export class Made {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #made = new Map<string, { readonly end: End; readonly expiresAt: number }>();
  #length = 0;

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  note(key: string, end: End): void {
    this.#forget(key);
    if (end.answer === undefined) return;
    const answer = end.answer.length > MAX_ANSWER_LENGTH ? '' : end.answer;
    this.#made.set(key, { end: { ...end, answer }, expiresAt: steady(this.#clock) + this.#ttlMs });
    this.#length += answer.length;
    while (this.#made.size > MAX_MADE || this.#length > MAX_MADE_LENGTH)
      this.#forget(this.#made.keys().next().value as string);
  }

  find(key: string): End | undefined {
    const known = this.#made.get(key);
    if (known === undefined || known.expiresAt > steady(this.#clock)) return known?.end;
    this.#forget(key);
    return undefined;
  }

  #forget(key: string): void {
    this.#length -= this.#made.get(key)?.end.answer?.length ?? 0;
    this.#made.delete(key);
  }
}

/** How many keys are remembered that somebody has a call under. */
const MAX_SEEN = 10_000;

/** Keys of which the store has said that a call runs under them, or has been made. */
export class Seen {
  readonly #keys = new Set<string>();

  note(key: string): void {
    addLast(this.#keys, key, MAX_SEEN);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }
}

/** The ends that the store has not taken yet. */
export class Ends {
  readonly #store: IdempotencyStore;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #held = new Map<string, Held>();

  constructor(store: IdempotencyStore, clock: Clock, ttlMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  /** Gives an end to the store. Settles when the store has it, or has had its time; the end is held here until then. */
  async give(key: string, { fingerprint, answer, token }: End, dueAt: number): Promise<void> {
    const expiresAt = steady(this.#clock) + this.#ttlMs;
    const held: Held = { fingerprint, answer, token, expiresAt, telling: undefined };
    this.#held.set(key, held);
    dropOldest(this.#held, MAX_HELD);
    await this.#waitFor(this.#tell(key, held), dueAt);
  }

  /** What the store was not able to take of this key; the store is told once more. */
  async find(key: string, dueAt: number): Promise<End | undefined> {
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    const telling = this.#tell(key, held);
    // Only who finds nothing executed has a reason to wait: then the call can be made.
    if (held.answer === undefined) await this.#waitFor(telling, dueAt);
    if (held.expiresAt <= steady(this.#clock)) this.#held.delete(key);
    return this.#held.get(key) === held ? held : undefined;
  }

  #tell(key: string, held: Held): Promise<void> {
    held.telling ??= this.#telling(key, held).finally(() => {
      held.telling = undefined;
    });
    return held.telling;
  }

  async #telling(key: string, held: Held): Promise<void> {
    const { answer, token } = held;
    const until = this.#clock.now() + PATIENCE_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      try {
        if (answer === undefined) await this.#store.free(key, token);
        else await this.#store.finish({ key, answer, token, ...moment(this.#clock) });
        if (this.#held.get(key) === held) this.#held.delete(key);
        return;
      } catch {
        // It is held, and told again: now, and whenever somebody asks for it.
        if (this.#clock.now() + pauseMs > until) return;
        await sleep(this.#clock, pauseMs);
      }
    }
  }

  /** Half of the time that is left is for the answer's way back. */
  async #waitFor(telling: Promise<void>, dueAt: number): Promise<void> {
    const ms = Math.min(PATIENCE_MS, Math.max(0, dueAt - this.#clock.now()) / 2);
    const given = new AbortController();
    await Promise.race([telling, sleep(this.#clock, ms, given.signal)]);
    given.abort('told'); // the error that stands for no reason would cost more than the wait
  }
}

/** Now, for stores that all processes share, and for those of this one. */
export function moment(clock: Clock): { readonly now: number; readonly steadyMs: number } {
  return { now: clock.now(), steadyMs: steady(clock) };
}
