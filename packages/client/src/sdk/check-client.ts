/** What `resilient` takes: a client of the SDK that it was imported for. */
import { isObject } from '../http/reply.ts';
import type { Flavour, SdkClient } from './types.ts';

const METHODS = ['request', 'callTool', 'connect', 'close'] as const;

const IMPORTS: { readonly [version in Flavour['version']]: string } = {
  1: '@mayday/client/v1',
  2: '@mayday/client',
};

/** Throws a sentence about what is no client, or one of the other SDK: its successes would be read as failures. */
export function checkClient(given: unknown, { version }: Flavour): asserts given is SdkClient {
  if (!isObject(given) || METHODS.some((name) => typeof given[name] !== 'function'))
    throw new TypeError(`Expected a client of the official SDK, got ${described(given)}`);
  const actual = versionOf(given);
  if (actual === version) return;
  throw new TypeError(
    `Expected a client of SDK v${version}, got one of SDK v${actual}: import { resilient } from '${IMPORTS[actual]}'`,
  );
}

/** Only clients of v2 can ask a server what it is before they connect. */
function versionOf(client: { readonly [name: string]: unknown }): Flavour['version'] {
  return typeof client['discover'] === 'function' ? 2 : 1;
}

function described(given: unknown): string {
  if (typeof given === 'function') return `the class or function ${given.name}: make one first`;
  if (isObject(given)) return 'an object without `request`, `callTool`, `connect` and `close`';
  return given === null ? 'null' : typeof given;
}
