/**
 * `guard`: whatever goes wrong in an MCP server leaves as a safe, actionable fault.
 *
 * Works on the instance, through public members only: the methods that register tools, resources, prompts
 * and request handlers, and the transport that the server is connected to.
 */
import { Boundary } from './boundary/boundary.ts';
import { adopt, type HandlerKind, wrapHandler } from './boundary/handlers.ts';
import { type GuardOptions, settingsFrom } from './options.ts';
import type { AnyFunction, Guardable, Handle, McpServerLike, ServerLike, TransportLike } from './shapes.ts';

const GUARDED: unique symbol = Symbol.for('dev.mayday/guarded') as never;

/** Registering methods of both SDKs, and what they register. v1 has a short and a long form of each. */
const REGISTERING: { readonly [name: string]: HandlerKind } = {
  registerTool: 'tool',
  tool: 'tool',
  registerResource: 'resource',
  resource: 'resource',
  registerPrompt: 'prompt',
  prompt: 'prompt',
};

/** Lists that the SDK itself serves as soon as something of the kind is registered. */
const LISTS: { readonly [K in HandlerKind]: readonly string[] } = {
  tool: ['tools/list'],
  resource: ['resources/list', 'resources/templates/list'],
  prompt: ['prompts/list'],
  method: [],
};

/**
 * Guards a server and gives it back. Call it right after the server is made, before tools are registered;
 * handles of what was registered earlier go into `registered`.
 *
 * @example
 * const server = guard(new McpServer({ name: 'orders', version: '1.0.0' }));
 */
export function guard<S extends Guardable>(server: S, options?: GuardOptions): S {
  if ((server as { [GUARDED]?: boolean })[GUARDED] === true) {
    throw new TypeError('Expected a server that is not guarded yet, got one that is');
  }
  Object.defineProperty(server, GUARDED, { value: true });
  const boundary = new Boundary(settingsFrom(options));
  const isHighLevel = 'server' in server;
  const low = (isHighLevel ? (server as McpServerLike).server : server) as ServerLike;
  boundary.onerror = (error) => low.onerror?.(error);
  const registering = isHighLevel ? guardRegistering(boundary, server as McpServerLike) : { depth: 0 };
  guardHandlers(boundary, low, registering);
  const connect = low.connect.bind(low) as (transport: TransportLike) => Promise<void>;
  low.connect = (transport: TransportLike) => {
    boundary.attach(transport);
    return connect(transport);
  };
  return server;
}

/** How deep we are inside the SDK's own registering: handlers that it sets there are its own. */
interface Registering {
  depth: number;
}

function guardRegistering(boundary: Boundary, server: McpServerLike): Registering {
  const registering: Registering = { depth: 0 };
  const members = server as unknown as { [name: string]: unknown };
  for (const [method, kind] of Object.entries(REGISTERING)) {
    const original = members[method];
    if (typeof original !== 'function') continue;
    members[method] = (...args: unknown[]): unknown => {
      const callback = args[args.length - 1];
      const given =
        typeof callback === 'function'
          ? [...args.slice(0, -1), wrapHandler(boundary, kind, callback as AnyFunction)]
          : args;
      registering.depth++;
      try {
        const handle = original.apply(server, given) as Handle;
        adopt(boundary, kind, handle, false);
        remember(boundary, kind, String(args[0]), handle);
        return handle;
      } finally {
        registering.depth--;
      }
    };
  }
  for (const handle of boundary.settings.registered) adopt(boundary, 'tool', handle, true);
  return registering;
}

function remember(boundary: Boundary, kind: HandlerKind, name: string, handle: Handle): void {
  for (const method of LISTS[kind]) boundary.unpaged.add(method);
  const names = kind === 'tool' ? boundary.tools : kind === 'prompt' ? boundary.prompts : undefined;
  if (names === undefined) return;
  names.set(name, handle);
  const update = handle.update;
  handle.update = (updates) => {
    update(updates);
    const renamed = updates['name'];
    if (renamed === undefined || renamed === name) return;
    names.delete(name);
    if (typeof renamed === 'string') {
      names.set(renamed, handle);
      name = renamed;
    }
  };
}

/** Handlers for methods of one's own, and for the protocol's own methods on a low-level server. */
function guardHandlers(boundary: Boundary, low: ServerLike, registering: Registering): void {
  const original = low.setRequestHandler.bind(low) as AnyFunction;
  low.setRequestHandler = (...args: unknown[]): unknown => {
    const handler = args[args.length - 1];
    if (registering.depth > 0 || typeof handler !== 'function') return original(...args);
    const method = methodOf(args[0]);
    if (method !== undefined) boundary.unpaged.delete(method);
    const kind = method === 'tools/call' ? 'tool' : 'method';
    return original(...args.slice(0, -1), wrapHandler(boundary, kind, handler as AnyFunction));
  };
}

/** v2 names the method, v1 gives a schema whose `method` is a literal. */
function methodOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  const literal = (
    given as { shape?: { method?: { value?: unknown; _def?: { value?: unknown } } } } | undefined
  )?.shape?.method;
  const value = literal?.value ?? literal?._def?.value;
  return typeof value === 'string' ? value : undefined;
}
