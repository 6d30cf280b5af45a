/**
 * Answers to calls with a key, for all gateways on one store. A gateway says in the store that it lives; what one was
 * doing that no longer does is told at once to whoever repeats the call, and nobody waits for an answer that cannot come.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { IdempotencyStore, KeyClaim, KeyEnd, KeyState } from '@mayday/policy';
import type { Store } from '@mayday/store';
import { within } from '../within.ts';

/** Where answers are kept. */
export interface KeptAnswers extends IdempotencyStore {
  /** With other gateways. */
  readonly isShared?: boolean;
}

/** Answers of many gateways. */
export interface SharedAnswers extends KeptAnswers {
  /** Waits for the calls of this gateway to report back, so long at most; the others need not wait for it any more. */
  close(waitMs: number): Promise<void>;
}

/** A gateway that is silent for so long is gone. One that comes back does no harm: what it claimed stays claimed. */
const SILENT_MS = 10_000;
const BEAT_MS = 3000;
const LOOK_MS = 10;

/** Joins the gateways that keep their answers in this store. `isWell` tells whether anything can be kept in it now. */
export async function sharedAnswers(store: Store, isWell: () => Promise<boolean>): Promise<SharedAnswers> {
  const answers = new Answers(store, isWell);
  await answers.start();
  return answers;
}

class Answers implements SharedAnswers {
  readonly isShared = true;
  readonly #store: Store;
  readonly #isWell: () => Promise<boolean>;
  readonly #node = randomUUID();
  #heart: NodeJS.Timeout | undefined;
  /** The claims of calls that are under way here, by key. */
  readonly #mine = new Map<string, KeyClaim>();
  /** Ends that the store did not take, by key: other gateways wait for them. */
  readonly #unsaid = new Map<string, KeyEnd | 'free'>();

  constructor(store: Store, isWell: () => Promise<boolean>) {
    this.#store = store;
    this.#isWell = isWell;
  }

  async start(): Promise<void> {
    await this.#live();
    this.#heart = setInterval(() => void this.#beat(), BEAT_MS).unref();
  }

  /** Says that this gateway lives. A store that knows nothing of it any more may have been emptied: then it is told all. */
  async #live(): Promise<void> {
    const { sessions } = this.#store;
    const id = idOf(this.#node);
    if (await sessions.renew(id, SILENT_MS)) return;
    await sessions.open({ id, owner: 'gateway', node: this.#node, ttlMs: SILENT_MS });
    for (const [key, claim] of [...this.#mine])
      if (this.#mine.get(key) === claim && !this.#unsaid.has(key)) await this.#store.idempotency.claim(claim);
  }

  async claim(claim: KeyClaim): Promise<KeyState> {
    // Whoever frees a key late must not free the claim of somebody after it.
    if (this.#unsaid.get(claim.key) === 'free') await this.free(claim.key);
    const named = { ...claim, fingerprint: `${claim.fingerprint} ${this.#node}` };
    const found = await this.#store.idempotency.claim(named);
    if (found.state === 'claimed') this.#mine.set(claim.key, named);
    return this.#orLost(found);
  }

  finish(end: KeyEnd): Promise<void> {
    return this.#say(end.key, end);
  }

  free(key: string): Promise<void> {
    return this.#say(key, 'free');
  }

  async close(waitMs: number): Promise<void> {
    clearInterval(this.#heart);
    const until = performance.now() + waitMs;
    while (this.#mine.size > 0 && performance.now() < until) await pause(LOOK_MS);
    // What cannot be said now is known when the time is over.
    await within(this.#store.sessions.end(idOf(this.#node)), waitMs).catch(() => undefined);
  }

  async #say(key: string, end: KeyEnd | 'free'): Promise<void> {
    this.#unsaid.set(key, end);
    await (end === 'free' ? this.#store.idempotency.free(key) : this.#store.idempotency.finish(end));
    if (this.#unsaid.get(key) === end) this.#unsaid.delete(key);
    this.#mine.delete(key);
  }

  /** One that fails is followed by others; the next call with a key tells that the store is down. */
  async #beat(): Promise<void> {
    try {
      await this.#live();
      for (const [key, end] of [...this.#unsaid])
        if (this.#unsaid.get(key) === end) await this.#say(key, end);
    } catch {
      // Told by whoever needs the store now.
    }
  }

  /** What is said to run, where whoever ran it is gone, or cannot say that it has ended. */
  async #orLost(found: KeyState): Promise<KeyState> {
    if (!('fingerprint' in found)) return found;
    const [fingerprint = '', by = ''] = found.fingerprint.split(' ');
    if (found.state !== 'running' || by === this.#node) return { ...found, fingerprint };
    const isAlive = (await this.#store.sessions.find(idOf(by))) !== undefined;
    if (!isAlive) return { state: 'lost', fingerprint };
    return { state: (await this.#isWell()) ? 'running' : 'unheard', fingerprint };
  }
}

function idOf(node: string): string {
  return `gateway ${node}`;
}
