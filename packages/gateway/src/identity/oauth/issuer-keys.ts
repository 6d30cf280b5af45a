/** The keys of one issuer: fetched once for all who need them, kept, and fetched again when a token is signed with none of them. */
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { IssuerSettings } from '../../settings/settings.ts';
import { discoverJwksUrl } from './discover.ts';
import { fetchJson } from './fetch-json.ts';

/** The issuer cannot be asked, so nobody can say whether a token is good. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

/** So long nobody is asked again. */
const FRESH_MS = 10 * 60_000;
/** So long keys are used while the issuer cannot be asked. */
const STALE_MS = 60 * 60_000;
/** Anybody can name a key that there is none of, or sign with one; the issuer is asked for it so often at most. */
const COOLDOWN_MS = 5000;
/** An issuer that does not answer is left alone for so long. */
const PAUSE_MS = 1000;

interface Kept {
  readonly keys: JWTVerifyGetKey;
  readonly at: number;
}

/** Takes what the operator should know about an issuer. */
export type IssuerNote = (text: string) => void;

/** One issuer's keys. */
export class IssuerKeys {
  readonly #settings: IssuerSettings;
  readonly #note: IssuerNote;
  #kept: Kept | undefined;
  #loading: Promise<Kept> | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #trouble: IssuerUnavailable | undefined;

  constructor(settings: IssuerSettings, note: IssuerNote) {
    this.#settings = settings;
    this.#note = note;
  }

  /** The keys that are known, or can be. Rejects with {@link IssuerUnavailable}. */
  async current(): Promise<JWTVerifyGetKey> {
    const kept = this.#kept;
    const age = kept === undefined ? Number.POSITIVE_INFINITY : performance.now() - kept.at;
    if (kept === undefined || age >= STALE_MS) return (await this.#load()).keys;
    // They hold a little longer; whoever comes after the answer has the new ones.
    if (age >= FRESH_MS) this.#load().catch(() => undefined);
    return kept.keys;
  }

  /** Keys that are newer than these; `undefined` where the issuer was asked just now and has none. */
  async newerThan(known: JWTVerifyGetKey): Promise<JWTVerifyGetKey | undefined> {
    if (this.#kept !== undefined && this.#kept.keys !== known) return this.#kept.keys;
    const isOver = performance.now() - this.#triedAt >= COOLDOWN_MS;
    if (!isOver && this.#loading === undefined && this.#trouble === undefined) return undefined;
    return (await this.#load()).keys;
  }

  /** One question for all who want to know. */
  #load(): Promise<Kept> {
    if (this.#loading !== undefined) return this.#loading;
    if (this.#trouble !== undefined && performance.now() - this.#triedAt < PAUSE_MS)
      return Promise.reject(this.#trouble);
    this.#loading = this.#fetch().finally(() => {
      this.#loading = undefined;
      this.#triedAt = performance.now();
    });
    return this.#loading;
  }

  async #fetch(): Promise<Kept> {
    const { issuer, jwksUrl } = this.#settings;
    try {
      const { createLocalJWKSet } = await import('jose');
      const found = await fetchJson(jwksUrl ?? (await discoverJwksUrl(issuer)));
      this.#kept = { keys: createLocalJWKSet(found as JSONWebKeySet), at: performance.now() };
      if (this.#trouble !== undefined) this.#note('answers again');
      this.#trouble = undefined;
      return this.#kept;
    } catch (error) {
      const said = error instanceof Error ? error.message : 'it cannot be asked';
      if (this.#trouble?.message !== said) this.#note(`cannot be asked for its keys: ${said}`);
      this.#trouble = new IssuerUnavailable(said);
      throw this.#trouble;
    }
  }
}
