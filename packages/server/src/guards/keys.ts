import { createHash } from 'node:crypto';
import type { Call } from '../call.ts';
import { expectFunction } from '../options-check.ts';
import type { Guard } from './guard.ts';
import { opaqueFault } from './opaque.ts';

/** What is known about a key. */
export interface KeyRecord {
  /** Who it belongs to, for limits, approvals and logs. */
  readonly principal: string;
  readonly scopes?: readonly string[];
  readonly revoked?: boolean;
  /** Unix time in milliseconds. */
  readonly expiresAt?: number;
}

/** How callers are known by their keys. */
export interface KeysOptions {
  /** Finds a key by its SHA-256 digest in hex: keys themselves need not be stored. */
  readonly lookup: (digest: string) => KeyRecord | undefined | Promise<KeyRecord | undefined>;
  /** Where the key is; the `Authorization` header with or without `Bearer`, if absent. */
  readonly from?: (call: Call) => string | undefined;
  readonly methods?: readonly string[] | 'all';
  /** What every caller without a good key is told. */
  readonly message?: string;
  readonly now?: () => number;
}

const METHODS: readonly string[] = ['tools/call', 'resources/read', 'prompts/get'];

/**
 * Refuses callers without a good key with `unauthenticated`. An unknown, a revoked and an expired key and a
 * malformed header get one answer, to the byte, and take the same steps to get it.
 */
export function keys(options: KeysOptions): Guard {
  const { lookup, from = bearer, methods = METHODS, message = 'Unauthorized', now = Date.now } = options;
  expectFunction(lookup, 'lookup');
  const admit = (call: Call, wellFormed: boolean, record: KeyRecord | undefined): void => {
    const known = record !== undefined;
    const revoked = record?.revoked === true;
    const expired = (record?.expiresAt ?? Number.POSITIVE_INFINITY) <= now();
    const reason = !wellFormed
      ? 'malformed header'
      : !known
        ? 'unknown key'
        : revoked
          ? 'revoked key'
          : 'expired key';
    if (!wellFormed || !known || revoked || expired) throw opaqueFault('unauthenticated', message, reason);
    call.principal = record.principal;
    call.scopes = record.scopes ?? [];
  };
  return {
    name: 'keys',
    methods,
    before(call) {
      const given = from(call);
      const key = given === undefined ? undefined : KEY.exec(given)?.[1];
      // A malformed header is looked up too, as a key that nobody has.
      const digest = digestKey(key ?? `malformed ${given ?? ''}`);
      const found = lookup(digest);
      if (found instanceof Promise) return found.then((record) => admit(call, key !== undefined, record));
      admit(call, key !== undefined, found);
    },
  };
}

const KEY = /^(?:bearer +)?([\w.~+/=-]{8,512})$/i;

function bearer(call: Call): string | undefined {
  return call.header('authorization');
}

/** A key's digest, as `lookup` gets it. */
export function digestKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
