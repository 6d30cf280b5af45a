import {
  digestKey,
  type Identity,
  identifier,
  type KeyRecord,
  type KeyRow,
  type Refusal,
} from '@mayday/policy';
import type { Call } from '../call.ts';
import { expect, expectFunction, expectKnown, expectMethodNames, expectText } from '../options-check.ts';
import { isAlone } from './alone.ts';
import type { Guard } from './guard.ts';
import { identifies } from './known-callers.ts';
import { notePresented } from './presented.ts';
import { thrownFor } from './request-call.ts';

export { digestKey, type KeyRecord, type KeyRow };

/** How callers are known by their keys. */
export interface KeysOptions {
  /**
   * Finds a key by its SHA-256 digest in hex: keys themselves need not be stored. Says nothing where there is none. What is no
   * record lets nobody in, and is told to the log.
   */
  readonly lookup: (digest: string) => KeyRow | null | undefined | Promise<KeyRow | null | undefined>;
  /** Where the key is; the `Authorization` header with or without `Bearer`, if absent. */
  readonly from?: ((call: Call) => string | undefined) | undefined;
  /** The methods that need a key; all but the handshake, if absent. */
  readonly methods?: readonly string[] | 'all' | undefined;
  /** What every caller without a good key is told. */
  readonly message?: string | undefined;
  readonly now?: (() => number) | undefined;
}

/** What a client says before it can know that it needs a key. */
const HANDSHAKE: readonly string[] = ['initialize', 'ping', 'server/discover'];

const OPTIONS = ['lookup', 'from', 'methods', 'message', 'now'];

/**
 * Refuses callers without a good key with `unauthenticated`. An unknown, a revoked and an expired key and a
 * malformed header get one answer, to the byte, and take the same steps to get it.
 */
export function keys(options: KeysOptions): Guard {
  expectKnown(options, OPTIONS, 'keys');
  const { lookup, from = bearer, methods, message } = options;
  expect(typeof lookup === 'function', 'lookup', 'a function that finds a key by its digest', lookup);
  expectFunction(options.from, 'from');
  expectFunction(options.now, 'now');
  expectMethodNames(methods, 'methods');
  expectText(message, 'message');
  const identify = identifier<Call>({ lookup, from, message, clock: { now: options.now ?? Date.now } });
  // A key that does not come from the header is shown as if it did.
  const headerOf = (request: Call): string =>
    options.from === undefined ? (bearer(request) ?? '') : `Bearer ${from(request) ?? ''}`;
  const admit = (request: Call, found: Identity | Refusal): void => {
    if ('fault' in found) throw notePresented(thrownFor(found), headerOf(request));
    request.principal = found.caller;
    request.scopes = found.scopes;
  };
  return identifies({
    name: 'keys',
    methods: methods ?? 'all',
    before(request) {
      if (methods === undefined && HANDSHAKE.includes(request.method) && !isAlone(request)) return;
      const found = identify(request);
      return found instanceof Promise ? found.then((one) => admit(request, one)) : admit(request, found);
    },
  });
}

function bearer(call: Call): string | undefined {
  return call.header('authorization');
}
