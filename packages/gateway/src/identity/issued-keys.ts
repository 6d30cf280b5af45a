/** Keys that are made, exchanged and revoked while the gateway runs. */
import type { Store } from '@mayday/store';
import { Recent } from '../state/recent.ts';
import type { Crew } from '../workers/crew.ts';
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
  /** Some of them were changed just now: what was said of them before does not hold, here and at other workers. */
  changed(): void;
  /** Asks about these callers, who have come in and stay; may one of them have to leave? */
  recheck(callers: readonly KnownCaller[]): Promise<boolean>;
}

type Found = KnownCaller | undefined;

/** Other workers, who have to know that there are keys. */
type Others = Pick<Crew, 'tell' | 'knowsOfKeys' | 'onKeysChanged'>;

/** Looks once whether there are keys; rejects where the store cannot be asked. */
export async function openIssuedKeys(keys: Store['keys'], others?: Others): Promise<IssuedKeys> {
  const desk = new Desk(keys, others);
  await desk.look();
  return desk;
}

class Desk implements IssuedKeys {
  readonly #keys: Store['keys'];
  /** Callers by the digests of their keys. */
  readonly #recent = new Recent<KnownCaller>();
  /** Callers that were let in, by what they are found again. */
  readonly #digests = new WeakMap<KnownCaller, string>();
  readonly #gone = new WeakSet<KnownCaller>();
  readonly #others: Others | undefined;
  #exists = false;
  /** It was told that there are keys: whoever had come in without one has left. */
  #isTold = false;

  constructor(keys: Store['keys'], others: Others | undefined) {
    this.#keys = keys;
    this.#others = others;
    others?.onKeysChanged(() => this.#recent.outdate());
  }

  get exist(): boolean {
    return this.#exists || this.#others?.knowsOfKeys() === true;
  }

  #found(): void {
    if (!this.#exists) this.#others?.tell({ keys: 'made' });
    this.#exists = true;
  }

  find(secret: string, digest: string): Found | Promise<Found> {
    return this.#recent.find(digest, () => this.#lookUp(secret, digest));
  }

  known(digest: string): Found {
    return this.#recent.known(digest);
  }

  again(caller: KnownCaller): Found {
    return this.#digests.has(caller) && !this.#gone.has(caller) ? caller : undefined;
  }

  changed(): void {
    this.#recent.outdate();
    this.#others?.tell({ keys: 'changed' });
  }

  async recheck(callers: readonly KnownCaller[]): Promise<boolean> {
    await this.look();
    for (const caller of new Set(callers)) {
      const digest = this.#digests.get(caller);
      if (digest === undefined || this.#gone.has(caller) || this.#isFresh(digest, caller)) continue;
      if ((await this.#keys.lookup(digest)) === undefined) this.#forget(digest, caller);
    }
    const isNew = this.exist && !this.#isTold;
    this.#isTold = this.exist;
    return isNew || callers.some((caller) => this.#gone.has(caller));
  }

  /** Are there keys by now? A store that was emptied since is told that there were: whoever opens it next must not let everybody in. */
  async look(): Promise<void> {
    if (await this.#keys.wereMade(this.exist)) this.#found();
  }

  #isFresh(digest: string, caller: KnownCaller): boolean {
    return this.#recent.isFresh(digest) && this.#recent.last(digest) === caller;
  }

  async #lookUp(secret: string, digest: string): Promise<Found> {
    const found = await this.#keys.lookup(digest);
    const before = this.#recent.last(digest);
    if (found === undefined) {
      this.#forget(digest, before);
      if (!this.exist) await this.look();
      return undefined;
    }
    this.#found();
    const { principal: name, tenant, scopes } = found;
    const caller = before ?? callerOf({ ...rightsOf(scopes), name, tenant, key: secret });
    this.#digests.set(caller, digest);
    return caller;
  }

  #forget(digest: string, caller: Found): void {
    this.#recent.forget(digest);
    if (caller !== undefined) this.#gone.add(caller);
  }
}
