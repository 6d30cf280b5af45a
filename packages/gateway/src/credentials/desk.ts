/**
 * Credentials of callers toward servers, which are set and removed while the gateway runs. The store is asked about one once
 * a second at most; what it said holds for two, and nobody waits for it in between.
 */
import type { CredentialName, Store } from '@mayday/store';
import { createHiding, type Hide, type Hiding } from '../call/hiding.ts';

/** The credentials of a store. */
export interface CredentialDesk {
  /** The secret, if there is one. Rejects where the store has to be asked and cannot be. */
  find(name: CredentialName): Found | Promise<Found>;
  /**
   * Takes what was found for a server out of words, for whomever and however long ago: a call with it may be under way, and a
   * server may tell one caller of another.
   */
  hiderOf(upstream: string): Hide;
}

type Found = string | undefined;

/** So long nobody is asked again. */
const FRESH_MS = 1000;
/** So long a secret is used on what is known, while the store is asked. */
const STALE_MS = 2000;
/** Credentials that are remembered. */
const MAX_KNOWN = 10_000;

interface Entry {
  readonly secret: Found;
  /** By a clock that only goes forward. */
  readonly checkedAt: number;
}

/** Over the credentials of a store. */
export function createCredentialDesk(credentials: Pick<Store['credentials'], 'find'>): CredentialDesk {
  const known = new Map<string, Entry>();
  const asked = new Map<string, Promise<Found>>();
  const hidings = new Map<string, Hiding>();

  const hidingOf = (upstream: string): Hiding => {
    const hiding = hidings.get(upstream) ?? createHiding();
    hidings.set(upstream, hiding);
    return hiding;
  };

  const lookUp = async (name: CredentialName, key: string): Promise<Found> => {
    const checkedAt = performance.now();
    const secret = await credentials.find(name);
    if (secret !== undefined) hidingOf(name.upstream).add(secret);
    known.delete(key);
    known.set(key, { secret, checkedAt });
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value as string);
    return secret;
  };

  /** One question for all who want to know the same. */
  const ask = (name: CredentialName, key: string): Promise<Found> => {
    const running = asked.get(key);
    if (running !== undefined) return running;
    const answer = lookUp(name, key).finally(() => asked.delete(key));
    asked.set(key, answer);
    return answer;
  };

  return {
    find(name) {
      const key = keyOf(name);
      const entry = known.get(key);
      const age = entry === undefined ? STALE_MS : performance.now() - entry.checkedAt;
      if (entry === undefined || age >= STALE_MS) return ask(name, key);
      // It holds a little longer; who is asked then knows better.
      if (age >= FRESH_MS) ask(name, key).catch(() => undefined);
      return entry.secret;
    },
    hiderOf: (upstream) => hidingOf(upstream).hide,
  };
}

function keyOf({ caller, upstream }: CredentialName): string {
  return `${upstream}\0${caller}`; // names of servers have no NUL
}
