/** Callers known by their keys. */

import { makeFault } from '@mayday/core';
import type { Call } from '../call.ts';
import { isFunction, needed, type OptionNames, onlyKnown } from '../check.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type Refusal, refuse } from '../outcome.ts';
import type { Awaitable, Policy } from '../policy.ts';
import { sha256 } from '../sha256.ts';

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
  /** Finds a key by its SHA-256 digest in hex: keys themselves need not be stored. */
  readonly lookup: (digest: string) => Awaitable<KeyRecord | undefined>;
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
  const judge = (isWellFormed: boolean, record: KeyRecord | undefined): Identity | Refusal => {
    const isRevoked = record?.revoked === true;
    const isExpired = (record?.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now();
    if (isWellFormed && record !== undefined && !isRevoked && !isExpired) {
      return { caller: record.principal, scopes: record.scopes ?? [] };
    }
    const reason = !isWellFormed
      ? 'malformed header'
      : record === undefined
        ? 'unknown key'
        : isRevoked
          ? 'revoked key'
          : 'expired key';
    const fault = makeFault({ kind: 'unauthenticated', executed: 'no', message });
    return { fault, by: 'keys', opaque: true, reason };
  };
  return (call) => {
    const given = from(call);
    const key = given === undefined ? undefined : BEARER.exec(given)?.[1];
    // A malformed header is looked up too, as a key that nobody has.
    const found = lookup(sha256(key ?? `malformed ${given ?? ''}`));
    return found instanceof Promise
      ? found.then((record) => judge(key !== undefined, record))
      : judge(key !== undefined, found);
  };
}

/** The form of a key: what fits in a header, and is too long to be guessed. */
const BEARER = /^(?:bearer +)?([\w.~+/=-]{8,512})$/i;
const KEY = /^[\w.~+/=-]{8,512}$/;

/**
 * A key's digest, as `lookup` gets it. Throws a `TypeError` for a key that no caller could ever present, so
 * that it is found when the key is made and not when it is refused.
 */
export function digestKey(key: string): string {
  if (!KEY.test(key)) {
    throw new TypeError(
      'Expected a key of 8 to 512 letters, digits and . _ ~ + / = -; callers could not send others',
    );
  }
  return sha256(key);
}
