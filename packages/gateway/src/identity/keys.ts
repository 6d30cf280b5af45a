/** Who calls. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { DialectId } from '@mayday/core';
import { ANYBODY as ANY_CALLER, type Caller } from '@mayday/relay';
import type { KeySettings } from '../settings/settings.ts';

/**
 * Somebody who calls, without their secret. The id is the same for the same name, after restarts, in every process,
 * and with a new key too. It is made from the name and not from the key: whoever sees it learns nothing that would
 * help to guess the key.
 */
export interface KnownCaller extends Caller {
  /** Who it is, for the operator. */
  readonly name: string;
  readonly role: 'caller' | 'operator';
  /** The dialect of a caller who asks for none. */
  readonly dialect: DialectId | undefined;
  /** Only these; all of them if absent. */
  readonly upstreams: readonly string[] | undefined;
}

/** Finds the caller of a request. */
export interface Keys {
  /** The caller that an `Authorization` header belongs to. Without any keys, everybody is {@link ANYBODY}. */
  find(authorization: string | undefined): KnownCaller | undefined;
  /** What a caller of other keys is by these: nobody, if its key is gone. */
  again(caller: KnownCaller): KnownCaller | undefined;
}

/** The caller of a gateway without keys, who may do everything. */
const ANYBODY: KnownCaller = {
  ...ANY_CALLER,
  name: 'anybody',
  role: 'operator',
  dialect: undefined,
  upstreams: undefined,
};

/**
 * Keys are compared by their digests, all of them and for every credential, so that neither the answer nor the
 * time it takes says how far one was right.
 */
export function createKeys(configured: readonly KeySettings[]): Keys {
  const known = configured.map((key) => ({ caller: callerOf(key), digest: digestOf(key.key) }));
  return {
    find(authorization) {
      if (known.length === 0) return ANYBODY;
      const digest = digestOf(BEARER.exec(authorization ?? '')?.[1] ?? '');
      let found: KnownCaller | undefined;
      for (const { caller, digest: own } of known) if (timingSafeEqual(own, digest)) found = caller;
      return found;
    },
    again({ id, seal }) {
      if (known.length === 0) return ANYBODY;
      const isSame = (other: KnownCaller): boolean =>
        other.id === id && seal !== undefined && other.seal?.equals(seal) === true;
      return known.find(({ caller }) => isSame(caller))?.caller;
    },
  };
}

const BEARER = /^Bearer +([!-~]+)$/i;
const ID_LENGTH = 16;

function callerOf({ name, key, role, dialect, upstreams }: KeySettings): KnownCaller {
  const id = createHash('sha256').update(`mayday caller\0${name}`).digest('hex').slice(0, ID_LENGTH);
  const seal = createHash('sha256').update(`mayday session seal\0${key}`).digest();
  return { id, isKnown: true, seal, name, role, dialect, upstreams };
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
