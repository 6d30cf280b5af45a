/** What the functions for HTTP take: something that answers web requests, or a listener. */
import type { FetchHandler } from './guard-handler.ts';

const EXPECTED = 'Expected a handler with `fetch`, as `createMcpHandler` makes one';

/** Refuses in a sentence what answers no web request; found out when it is set up, not at the first request. */
export function expectHandler(given: unknown): asserts given is FetchHandler {
  if (typeof given === 'function' && !('fetch' in given))
    throw new TypeError(`${EXPECTED}, got the class or function ${given.name}`);
  const { fetch, server = given } = Object(given) as { readonly fetch?: unknown; readonly server?: unknown };
  if (typeof fetch === 'function') return;
  if (typeof (Object(server) as { readonly setRequestHandler?: unknown }).setRequestHandler === 'function')
    throw new TypeError(`${EXPECTED}, got a server: \`createMcpHandler(() => guard(createServer()))\``);
  const got = typeof given === 'object' && given !== null ? 'an object without `fetch`' : shown(given);
  throw new TypeError(`${EXPECTED}, got ${got}`);
}

/** Refuses what cannot be called with a request. */
export function expectListener(given: unknown): void {
  if (typeof given !== 'function')
    throw new TypeError(`Expected a function that answers requests, got ${shown(given)}`);
}

/** The name of a type: a text may be a secret in the wrong place. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
