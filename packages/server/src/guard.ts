/**
 * `guard`: whatever goes wrong in an MCP server leaves as a safe, actionable fault.
 *
 * Works on the instance, through public members: the methods that register tools, resources, prompts and request
 * handlers, and the transport that the server is connected to. Only its name, and whether something is registered, is read
 * where no public member has it.
 */
import { adopt, adoptInPlace } from './boundary/adopt.ts';
import { Boundary } from './boundary/boundary.ts';
import { type HandlerKind, notingFaults, wrapHandler } from './boundary/handlers.ts';
import { Listing } from './boundary/listing.ts';
import { watchRegistries } from './boundary/registries.ts';
import { watchStrays } from './boundary/strays.ts';
import { isTaskHandler, wrapTaskHandler } from './boundary/tasks.ts';
import { warmUp } from './boundary/warm-up.ts';
import { lowLevelOf } from './guardable.ts';
import { type GuardOptions, settingsFrom } from './options.ts';
import type { AnyFunction, Guardable, Handle, McpServerLike, ServerLike, TransportLike } from './shapes.ts';

/**
 * Methods of which the guard sees every handler of the author's that is registered through it. The others call
 * functions that are hidden elsewhere: completers in schemas, lists in resource templates.
 */
const SEEN: readonly string[] = [
  'tools/call',
  'tools/list',
  'prompts/get',
  'prompts/list',
  'resources/read',
  'resources/templates/list',
];

const GUARDED: unique symbol = Symbol('guarded');

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
  const low = lowLevelOf(server);
  if ((server as { [GUARDED]?: boolean })[GUARDED] === true)
    throw new TypeError('Expected a server that is not guarded yet, got one that is');
  const boundary = new Boundary(settingsFrom(options), low);
  (server as { [GUARDED]?: boolean })[GUARDED] = true;
  if (boundary.settings.unhandledRejections !== 'leave') watchStrays();
  warmUp();
  const isHighLevel = 'server' in server;
  const registering = isHighLevel ? guardRegistering(boundary, server as McpServerLike) : { depth: 0 };
  guardHandlers(boundary, low, registering);
  if (isHighLevel) watchRegistries(boundary, server as McpServerLike);
  if (low.transport !== undefined) boundary.attachConnected(low.transport as TransportLike);
  const { connect } = low;
  low.connect = (transport) => {
    boundary.attach(transport);
    return connect.call(low, transport);
  };
  return server;
}

/** How deep we are inside the SDK's own registering: handlers that it sets there are its own. */
interface Registering {
  depth: number;
}

/** Members are set by name, one by one: in a loop over names, the same stores cost ten times as much. */
function guardRegistering(boundary: Boundary, server: McpServerLike): Registering {
  const registering: Registering = { depth: 0 };
  const members = server as unknown as { [M in Member]?: AnyFunction };
  const guarded = (original: AnyFunction, kind: HandlerKind): AnyFunction =>
    registeringMethod(boundary, registering, kind, server, original);
  if (members.registerTool) members.registerTool = guarded(members.registerTool, 'tool');
  if (members.registerResource) members.registerResource = guarded(members.registerResource, 'resource');
  if (members.registerPrompt) members.registerPrompt = guarded(members.registerPrompt, 'prompt');
  // The short forms of v1.
  if (members.tool) members.tool = guarded(members.tool, 'tool');
  if (members.resource) members.resource = guarded(members.resource, 'resource');
  if (members.prompt) members.prompt = guarded(members.prompt, 'prompt');
  const tasks = (server as TaskServer).experimental?.tasks;
  if (tasks?.registerToolTask)
    tasks.registerToolTask = registeringMethod(boundary, registering, 'tool', tasks, tasks.registerToolTask);
  for (const handle of boundary.settings.registered) adoptRegistered(boundary, handle);
  return registering;
}

/** Where v1 registers tools that are tasks. */
type TaskServer = McpServerLike & {
  readonly experimental?: { readonly tasks?: { registerToolTask?: AnyFunction } };
};

type Member = 'registerTool' | 'registerResource' | 'registerPrompt' | 'tool' | 'resource' | 'prompt';

function registeringMethod(
  boundary: Boundary,
  registering: Registering,
  kind: HandlerKind,
  owner: object,
  original: AnyFunction,
): AnyFunction {
  return (...args) => {
    const callback = args[args.length - 1];
    if (typeof callback === 'function')
      args[args.length - 1] = wrapHandler(boundary, kind, callback as AnyFunction);
    else if (isTaskHandler(callback)) args[args.length - 1] = wrapTaskHandler(boundary, callback);
    registering.depth++;
    try {
      const handle = original.apply(owner, args) as Handle;
      const { methods } = boundary;
      for (const method of LISTS[kind])
        if (!methods.unpaged.includes(method)) methods.unpaged = [...methods.unpaged, method];
      return adopt(boundary, kind, handle, namesOf(boundary, kind), String(args[0]));
    } finally {
      registering.depth--;
    }
  };
}

function namesOf(boundary: Boundary, kind: HandlerKind): Map<string, Handle> | undefined {
  if (kind === 'tool') return boundary.tools;
  return kind === 'prompt' ? boundary.prompts : undefined;
}

/** What was registered before the guard: its handle has the callback, and a public way to change it. */
function adoptRegistered(boundary: Boundary, handle: Handle): void {
  const kind = kindOf(handle);
  adoptInPlace(boundary, kind, handle);
  const current = handle.handler ?? handle.callback ?? handle.readCallback;
  if (typeof current === 'function') handle.update({ callback: current });
}

function kindOf(handle: Handle): HandlerKind {
  if (handle.readCallback !== undefined) return 'resource';
  return 'inputSchema' in handle ? 'tool' : 'prompt';
}

/** Handlers for methods of one's own, and for the protocol's own methods on a low-level server. */
function guardHandlers(boundary: Boundary, low: ServerLike, registering: Registering): void {
  const { methods } = boundary;
  const setRequestHandler = low.setRequestHandler as AnyFunction;
  const original = (...args: unknown[]): unknown => setRequestHandler.apply(low, args);
  low.setRequestHandler = (...args: unknown[]): unknown => {
    const handler = args[args.length - 1];
    const method = methodOf(args[0]);
    if (registering.depth > 0 || typeof handler !== 'function') {
      if (method !== undefined && SEEN.includes(method)) methods.seen = [...methods.seen, method];
      if (method !== 'completion/complete' || typeof handler !== 'function') return original(...args);
      methods.noted = [...methods.noted, method];
      return original(...args.slice(0, -1), notingFaults(boundary, handler as AnyFunction));
    }
    methods.unpaged = methods.unpaged.filter((each) => each !== method);
    const kind = method === 'tools/call' ? 'tool' : 'method';
    if (method !== undefined) methods.wrapped = [...methods.wrapped, method];
    if (method === 'tools/list') methods.listing = new Listing(handler as AnyFunction);
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
