/** Callers with access tokens: the gateway is a resource server of OAuth 2.1. */

import { dropOldest } from '@mayday/policy';
import type { OAuthSettings } from '../../settings/settings.ts';
import { sha256 } from '../../sha256.ts';
import type { KnownCaller } from '../keys.ts';
import { Stranger } from '../stranger.ts';
import { createIssuer, type GoodToken, type Issuer } from './issuer.ts';
import type { IssuerNote } from './issuer-keys.ts';
import { createResource, type Resource, withoutSlash } from './resource.ts';

/** Finds callers by their tokens. Paths are those of endpoints: `/mcp`, `/files/mcp`, or nothing. */
export interface OAuth {
  readonly resource: Resource;
  /** What every token needs. */
  readonly scopes: readonly string[];
  readonly issuers: readonly Issuer[];
  /** The caller of a token at an endpoint. Rejects with `IssuerUnavailable` where nobody can tell. */
  find(token: string, path: string): Found | Promise<Found>;
  /** The same, as far as it is known without asking anybody. */
  known(token: string, path: string): KnownCaller | undefined;
  /** A caller of earlier settings, unless its token is over or its issuer is no longer believed. */
  again(caller: KnownCaller): KnownCaller | undefined;
}

type Found = KnownCaller | Stranger;

/** No token of a sane issuer is longer; all headers together have 16 KiB. */
const MAX_TOKEN = 8192;
/** So long a token is good without being looked at: its issuer may have given up the key. */
const RECHECK_MS = 60_000;
/** Tokens that are remembered. */
const MAX_KNOWN = 10_000;

/** What callers with tokens are, by these settings; `undefined` where nobody's tokens are good. */
export function createOAuth(settings: OAuthSettings, note: OAuthNote, before?: OAuth): OAuth | undefined {
  if (settings.issuers.length === 0) return undefined;
  const { clockToleranceMs } = settings;
  const issuers = settings.issuers.map((one): Issuer => {
    const same = before?.issuers.find((other) => isSame(other, one, clockToleranceMs));
    return same ?? createIssuer(one, clockToleranceMs, (text) => note(one.name, text));
  });
  return new TokenDesk(settings, issuers);
}

/** Takes what the operator should know about an issuer, by its name. */
export type OAuthNote = (issuer: string, ...said: Parameters<IssuerNote>) => void;

interface Entry extends GoodToken {
  readonly issuer: Issuer;
  /** By a clock that only goes forward. */
  readonly checkedAt: number;
}

class TokenDesk implements OAuth {
  readonly resource: Resource;
  readonly scopes: readonly string[];
  readonly issuers: readonly Issuer[];
  readonly #known = new Map<string, Entry>();
  readonly #asked = new Map<string, Promise<Entry | Stranger>>();

  constructor(settings: OAuthSettings, issuers: readonly Issuer[]) {
    this.resource = createResource(settings);
    this.scopes = settings.scopes;
    this.issuers = issuers;
  }

  find(token: string, path: string): Found | Promise<Found> {
    if (token.length > MAX_TOKEN) return new Stranger('too large');
    const digest = digestOf(token);
    const entry = this.#fresh(digest);
    if (entry !== undefined) return this.#at(entry, path);
    return this.#ask(token, digest).then((found) =>
      found instanceof Stranger ? found : this.#at(found, path),
    );
  }

  known(token: string, path: string): KnownCaller | undefined {
    const entry = token.length > MAX_TOKEN ? undefined : this.#fresh(digestOf(token));
    const found = entry === undefined ? undefined : this.#at(entry, path);
    return found instanceof Stranger ? undefined : found;
  }

  again(caller: KnownCaller): KnownCaller | undefined {
    const { token } = caller;
    const isBelieved = token !== undefined && this.issuers.includes(token.issuer as Issuer);
    return isBelieved && Date.now() < token.expiresAt ? caller : undefined;
  }

  #fresh(digest: string): Entry | undefined {
    const entry = this.#known.get(digest);
    if (entry === undefined) return undefined;
    const isFresh = performance.now() - entry.checkedAt < RECHECK_MS && Date.now() < entry.expiresAt;
    if (!isFresh) this.#known.delete(digest);
    return isFresh ? entry : undefined;
  }

  /** A token is for somebody: for this endpoint, for all of them, or for what the settings say. */
  #at({ caller, audiences, expiresAt, issuer }: Entry, path: string): Found {
    const accepted = issuer.settings.audiences ?? this.resource.audiencesOf(path);
    const isOurs = audiences.some((one) =>
      accepted.some((other) => withoutSlash(one) === withoutSlash(other)),
    );
    if (!isOurs) return new Stranger('audience');
    const metadataUrl = this.resource.metadataUrl(path);
    return { ...caller, audiences, metadataUrl, token: { issuer, expiresAt } };
  }

  /** One check for all who come with the same token at the same time. */
  #ask(token: string, digest: string): Promise<Entry | Stranger> {
    const asked = this.#asked.get(digest);
    if (asked !== undefined) return asked;
    const answer = this.#check(token, digest).finally(() => this.#asked.delete(digest));
    this.#asked.set(digest, answer);
    return answer;
  }

  async #check(token: string, digest: string): Promise<Entry | Stranger> {
    const named = issuerIn(token);
    const issuer = this.issuers.find(({ settings }) => settings.issuer === named);
    if (issuer === undefined) return new Stranger(named === undefined ? 'malformed' : 'issuer');
    const checkedAt = performance.now();
    const good = await issuer.check(token);
    if (good instanceof Stranger) return good;
    const entry: Entry = { ...good, issuer, checkedAt };
    this.#known.set(digest, entry);
    dropOldest(this.#known, MAX_KNOWN);
    return entry;
  }
}

function digestOf(token: string): string {
  return sha256(token, 'base64');
}

/** Who it says has made it: that says whose keys it is checked with, and no more. */
function issuerIn(token: string): string | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const { iss } = payload as { readonly iss?: unknown };
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined; // no JSON, or none with members
  }
}

/** Its keys are kept over a reload that leaves it as it is. */
function isSame(before: Issuer, settings: Issuer['settings'], toleranceMs: number): boolean {
  return JSON.stringify([before.settings, before.toleranceMs]) === JSON.stringify([settings, toleranceMs]);
}
