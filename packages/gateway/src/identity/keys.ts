/** Who calls. */
import { timingSafeEqual } from 'node:crypto';
import type { DialectId } from '@mayday/core';
import { ANYBODY as ANY_CALLER, type Caller } from '@mayday/relay';
import type { KeySettings } from '../settings/settings.ts';
import { sha256, sha256Bytes } from '../sha256.ts';
import type { IssuedKeys } from './issued-keys.ts';

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
  readonly tenant: string | undefined;
  readonly scopes: readonly string[];
  /** Of somebody who came with a token: who has made it, and when it is over. */
  readonly token?: { readonly issuer: object; readonly expiresAt: number } | undefined;
}

/** Finds the caller of a request. */
export interface Keys {
  /** Does nobody come in without a key? */
  readonly areNeeded: boolean;
  /**
   * The caller that an `Authorization` header belongs to. Without any keys, everybody is {@link ANYBODY}. A promise where
   * the store has to be asked; it rejects where that cannot be done. `alike` stands for all requests that have the same one.
   */
  find(authorization: string | undefined, alike?: object): Found | Promise<Found>;
  /** The same, as far as it is known without asking anybody. */
  known(authorization: string | undefined): Found;
  /** What a caller of other keys is by these: nobody, if its key is gone. */
  again(caller: KnownCaller): Found;
}

/** A caller, or nobody. */
type Found = KnownCaller | undefined;

/** The caller of a gateway without keys, who may do everything. */
export const ANYBODY: KnownCaller = {
  ...ANY_CALLER,
  name: 'anybody',
  role: 'operator',
  dialect: undefined,
  upstreams: undefined,
  tenant: undefined,
  scopes: [],
};

/**
 * Keys are compared by their digests, all of them and for every credential, so that neither the answer nor the
 * time it takes says how far one was right. Those of the settings come first, and need nobody else.
 */
export function createKeys(
  configured: readonly KeySettings[],
  issued?: IssuedKeys,
  /** Nobody comes in without a key, or something else that is none of ours to look at. */
  isClosed = false,
): Keys {
  const own = configured.map((key) => ({ caller: callerOf(key), digest: digestOf(key.key) }));
  const areNeeded = (): boolean => isClosed || own.length > 0 || issued?.exist === true;
  const anybody = (): Found => (areNeeded() ? undefined : ANYBODY);
  const ownOf = (digest: Buffer): Found => {
    let found: Found;
    for (const { caller, digest: known } of own) if (timingSafeEqual(known, digest)) found = caller;
    return found;
  };
  return {
    get areNeeded() {
      return areNeeded();
    },
    find(authorization, alike) {
      if (own.length === 0 && issued === undefined) return anybody();
      const { secret, digest, hex } = credentialIn(authorization, alike);
      const found = ownOf(digest);
      if (found !== undefined || issued === undefined) return found;
      // Where nobody needs a key, what is said may be for the server; one of ours never is, and one of another store is
      // refused: who sends it takes this gateway for one that keeps others out.
      if (secret === '' || !(areNeeded() || isIssued(secret))) return anybody();
      return issued.find(secret, hex);
    },
    known(authorization) {
      if (own.length === 0 && issued === undefined) return anybody();
      const { secret, digest, hex } = credentialIn(authorization);
      const found = ownOf(digest) ?? issued?.known(hex);
      return found ?? (isIssued(secret) ? undefined : anybody());
    },
    again(caller) {
      const { id, seal } = caller;
      if (!areNeeded()) return ANYBODY;
      const isSame = (other: KnownCaller): boolean =>
        other.id === id && seal !== undefined && other.seal?.equals(seal) === true;
      return own.find((key) => isSame(key.caller))?.caller ?? issued?.again(caller);
    },
  };
}

/** Is it one that a store has made, by its looks? */
function isIssued(secret: string): boolean {
  return secret.startsWith('mdy_');
}

/** What somebody came with. */
interface Credential {
  readonly secret: string;
  readonly digest: Buffer;
  readonly hex: string;
}

/** By connection: how long it takes the second time tells those who ask about nobody but themselves. */
const digested = new WeakMap<object, Credential>();

function credentialIn(authorization: string | undefined, alike?: object): Credential {
  const known = alike && digested.get(alike);
  if (known !== undefined) return known;
  const secret = BEARER.exec(authorization ?? '')?.[1] ?? '';
  const digest = digestOf(secret);
  const credential = { secret, digest, hex: digest.toString('hex') };
  if (alike !== undefined) digested.set(alike, credential);
  return credential;
}

const BEARER = /^Bearer +([!-~]+)$/i;
const ID_LENGTH = 16;

/** Somebody with this key. */
export function callerOf({ name, key, ...rights }: KeySettings): KnownCaller {
  const id = sha256(`mayday caller\0${name}`).slice(0, ID_LENGTH);
  const seal = sha256Bytes(`mayday session seal\0${key}`);
  return { id, isKnown: true, seal, name, ...rights };
}

function digestOf(key: string): Buffer {
  return sha256Bytes(key);
}
