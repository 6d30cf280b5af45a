/**
 * Keys that are made, exchanged and revoked while the gateway runs. The store is asked about a key once a second at most;
 * what it said holds for two, and nobody waits for it in between.
 */
import type { Store } from '@mayday/store';
import { rightsOf } from './key-scopes.ts';
import { callerOf, type KnownCaller } from './keys.ts';

/** The keys of a store. */
export interface IssuedKeys {
  /** Was there ever one? Then nobody comes in without, also when all of them are revoked. */
  readonly exist: boolean;
  /** Whose secret it is. Rejects where the store has to be asked and cannot be. */
  find(secret: string, digest: string): Found | Promise<Found>;
  /** The same, as far as it is known by now. */
  known(digest: string): Found;
  /** The caller, unless its key was found to be gone. */
  again(caller: KnownCaller): Found;
  /** Asks about these callers, who have come in and stay; may one of them have to leave? */
  recheck(callers: readonly KnownCaller[]): Promise<boolean>;
}

type Found = KnownCaller | undefined;

/** So long nobody is asked again. */
const FRESH_MS = 1000;
/** So long a caller is let in on what is known, while the store is asked. */
const STALE_MS = 2000;
/** Callers that are remembered. */
const MAX_KNOWN = 10_000;

/** Looks once whether there are keys; rejects where the store cannot be asked. */
export async function openIssuedKeys(keys: Store['keys']): Promise<IssuedKeys> {
  const desk = new Desk(keys);
  await desk.look();
  return desk;
}

interface Entry {
  readonly caller: KnownCaller;
  /** By a clock that only goes forward. */
  readonly checkedAt: number;
}

class Desk implements IssuedKeys {
  readonly #keys: Store['keys'];
  readonly #known = new Map<string, Entry>();
  readonly #asked = new Map<string, Promise<Found>>();
  /** Callers that were let in, by what they are found again. */
  readonly #digests = new WeakMap<KnownCaller, string>();
  readonly #gone = new WeakSet<KnownCaller>();
  #exist = false;
  /** It was told that there are keys: whoever had come in without one has left. */
  #isTold = false;

  constructor(keys: Store['keys']) {
    this.#keys = keys;
  }

  get exist(): boolean {
    return this.#exist;
  }

  find(secret: string, digest: string): Found | Promise<Found> {
    const entry = this.#known.get(digest);
    const age = entry === undefined ? STALE_MS : performance.now() - entry.checkedAt;
    if (entry === undefined || age >= STALE_MS) return this.#ask(secret, digest);
    // It holds a little longer; who is asked then knows better.
    if (age >= FRESH_MS) this.#ask(secret, digest).catch(() => undefined);
    return entry.caller;
  }

  known(digest: string): Found {
    const entry = this.#known.get(digest);
    return entry !== undefined && performance.now() - entry.checkedAt < STALE_MS ? entry.caller : undefined;
  }

  again(caller: KnownCaller): Found {
    return this.#digests.has(caller) && !this.#gone.has(caller) ? caller : undefined;
  }

  async recheck(callers: readonly KnownCaller[]): Promise<boolean> {
    if (!this.#exist) await this.look();
    for (const caller of new Set(callers)) {
      const digest = this.#digests.get(caller);
      if (digest === undefined || this.#gone.has(caller) || this.#isFresh(digest, caller)) continue;
      if ((await this.#keys.lookup(digest)) === undefined) this.#forget(digest, caller);
    }
    const isNew = this.#exist && !this.#isTold;
    this.#isTold = this.#exist;
    return isNew || callers.some((caller) => this.#gone.has(caller));
  }

  /** Are there keys by now? */
  async look(): Promise<void> {
    this.#exist ||= (await this.#keys.list()).length > 0;
  }

  #isFresh(digest: string, caller: KnownCaller): boolean {
    const entry = this.#known.get(digest);
    return entry?.caller === caller && performance.now() - entry.checkedAt < FRESH_MS;
  }

  /** One question for all who want to know the same. */
  #ask(secret: string, digest: string): Promise<Found> {
    const asked = this.#asked.get(digest);
    if (asked !== undefined) return asked;
    const answer = this.#lookUp(secret, digest).finally(() => this.#asked.delete(digest));
    this.#asked.set(digest, answer);
    return answer;
  }

  async #lookUp(secret: string, digest: string): Promise<Found> {
    const askedAt = performance.now();
    const found = await this.#keys.lookup(digest);
    const before = this.#known.get(digest)?.caller;
    if (found === undefined) {
      this.#forget(digest, before);
      if (!this.#exist) await this.look();
      return undefined;
    }
    this.#exist = true;
    const { principal: name, tenant, scopes } = found;
    const caller = before ?? callerOf({ ...rightsOf(scopes), name, tenant, key: secret });
    this.#known.delete(digest);
    this.#known.set(digest, { caller, checkedAt: askedAt });
    this.#digests.set(caller, digest);
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value as string);
    return caller;
  }

  #forget(digest: string, caller: Found): void {
    this.#known.delete(digest);
    if (caller !== undefined) this.#gone.add(caller);
  }
}
