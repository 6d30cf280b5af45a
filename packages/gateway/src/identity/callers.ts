/** Who calls, as the call path knows them. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { ANYBODY, type Caller } from '@mayday/relay';
import type { KeySettings } from '../settings/settings.ts';

/** A caller, and what it may do here. */
export interface KnownCaller extends Caller {
  readonly name: string;
  readonly role: 'caller' | 'operator';
  /** Only these upstreams; all, if absent. */
  readonly upstreams: readonly string[] | undefined;
}

/** Finds the caller of a request. */
export interface Callers {
  /** `undefined` when the credentials are missing or wrong: the two are not told apart. */
  find(authorization: string | undefined): KnownCaller | undefined;
}

/** Where no keys are configured everybody may call, and everybody is the operator. */
const EVERYBODY: KnownCaller = { ...ANYBODY, name: 'anybody', role: 'operator', upstreams: undefined };

/** Keys are compared by their digests, so that the time it takes says nothing about them. */
export function createCallers(keys: readonly KeySettings[]): Callers {
  if (keys.length === 0) return { find: () => EVERYBODY };
  const known = keys.map((key) => ({ digest: digestOf(key.key), caller: callerOf(key) }));
  return {
    find(authorization) {
      const said = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
      const digest = digestOf(said);
      let found: KnownCaller | undefined;
      for (const candidate of known) if (timingSafeEqual(candidate.digest, digest)) found = candidate.caller;
      return found;
    },
  };
}

function callerOf({ name, key, role, dialect, upstreams }: KeySettings): KnownCaller {
  const seal = createHash('sha256').update(`mayday session seal\0${key}`).digest();
  const id = createHash('sha256').update(`mayday caller\0${key}`).digest('hex').slice(0, 16);
  return { id, isKnown: true, seal, dialect, name, role, upstreams };
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
