/** Who calls. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeyConfig } from './config/config.ts';

/** Finds the caller of a request. */
export interface Keys {
  /** With no keys configured, everybody may call. */
  readonly required: boolean;
  find(authorization: string | undefined): KeyConfig | undefined;
}

/** Keys are compared by their digests, so that the time it takes says nothing about them. */
export function createKeys(configured: readonly KeyConfig[]): Keys {
  const known = configured.map((key) => ({ key, digest: digestOf(key.key) }));
  return {
    required: configured.length > 0,
    find(authorization) {
      const said = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      if (said === undefined) return undefined;
      const digest = digestOf(said);
      let found: KeyConfig | undefined;
      for (const candidate of known) if (timingSafeEqual(candidate.digest, digest)) found = candidate.key;
      return found;
    },
  };
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
