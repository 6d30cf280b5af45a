/** Credentials of callers toward servers, which are set and removed while the gateway runs. */
import type { CredentialName, Store } from '@mayday/store';
import { createHidings, type Hide } from '../call/hiding.ts';
import { Recent } from '../state/recent.ts';

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

/** Over the credentials of a store. */
export function createCredentialDesk(credentials: Pick<Store['credentials'], 'find'>): CredentialDesk {
  /** Also of those who have none: they are asked about with every call. */
  const recent = new Recent<{ readonly secret: Found }>();
  const hidings = createHidings();

  const lookUp = async (name: CredentialName): Promise<{ readonly secret: Found }> => {
    const secret = await credentials.find(name);
    if (secret !== undefined) hidings.of(name.upstream).add(secret);
    return { secret };
  };

  return {
    find(name) {
      const found = recent.find(keyOf(name), () => lookUp(name));
      return found instanceof Promise ? found.then((entry) => entry?.secret) : found?.secret;
    },
    hiderOf: (upstream) => hidings.of(upstream).hide,
  };
}

function keyOf({ caller, upstream }: CredentialName): string {
  return `${upstream}\0${caller}`; // names of servers have no NUL
}
