/** What `guard` takes: a server of the official SDK, recent enough to say which request a handler works on. */
import type { AnyFunction, McpServerLike, ServerLike } from './shapes.ts';

/** The low-level server to guard, or a sentence about what was given instead. */
export function lowLevelOf(given: unknown): ServerLike {
  if (typeof given === 'function')
    throw new TypeError(`Expected a server, got the class or function ${given.name}: guard what it makes`);
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`Expected a server, got ${String(given)}`);
  const low = ('server' in given ? (given as McpServerLike).server : given) as
    | Partial<ServerLike>
    | undefined;
  if (typeof low?.connect !== 'function' || typeof low.setRequestHandler !== 'function')
    throw new TypeError(
      'Expected a server of the official SDK, got an object without `connect` and `setRequestHandler`',
    );
  if (isClient(low))
    throw new TypeError('Expected a server, got a client: `resilient` of @mayday/client is for those');
  if (isTooOld(given, low))
    throw new TypeError(
      'Expected a server of @modelcontextprotocol/sdk 1.17.5 or newer, got one of an older SDK: npm install @modelcontextprotocol/sdk@1',
    );
  return low as ServerLike;
}

/** A client has handlers of its own and connects, too. Only it knows what its server can do. */
function isClient(low: object): boolean {
  return 'getServerCapabilities' in low && !('getClientCapabilities' in low);
}

/**
 * SDKs before 1.17.5 are told by what they lack. The oldest do not say to a handler which request it works on: behind a
 * guard, nobody would know what has begun.
 */
function isTooOld(given: object, low: Partial<ServerLike>): boolean {
  if (typeof low.assertCanSetRequestHandler !== 'function') return true;
  if (low !== given && typeof (given as { registerTool?: unknown }).registerTool !== 'function') return true;
  return !isOfKnownClass(low) && isOfOldClass(low);
}

/** The class of the last server that was recent enough: stateless servers are made for each request, all of one class. */
let known: object | null = null;

function isOfKnownClass(low: object): boolean {
  return known !== null && Object.getPrototypeOf(low) === known && !Object.hasOwn(low, LOG);
}

const LOG = 'sendLoggingMessage';

function isOfOldClass(low: object): boolean {
  const log = ownBySdk(low, LOG);
  if (log !== undefined && log.length < 2) return true; // of which session: younger than the request's id
  known = Object.getPrototypeOf(low);
  return false;
}

/** A method as the class defines it that is the furthest up: the SDK's, not that of an author's class below it. */
function ownBySdk(server: object, method: string): AnyFunction | undefined {
  let found: unknown;
  for (let at: object | null = server; at !== null; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, method)) found = (at as { [name: string]: unknown })[method];
  return typeof found === 'function' ? (found as AnyFunction) : undefined;
}
