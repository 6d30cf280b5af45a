/** Callers known by their keys. */

import { makeFault } from '@mayday/core';
import type { Call } from '../call.ts';
import { isFunction, needed, type OptionNames, onlyKnown } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import { isPromise } from '../events.ts';
import { type Refusal, refuse } from '../outcome.ts';
import type { Awaitable, Policy } from '../policy.ts';
import { sha256 } from '../sha256.ts';
import { type KeyRow, type KnownKey, knownKey } from './key-record.ts';

/** What is known about a key. */
export interface KeyRecord {
  /** Who it belongs to, for limits, approvals and logs. */
  readonly principal: string;
  readonly scopes?: readonly string[] | undefined;
  readonly revoked?: boolean | undefined;
  /** Unix time in milliseconds. */
  readonly expiresAt?: number | undefined;
}

/** How callers are known by their keys. */
export interface KeysOptions<C = Call> {
  /**
   * Finds a key by its SHA-256 digest in hex: keys themselves need not be stored. Says nothing where there is none. What is no
   * record lets nobody in, and the refusal's `reason` says what was expected.
   */
  readonly lookup: (digest: string) => Awaitable<KeyRow | null | undefined>;
  /** Where the key is: a value of the form `Bearer KEY` or `KEY`. */
  readonly from: (call: C) => string | undefined;
  /** What every caller without a good key is told. */
  readonly message?: string | undefined;
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

const OPTIONS: OptionNames<KeysOptions> = { lookup: true, from: true, message: true, clock: true };

/** Who calls, and what they may do. */
export interface Identity {
  readonly caller: string;
  readonly scopes: readonly string[];
}

/**
 * Refuses callers without a good key with `unauthenticated`. An unknown, a revoked and an expired key and a
 * malformed header get one answer, to the byte, and take the same steps to get it.
 */
export function keys<T, C extends Call>(options: KeysOptions<C>): Policy<T, C> {
  onlyKnown<KeysOptions<C>>('`keys`', options, OPTIONS);
  const identify = identifier(options);
  return (next) => async (call) => {
    const found = await identify(call);
    return 'fault' in found ? refuse(found) : next({ ...call, ...found });
  };
}

/** The same for whoever drives calls without the composition. Answers at once where `lookup` does. */
export function identifier<C>(options: KeysOptions<C>): (call: C) => Awaitable<Identity | Refusal> {
  needed('`lookup`', options.lookup, 'a function', isFunction);
  needed('`from`', options.from, 'a function', isFunction);
  const { lookup, from, clock = systemClock, message = 'Unauthorized' } = options;
  const judge = (isWellFormed: boolean, answer: unknown): Identity | Refusal => {
    const { known, misread } = seen(answer);
    const isExpired = (known?.expiresAt ?? 0) <= clock.now();
    if (isWellFormed && known !== undefined && !known.isRevoked && !isExpired) {
      return { caller: known.principal, scopes: known.scopes };
    }
    const reason = !isWellFormed
      ? 'malformed header'
      : known === undefined
        ? (misread ?? 'unknown key')
        : known.isRevoked
          ? 'revoked key'
          : 'expired key';
    const fault = makeFault({ kind: 'unauthenticated', executed: 'no', message });
    return { fault, by: 'keys', opaque: true, reason };
  };
  return (call) => {
    const given: unknown = from(call);
    const key = typeof given === 'string' ? BEARER.exec(given)?.[1] : undefined;
    // A malformed header is looked up too, as a key that nobody has.
    const found: unknown = lookup(sha256(key ?? `malformed ${typeof given === 'string' ? given : ''}`));
    return isPromise(found)
      ? Promise.resolve(found).then((record) => judge(key !== undefined, record))
      : judge(key !== undefined, found);
  };
}

/** What an answer of `lookup` comes to, or why it comes to nothing. */
function seen(answer: unknown): { readonly known?: KnownKey | undefined; readonly misread?: string } {
  try {
    return { known: knownKey(answer) };
  } catch (thrown) {
    return { misread: String(thrown) };
  }
}

/** The form of a key: what fits in a header, and is too long to be guessed. */
const BEARER = /^(?:bearer +)?([\w.~+/=-]{8,512})$/i;
const KEY = /^[\w.~+/=-]{8,512}$/;

/**
 * A key's digest, as `lookup` gets it. Throws a `TypeError` for a key that no caller could ever present, so
 * that it is found when the key is made and not when it is refused.
 */
export function digestKey(key: string): string {
  // A variable that is not set is no key, though JavaScript would write `undefined` for it.
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new TypeError(
      'Expected a key of 8 to 512 letters, digits and . _ ~ + / = -; callers could not send others',
    );
  }
  return sha256(key);
}
